package io.distlock.redis.client;

import java.time.Duration;
import java.util.List;

import io.distlock.redis.protocol.LockScript;

/**
 * A connection that one command at a time has for itself, because WAIT speaks of the
 * writes of its own connection only, and lets nobody else use it meanwhile.
 */
public interface ReplicaConnection extends AutoCloseable {

	/** Runs a script; throws what the client throws. */
	List<Object> run(LockScript script, boolean byDigest, List<String> keys, List<String> arguments);

	/**
	 * Waits until replicas have what was written on this connection.
	 * @return how many have it; 0 if the connection is not the one that wrote
	 */
	long awaitReplicas(int required, Duration timeout);

	/** Whether it is the one that was opened; another one would confirm nothing. */
	default boolean isSound() {
		return true;
	}

	@Override
	void close();

	/** Where such connections come from. */
	interface Opener {

		/** Blocks until connected; throws what the client throws. */
		ReplicaConnection open();

	}

}
