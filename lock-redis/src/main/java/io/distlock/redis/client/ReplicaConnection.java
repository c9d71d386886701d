package io.distlock.redis.client;

import java.time.Duration;
import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;

/**
 * A connection for one command at a time, because WAIT refers to the writes of its own
 * connection only, and blocks the connection meanwhile.
 */
public interface ReplicaConnection extends AutoCloseable {

	/**
	 * Runs a script; blocks, and throws what the client throws.
	 * @param script the script
	 * @param byDigest whether the server should know the script already
	 * @param arguments its keys and arguments
	 * @return the reply
	 */
	List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments);

	/**
	 * Waits until replicas have what was written on this connection.
	 * @param required how many replicas to wait for
	 * @param timeout how long to wait
	 * @return how many replicas have it; 0 if the connection is not the one that wrote
	 */
	long awaitReplicas(int required, Duration timeout);

	/**
	 * Returns whether the connection is the one that was opened; one that the client
	 * opened instead would confirm nothing.
	 * @return {@code false} if the connection was lost
	 */
	default boolean isSound() {
		return true;
	}

	@Override
	void close();

	/** Opens such connections. */
	interface Opener {

		/**
		 * Opens a connection; blocks until connected, and throws what the client throws.
		 * @return the connection
		 */
		ReplicaConnection open();

	}

}
