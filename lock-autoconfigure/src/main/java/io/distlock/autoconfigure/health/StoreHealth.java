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
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.operations.LockOperations;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;

/**
 * Asks one store on a separate thread, with one question at a time. Further checks wait
 * for the same answer, so a hanging store blocks at most one thread.
 */
final class StoreHealth {

	private static final int MOST_NODES = 20;

	private final AtomicReference<@Nullable CompletableFuture<Answer>> asked = new AtomicReference<>();

	private final Supplier<LockTemplate> template;

	private final Supplier<List<String>> problems;

	private final Supplier<List<String>> lostNodes;

	private final Supplier<Instant> clock;

	private final ThreadFactory threads;

	private volatile @Nullable Instant lastAnswer;

	/**
	 * Creates a check of a store.
	 * @param template the template of the store
	 * @param problems finds the reasons why the store cannot keep locks although it
	 * answers
	 * @param lostNodes returns the servers without which the store goes on
	 * @param clock the clock
	 * @param threads creates the thread that asks
	 */
	StoreHealth(Supplier<LockTemplate> template, Supplier<List<String>> problems, Supplier<List<String>> lostNodes,
			Supplier<Instant> clock, ThreadFactory threads) {
		this.template = template;
		this.problems = problems;
		this.lostNodes = lostNodes;
		this.clock = clock;
		this.threads = threads;
	}

	/**
	 * Asks the store, unless a question is under way. It does not block.
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
			String seen = probe(this.template.get());
			this.lastAnswer = this.clock.get();
			Duration took = Duration.ofNanos(System.nanoTime() - start);
			Answer answer = new Answer(took, seen, this.problems.get());
			this.asked.set(null);
			question.complete(answer);
		}
		catch (Throwable ex) {
			fail(question, ex);
		}
	}

	/**
	 * Takes the lock and releases it. Reading it would prove nothing, because a store
	 * that can be read may refuse all locks. A template without operations therefore
	 * takes the lock as it does for any caller.
	 * @return what others see of it, empty for nothing
	 */
	private static String probe(LockTemplate template) {
		if (template instanceof LockOperations.Provider provider) {
			provider.operations().probe(LockHealth.PROBE);
			return "";
		}
		template.tryAcquire(LockRequest.of(LockHealth.PROBE).waitAtMost(Duration.ZERO)).ifPresent(LockHandle::close);
		return "Meters and listeners see the lock of this check, because " + template.getClass().getName()
				+ " does not implement LockOperations.Provider";
	}

	/** Ends a question with a failure. The next check asks again. */
	private void fail(CompletableFuture<Answer> question, Throwable cause) {
		this.asked.set(null);
		question.completeExceptionally(cause);
	}

	/**
	 * The answer of the store.
	 *
	 * @param took the duration of the question
	 * @param seen what others see of the question, empty for nothing
	 * @param problems the reasons why the store cannot keep locks nevertheless
	 */
	private record Answer(Duration took, String seen, List<String> problems) {
	}

	/** A question that the store may not have answered yet. */
	final class Question {

		private final CompletableFuture<Answer> answer;

		private Question(CompletableFuture<Answer> answer) {
			this.answer = answer;
		}

		/**
		 * Waits for the answer.
		 * @param nanos the longest wait
		 * @param timeout how long the store may take, for the message
		 * @return the present state of the store, with an {@code error} if it is down
		 */
		Map<String, Object> await(long nanos, Duration timeout) {
			Map<String, Object> details = new LinkedHashMap<>();
			try {
				Answer found = this.answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
				details.put("answeredWithin", DurationText.of(found.took().truncatedTo(ChronoUnit.MILLIS)));
				if (!found.seen().isEmpty()) {
					details.put("probe", found.seen());
				}
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
			List<String> lost = StoreHealth.this.lostNodes.get();
			if (!lost.isEmpty()) {
				details.put("lostNodes", lost.stream().limit(MOST_NODES).map(ForeignText::content).toList());
			}
			Instant last = StoreHealth.this.lastAnswer;
			details.put("lastAnswer", (last != null) ? last.truncatedTo(ChronoUnit.MILLIS).toString() : "none yet");
			return details;
		}

	}

}
