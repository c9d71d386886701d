package io.distlock.autoconfigure.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
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
import io.distlock.operations.LockOperations;
import io.distlock.support.DurationText;
import io.distlock.support.FutureFailures;

/**
 * Asks one store, once at a time and on a thread of its own. Checks that come meanwhile
 * wait for the same answer, so a store that hangs ties up one thread at most.
 */
final class StoreHealth {

	private final AtomicReference<@Nullable CompletableFuture<Answer>> asked = new AtomicReference<>();

	private final Supplier<LockTemplate> template;

	private final Supplier<List<String>> problems;

	private final Supplier<Instant> clock;

	private final ThreadFactory threads;

	private volatile @Nullable Instant lastAnswer;

	/**
	 * Creates what asks a store.
	 * @param template the template of the store
	 * @param problems finds why the store cannot keep locks although it answers
	 * @param clock the time
	 * @param threads creates the thread that asks
	 */
	StoreHealth(Supplier<LockTemplate> template, Supplier<List<String>> problems, Supplier<Instant> clock,
			ThreadFactory threads) {
		this.template = template;
		this.problems = problems;
		this.clock = clock;
		this.threads = threads;
	}

	/**
	 * Begins to ask, unless a question is under way. Does not block.
	 * @return the question
	 */
	Question ask() {
		CompletableFuture<Answer> created = new CompletableFuture<>();
		CompletableFuture<Answer> current = this.asked.compareAndExchange(null, created);
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

	private void answer(CompletableFuture<Answer> question) {
		long start = System.nanoTime();
		try {
			probe(this.template.get());
			this.lastAnswer = this.clock.get();
			Duration took = Duration.ofNanos(System.nanoTime() - start);
			Answer answer = new Answer(took, this.problems.get());
			this.asked.set(null);
			question.complete(answer);
		}
		catch (Throwable ex) {
			fail(question, ex);
		}
	}

	private static void probe(LockTemplate template) {
		if (template instanceof LockOperations.Provider provider) {
			provider.operations().probe(LockHealth.PROBE);
		}
		else {
			template.isLocked(LockHealth.PROBE);
		}
	}

	/** The next check asks again. */
	private void fail(CompletableFuture<Answer> question, Throwable cause) {
		this.asked.set(null);
		question.completeExceptionally(cause);
	}

	/**
	 * What the store answered.
	 *
	 * @param took how long it took
	 * @param problems why it cannot keep locks all the same
	 */
	private record Answer(Duration took, List<String> problems) {
	}

	/** A question that the store has perhaps not answered yet. */
	final class Question {

		private final CompletableFuture<Answer> answer;

		private Question(CompletableFuture<Answer> answer) {
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
				Answer found = this.answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
				details.put("answeredWithin", DurationText.of(found.took().truncatedTo(ChronoUnit.MILLIS)));
				if (!found.problems().isEmpty()) {
					details.put("problems", found.problems());
				}
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
