package io.distlock.spi;

/**
 * The thread that waits for the answer to a command, which may execute the command
 * itself: a client that blocks then needs no thread of its own, and the answer does not
 * change threads.
 * <p>
 * A store may offer it one task within the method that was given this object, and from
 * within such a task one that follows it, such as a repetition. The calling thread runs
 * the task as soon as it has left the method and every monitor of the engine. The task
 * waits for each answer of the store for at most the command timeout, throws nothing, and
 * completes the stage that the method returned. One answer is the usual case; a task that
 * needs several may block for as many command timeouts if each comes at the last moment.
 */
@FunctionalInterface
public interface CallingThread {

	/** Runs no task. */
	CallingThread NONE = (task) -> false;

	/**
	 * Offers a task.
	 * @param task executes a command
	 * @return whether the calling thread will run the task; if not, the store executes
	 * the command elsewhere. Always {@code false} on any other thread, and if the calling
	 * thread is interrupted
	 */
	boolean offer(Runnable task);

	/**
	 * Returns for how long the calling thread waits for an answer at most. A store whose
	 * client may block for longer while the place hangs offers it nothing.
	 * @return nanoseconds; {@link Long#MAX_VALUE} if it waits until the command timeout
	 * is over, or longer
	 */
	default long patienceNanos() {
		return Long.MAX_VALUE;
	}

}
