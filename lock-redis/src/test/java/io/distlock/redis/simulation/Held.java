package io.distlock.redis.simulation;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.spi.Sharing;

/**
 * A lock in somebody's hands, from the moment its body may run until it is closed.
 *
 * @param node the process
 * @param request what was asked for
 * @param handle what the body got
 * @param since when the body began, in true time
 */
record Held(Node node, LockRequest request, LockHandle handle, long since) {

	String key() {
		return this.request.key();
	}

	long token() {
		return this.handle.fencingToken();
	}

	Sharing sharing() {
		return Sharing.of(this.request);
	}

	/** Whether both may have it at the same time. */
	boolean goesWith(Held other) {
		return sharing().goesWith(other.sharing());
	}

	/** Whether its process would still say that it holds; a dead one says nothing. */
	boolean believed() {
		return this.node.alive() && this.handle.isHeld();
	}

	@Override
	public String toString() {
		String how = sharing() instanceof Sharing.Exclusive ? ""
				: sharing() instanceof Sharing.Shared ? " shared" : " as a permit";
		return this.node + " with " + this.key() + ":" + token() + how;
	}

}
