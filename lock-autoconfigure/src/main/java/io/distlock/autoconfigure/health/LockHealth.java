package io.distlock.autoconfigure.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockLoss;
import io.distlock.LockTemplate;
import io.distlock.leader.LeaderElection;
import io.distlock.observe.LockObserver;
import io.distlock.stores.LockTemplates;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/**
 * Takes and releases a separate lock in each store, and reports details that help an
 * operator to find a failure. An answer alone is no proof of health, because the store
 * may refuse all writes. A store that has not granted the lock within the command timeout
 * counts as down, long before a lease ends.
 */
final class LockHealth implements LockObserver {

	/** The key and the name of the probe lock. */
	static final String PROBE = "distributed-lock-health";

	static final Duration LATELY = Duration.ofMinutes(5);

	/**
	 * The delay after which the renewal thread counts as stuck. It is longer than a pause
	 * of the process or a turn with thousands of locks.
	 */
	static final Duration STUCK = Duration.ofSeconds(10);

	private static final int MOST_LOSSES = 1000;

	private final Map<String, StoreHealth> stores = new ConcurrentHashMap<>();

	private final Deque<Instant> losses = new ArrayDeque<>();

	private final Supplier<LockTemplate> template;

	private final Supplier<@Nullable LockTemplates> templates;

	private final Function<String, List<String>> problems;

	private final Function<String, List<String>> lostNodes;

	private final Duration timeout;

	private final Supplier<Instant> clock;

	private final ThreadFactory threads;

	private final Supplier<Stream<LeaderElection>> elections;

	/**
	 * Creates a check.
	 * @param template the template of the application
	 * @param templates the templates of each store, {@code null} for one store
	 * @param problems finds the reasons why a store, given by its id, cannot keep locks
	 * although it answers; may call the store
	 * @param timeout how long a store may take to answer
	 * @param clock the clock
	 */
	LockHealth(Supplier<LockTemplate> template, Supplier<@Nullable LockTemplates> templates,
			Function<String, List<String>> problems, Duration timeout, Supplier<Instant> clock) {
		this(template, templates, problems, (id) -> List.of(), timeout, clock, LockHealth::thread, Stream::empty);
	}

	/**
	 * Creates the same check on given threads, which also shows leader elections and the
	 * servers without which a store, given by its id, goes on.
	 */
	LockHealth(Supplier<LockTemplate> template, Supplier<@Nullable LockTemplates> templates,
			Function<String, List<String>> problems, Function<String, List<String>> lostNodes, Duration timeout,
			Supplier<Instant> clock, ThreadFactory threads, Supplier<Stream<LeaderElection>> elections) {
		this.problems = problems;
		this.lostNodes = lostNodes;
		this.template = template;
		this.templates = templates;
		this.timeout = timeout;
		this.clock = clock;
		this.threads = threads;
		this.elections = elections;
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
	 * Asks all stores at the same time. It blocks no longer than the command timeout.
	 * @return the present state
	 */
	Report check() {
		long start = System.nanoTime();
		Map<String, StoreHealth.Question> questions = new LinkedHashMap<>();
		ids().forEach((id) -> questions.put(id, store(id).ask()));
		Map<String, Map<String, Object>> answers = new LinkedHashMap<>();
		questions.forEach((id, question) -> {
			answers.put(id, question.await(this.timeout.toNanos() - (System.nanoTime() - start), this.timeout));
		});
		Map<String, Object> details = new LinkedHashMap<>();
		if (answers.size() == 1) {
			answers.values().forEach(details::putAll);
		}
		else {
			details.put("stores", answers);
		}
		boolean works = true;
		if (this.template.get() instanceof CloseableLockTemplate own) {
			details.put("renewalLag", DurationText.of(own.renewalLag().truncatedTo(ChronoUnit.MILLIS)));
			Duration overdue = own.housekeepingOverdue();
			works = overdue.compareTo(STUCK) < 0;
			if (!works) {
				details.put("stuck",
						"The thread distributed-lock-housekeeper has been overdue for "
								+ DurationText.of(overdue.truncatedTo(ChronoUnit.MILLIS))
								+ ": no lock is renewed. Look at its stack, and restart this process");
			}
		}
		details.put("lostInLast5Minutes", lostLately());
		Map<String, String> roles = new TreeMap<>();
		this.elections.get()
			.forEach((election) -> roles.put(ForeignText.of(election.name()),
					election.state().name().toLowerCase(Locale.ROOT)));
		if (!roles.isEmpty()) {
			details.put("leaderElections", roles);
		}
		boolean answered = answers.values()
			.stream()
			.noneMatch((answer) -> answer.containsKey("error") || answer.containsKey("problems"));
		return new Report(works && answered, details);
	}

	/**
	 * Returns the ids of the stores. A template of the application may have no stores by
	 * name.
	 */
	private Set<String> ids() {
		LockTemplates several = this.templates.get();
		return (several != null) ? several.places().keySet() : Set.of(LockTemplates.DEFAULT);
	}

	private StoreHealth store(String id) {
		return this.stores.computeIfAbsent(id, (each) -> new StoreHealth(() -> template(each),
				() -> this.problems.apply(each), () -> this.lostNodes.apply(each), this.clock, this.threads));
	}

	private LockTemplate template(String id) {
		LockTemplates several = this.templates.get();
		return (several != null) ? several.of(id) : this.template.get();
	}

	static Thread thread(Runnable question) {
		Thread thread = new Thread(question, "distributed-lock-health");
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * The result of a check.
	 *
	 * @param up whether the store answered and can keep locks
	 * @param details the details for the health endpoint
	 */
	record Report(boolean up, Map<String, Object> details) {
	}

}
