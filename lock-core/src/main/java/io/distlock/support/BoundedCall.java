package io.distlock.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Runs a call that may hang on a daemon thread of its own, so that nobody waits for it
 * for ever. The call cannot take part in a transaction of the caller either.
 */
public final class BoundedCall {

	private BoundedCall() {
	}

	/**
	 * A call that may hang.
	 *
	 * @param <T> type of the answer
	 */
	@FunctionalInterface
	public interface Call<T> {

		/**
		 * Runs the call.
		 * @param answer to be completed. Whatever follows the answer delays nobody
		 * @throws Throwable becomes the answer. An incomplete driver throws errors, not
		 * only exceptions
		 */
		void run(CompletableFuture<T> answer) throws Throwable;

	}

	/**
	 * Runs a call; blocks until it has answered, or its time is over. A thread that did
	 * not answer is interrupted.
	 * @param <T> type of the answer
	 * @param thread the name of the thread
	 * @param nanosLeft the time that is left, in nanoseconds. It is asked again when it
	 * seems to be over, because a call that makes progress may extend it
	 * @param call what to run
	 * @return the answer
	 * @throws TimeoutException if there was no answer in time
	 * @throws ExecutionException if the call threw something
	 * @throws InterruptedException if the caller was interrupted
	 */
	public static <T> T run(String thread, LongSupplier nanosLeft, Call<T> call)
			throws TimeoutException, ExecutionException, InterruptedException {
		CompletableFuture<T> answer = new CompletableFuture<>();
		Thread running = new Thread(() -> {
			try {
				call.run(answer);
			}
			catch (Throwable ex) {
				answer.completeExceptionally(ex);
			}
		}, thread);
		running.setDaemon(true);
		running.start();
		try {
			return awaited(answer, nanosLeft);
		}
		finally {
			if (!answer.isDone()) {
				running.interrupt();
			}
		}
	}

	/**
	 * Returns the time that is left of a limit which begins now.
	 * @param nanos the limit in nanoseconds
	 * @return the time that is left
	 */
	public static LongSupplier within(long nanos) {
		long begun = System.nanoTime();
		return () -> begun + nanos - System.nanoTime();
	}

	private static <T> T awaited(CompletableFuture<T> answer, LongSupplier nanosLeft)
			throws TimeoutException, ExecutionException, InterruptedException {
		while (true) {
			try {
				return answer.get(Math.max(nanosLeft.getAsLong(), 0), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				if (nanosLeft.getAsLong() <= 0) {
					throw ex;
				}
			}
		}
	}

}
