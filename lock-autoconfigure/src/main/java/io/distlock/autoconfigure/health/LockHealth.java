package io.distlock.autoconfigure.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockListener;
import io.distlock.LockLoss;
import io.distlock.LockTemplate;
import io.distlock.support.DurationText;
import io.distlock.support.FutureFailures;

/**
 * Asks the store a question that changes nothing, and reports what else an operator wants
 * to know of a bad night. A question that is not answered within the command timeout
 * means that the store is down, long before a lease ends. Further checks wait for the
 * same question, so a store that hangs ties up one thread at most.
 */
final class LockHealth implements LockListener {

	/** No lock has this key; reading it writes nothing. */
	static final String PROBE = "distributed-lock-health";

	static final Duration LATELY = Duration.ofMinutes(5);

	private static final int MOST_LOSSES = 1000;

	private final AtomicReference<@Nullable CompletableFuture<Duration>> asked = new AtomicReference<>();

	private final Deque<Instant> losses = new ArrayDeque<>();

	private final Supplier<LockTemplate> template;

	private final Duration timeout;

	private final Supplier<Instant> clock;

	private volatile @Nullable Instant lastAnswer;

	/**
	 * Creates a check.
	 * @param template the template whose store is asked
	 * @param timeout how long the store may take to answer
	 * @param clock the time
	 */
	LockHealth(Supplier<LockTemplate> template, Duration timeout, Supplier<Instant> clock) {
		this.template = template;
		this.timeout = timeout;
		this.clock = clock;
	}

	@Override
	public void lost(LockLoss loss) {
		synchronized (this.losses) {
			this.losses.addLast(this.clock.get());
			if (this.losses.size() > MOST_LOSSES) {
				this.losses.removeFirst();
			}
		}
	}

	private int lostLately() {
		Instant since = this.clock.get().minus(LATELY);
		synchronized (this.losses) {
			while (!this.losses.isEmpty() && this.losses.getFirst().isBefore(since)) {
				this.losses.removeFirst();
			}
			return this.losses.size();
		}
	}

	/**
	 * Asks the store. Blocks no longer than the command timeout.
	 * @return what is known now
	 */
	Report check() {
		Map<String, Object> details = new LinkedHashMap<>();
		String failure = ask(details);
		if (failure != null) {
			details.put("error", failure);
		}
		Instant last = this.lastAnswer;
		details.put("lastAnswer", (last != null) ? last.truncatedTo(ChronoUnit.MILLIS).toString() : "none yet");
		if (this.template.get() instanceof CloseableLockTemplate own) {
			details.put("renewalLag", DurationText.of(own.renewalLag().truncatedTo(ChronoUnit.MILLIS)));
		}
		details.put("lostInLast5Minutes", lostLately());
		return new Report(failure == null, details);
	}

	private @Nullable String ask(Map<String, Object> details) {
		try {
			Duration took = question().get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			details.put("answeredWithin", DurationText.of(took.truncatedTo(ChronoUnit.MILLIS)));
			return null;
		}
		catch (TimeoutException ex) {
			return "The store did not answer within " + DurationText.of(this.timeout);
		}
		catch (ExecutionException ex) {
			Throwable cause = FutureFailures.unwrap(ex);
			return (cause instanceof LockException ours) ? String.valueOf(ours.getMessage())
					: cause.getClass().getSimpleName();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return "The check was interrupted";
		}
	}

	/** The question that is under way, or a new one. */
	private CompletableFuture<Duration> question() {
		CompletableFuture<Duration> created = new CompletableFuture<>();
		CompletableFuture<Duration> current = this.asked.compareAndExchange(null, created);
		if (current != null) {
			return current;
		}
		Thread thread = new Thread(() -> answer(created), "distributed-lock-health");
		thread.setDaemon(true);
		thread.start();
		return created;
	}

	private void answer(CompletableFuture<Duration> question) {
		long start = System.nanoTime();
		try {
			this.template.get().isLocked(PROBE);
			this.lastAnswer = this.clock.get();
			this.asked.set(null);
			question.complete(Duration.ofNanos(System.nanoTime() - start));
		}
		catch (Throwable ex) {
			this.asked.set(null);
			question.completeExceptionally(ex);
		}
	}

	/**
	 * What a check found.
	 *
	 * @param up whether the store answered
	 * @param details for the health endpoint
	 */
	record Report(boolean up, Map<String, Object> details) {
	}

}
