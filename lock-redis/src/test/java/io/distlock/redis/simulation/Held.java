package io.distlock.redis.simulation;

import io.distlock.LockHandle;

/**
 * A lock in somebody's hands, from the moment its body may run until it is closed.
 *
 * @param node the process
 * @param key the lock
 * @param handle what the body got
 */
record Held(Node node, String key, LockHandle handle) {

	long token() {
		return this.handle.fencingToken();
	}

	/** Whether its process would still say that it holds; a dead one says nothing. */
	boolean believed() {
		return this.node.alive() && this.handle.isHeld();
	}

	@Override
	public String toString() {
		return this.node + " with " + this.key + ":" + token();
	}

}
