package io.distlock.redis.client;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;

/**
 * Runs one command at a time on one connection. WAIT refers only to the writes of the
 * same connection, and blocks the connection meanwhile.
 */
public interface ReplicaConnection extends AutoCloseable {

	/**
	 * Runs a script; blocks, and throws the client's exceptions.
	 * @param script the script
	 * @param byDigest whether the server probably knows the script already
	 * @param arguments the keys and arguments of the script
	 * @return the reply
	 */
	List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments);

	/**
	 * Waits until replicas have the writes of this connection.
	 * @param required how many replicas to wait for
	 * @param timeout how long to wait
	 * @return how many replicas have them; 0 if this is no longer the connection that
	 * wrote
	 */
	long awaitReplicas(int required, Duration timeout);

	/**
	 * Returns whether this is still the connection that was opened. A replacement that
	 * the client opened would confirm nothing.
	 * @return {@code false} if the connection was lost
	 */
	default boolean isSound() {
		return true;
	}

	@Override
	void close();

	/** Opens connections on which to wait for replicas. */
	interface Opener {

		/**
		 * Opens a connection; blocks until connected, and throws the client's exceptions.
		 * @param late receives a connection that opens after this method has failed
		 * @return the connection
		 */
		ReplicaConnection open(Consumer<ReplicaConnection> late);

	}

}
