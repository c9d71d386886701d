package io.distlock.autoconfigure.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;
import io.distlock.LockTemplate;
import io.distlock.support.DurationText;
import io.distlock.support.FutureFailures;

/**
 * Asks one store, once at a time and on a thread of its own. Checks that come meanwhile
 * wait for the same answer, so a store that hangs ties up one thread at most.
 */
final class StoreHealth {

	private final AtomicReference<@Nullable CompletableFuture<Duration>> asked = new AtomicReference<>();

	private final Supplier<LockTemplate> template;

	private final Supplier<Instant> clock;

	private final ThreadFactory threads;

	private volatile @Nullable Instant lastAnswer;

	/**
	 * Creates what asks a store.
	 * @param template the template of the store
	 * @param clock the time
	 * @param threads creates the thread that asks
	 */
	StoreHealth(Supplier<LockTemplate> template, Supplier<Instant> clock, ThreadFactory threads) {
		this.template = template;
		this.clock = clock;
		this.threads = threads;
	}

	/**
	 * Begins to ask, unless a question is under way. Does not block.
	 * @return the question
	 */
	Question ask() {
		CompletableFuture<Duration> created = new CompletableFuture<>();
		CompletableFuture<Duration> current = this.asked.compareAndExchange(null, created);
		if (current != null) {
			return new Question(current);
		}
		try {
			this.threads.newThread(() -> answer(created)).start();
		}
		catch (Throwable ex) {
			fail(created, ex);
		}
		return new Question(created);
	}

	private void answer(CompletableFuture<Duration> question) {
		long start = System.nanoTime();
		try {
			this.template.get().isLocked(LockHealth.PROBE);
			this.lastAnswer = this.clock.get();
			this.asked.set(null);
			question.complete(Duration.ofNanos(System.nanoTime() - start));
		}
		catch (Throwable ex) {
			fail(question, ex);
		}
	}

	/** The next check asks again. */
	private void fail(CompletableFuture<Duration> question, Throwable cause) {
		this.asked.set(null);
		question.completeExceptionally(cause);
	}

	/** A question that the store has perhaps not answered yet. */
	final class Question {

		private final CompletableFuture<Duration> answer;

		private Question(CompletableFuture<Duration> answer) {
			this.answer = answer;
		}

		/**
		 * Waits for the answer.
		 * @param nanos how long at most
		 * @param timeout how long the store may take, for the message
		 * @return what is known of the store now, with an {@code error} if it is down
		 */
		Map<String, Object> await(long nanos, Duration timeout) {
			Map<String, Object> details = new LinkedHashMap<>();
			try {
				Duration took = this.answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
				details.put("answeredWithin", DurationText.of(took.truncatedTo(ChronoUnit.MILLIS)));
			}
			catch (TimeoutException ex) {
				details.put("error", "The store did not answer within " + DurationText.of(timeout));
			}
			catch (ExecutionException ex) {
				Throwable cause = FutureFailures.unwrap(ex);
				details.put("error", (cause instanceof LockException ours) ? String.valueOf(ours.getMessage())
						: cause.getClass().getSimpleName());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				details.put("error", "The check was interrupted");
			}
			Instant last = StoreHealth.this.lastAnswer;
			details.put("lastAnswer", (last != null) ? last.truncatedTo(ChronoUnit.MILLIS).toString() : "none yet");
			return details;
		}

	}

}
