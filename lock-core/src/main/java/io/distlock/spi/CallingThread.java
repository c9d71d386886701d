package io.distlock.spi;

/**
 * The thread that waits for the answer to a command. This thread may execute the command
 * itself. A blocking client then needs no separate thread, and the answer need not be
 * passed to another thread.
 * <p>
 * A store may offer one task within the method that was given this object. From within
 * such a task, it may offer one more task that follows, such as a repetition. The calling
 * thread runs the task as soon as the thread has left the method and every monitor of the
 * engine. The task waits for each answer of the store for at most the command timeout,
 * throws nothing, and completes the stage that the method returned. A task usually needs
 * one answer. A task that needs several answers may block for as many command timeouts if
 * each answer comes at the last moment.
 */
@FunctionalInterface
public interface CallingThread {

	/** Runs no task. */
	CallingThread NONE = (task) -> false;

	/**
	 * Offers a task.
	 * @param task executes a command
	 * @return whether the calling thread will run the task; if not, the store executes
	 * the command elsewhere. The result is always {@code false} on another thread, and if
	 * the calling thread is interrupted
	 */
	boolean offer(Runnable task);

	/**
	 * Returns how long the calling thread waits for an answer at most. A store must not
	 * offer a task if its client may block for longer while the place of the store hangs.
	 * @return nanoseconds; {@link Long#MAX_VALUE} if the thread waits until the command
	 * timeout is over, or longer
	 */
	default long patienceNanos() {
		return Long.MAX_VALUE;
	}

}
