package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.waiting.Waiter;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.stores.LockTemplates;
import org.jspecify.annotations.Nullable;

/**
 * Callers of several processes that want several keys each, with the real engine: which
 * command is executed next, and who begins or releases, is up to the schedule. Commands
 * for different keys may overtake each other, as they do on servers of a Cluster or on
 * several connections.
 * <ul>
 * <li>A caller waits for a key only while it holds nothing but keys before it.
 * <li>No key is held by two callers.
 * <li>A caller that waits long enough gets its keys; of callers that do not wait one
 * does.
 * <li>At the end nothing is held, here or in the store.
 * </ul>
 */
final class SeveralKeysModel {

	private static final Duration PATIENT = Duration.ofHours(1);

	private static final Duration LONGEST_IDLE = Duration.ofMinutes(2);

	/** Far more than any plan needs. */
	private static final int MOST_COMMANDS = 1_000;

	private final ModelClock clock = new ModelClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock.elsewhere(), Runnable::run);

	private final Deque<Runnable> callbacks = new ArrayDeque<>();

	private final List<Process> processes = new ArrayList<>();

	private final List<Caller> callers = new ArrayList<>();

	private final StringBuilder schedule = new StringBuilder();

	private int commands;

	private SeveralKeysModel(Plan plan) {
		for (List<String> wanted : plan.callers()) {
			if (this.processes.isEmpty() || !plan.oneProcess()) {
				this.processes.add(new Process("P" + this.processes.size()));
			}
			Process process = this.processes.get(this.processes.size() - 1);
			process.callers++;
			this.callers.add(new Caller(process, wanted, plan.patience()));
		}
	}

	/** Tries all schedules; returns how many there are. */
	static int exhaust(Plan plan) {
		Deque<int[]> open = new ArrayDeque<>();
		open.push(new int[0]);
		int ends = 0;
		while (!open.isEmpty()) {
			new SeveralKeysModel(plan).run(open.pop(), open, null);
			ends++;
		}
		return ends;
	}

	/** Tries schedules by chance. */
	static int walk(Plan plan, int walks, long seed) {
		int commands = 0;
		for (int i = 0; i < walks; i++) {
			SeveralKeysModel model = new SeveralKeysModel(plan);
			model.run(new int[0], new ArrayDeque<>(), new Random(seed + i));
			commands = Math.max(commands, model.commands);
		}
		return commands;
	}

	/** For those who cannot name the classes of the model. */
	void run(String name) {
		Plan plan = Plan.named(name);
		walk(plan, 300, 1);
	}

	SeveralKeysModel() {
		this(new Plan("", List.of(), Duration.ZERO, false));
	}

	private void run(int[] prefix, Deque<int[]> open, @Nullable Random random) {
		List<Integer> choices = new ArrayList<>();
		long idleSince = this.clock.nanoTime();
		try {
			while (true) {
				List<Step> steps = steps();
				if (steps.isEmpty()) {
					if (this.callers.stream().allMatch(Caller::isOver) && isIdle()) {
						break;
					}
					ModelViolation.unless(this.clock.nanoTime() - idleSince < LONGEST_IDLE.toNanos(),
							"Callers wait for each other", this.callers);
					passTime();
					continue;
				}
				int depth = choices.size();
				int choice = 0;
				if (random != null) {
					choice = random.nextInt(steps.size());
				}
				else if (depth < prefix.length) {
					choice = prefix[depth];
				}
				else {
					for (int other = 1; other < steps.size(); other++) {
						int[] branch = new int[depth + 1];
						for (int i = 0; i < depth; i++) {
							branch[i] = choices.get(i);
						}
						branch[depth] = other;
						open.push(branch);
					}
				}
				choices.add(choice);
				idleSince = this.clock.nanoTime();
				this.schedule.append(System.lineSeparator()).append("  ").append(steps.get(choice).what());
				steps.get(choice).action().run();
				runCallbacks();
				check();
				ModelViolation.unless(this.commands < MOST_COMMANDS, "A lock without an owner is renewed",
						this.callers);
			}
			checkEnd();
		}
		catch (ModelViolation ex) {
			throw new ModelViolation(ex, this.schedule.toString());
		}
	}

	private List<Step> steps() {
		List<Step> steps = new ArrayList<>();
		this.callers.forEach((caller) -> caller.steps(steps));
		this.processes.forEach((process) -> process.steps(steps));
		return steps;
	}

	private void runCallbacks() {
		while (!this.callbacks.isEmpty()) {
			this.callbacks.remove().run();
		}
	}

	private boolean isIdle() {
		return this.processes.stream().allMatch((process) -> process.engine.isIdle());
	}

	private void passTime() {
		long now = this.clock.nanoTime();
		long next = this.processes.stream()
			.flatMap((process) -> process.engine.table().all().stream())
			.mapToLong(LockEntry::due)
			.map((due) -> Math.max(due - now, 0))
			.min()
			.orElse(LONGEST_IDLE.toNanos());
		this.clock.moveTo(now + Math.max(next, 1));
		for (Process process : this.processes) {
			for (LockEntry entry : List.copyOf(process.engine.table().all())) {
				if (entry.due() - this.clock.nanoTime() <= 0) {
					entry.tick();
				}
			}
		}
		runCallbacks();
		check();
	}

	private void check() {
		for (Process process : this.processes) {
			if (process.callers == 1) {
				process.checkOrder();
			}
		}
		for (Caller one : this.callers) {
			for (Caller other : this.callers) {
				boolean both = one != other && one.holds() && other.holds()
						&& one.keys.stream().anyMatch(other.keys::contains);
				ModelViolation.unless(!both, "No key has two holders", this.callers);
			}
		}
	}

	private void checkEnd() {
		boolean patient = this.callers.stream().allMatch((caller) -> !caller.patience.isZero());
		boolean all = this.callers.stream().allMatch((caller) -> caller.got);
		boolean one = this.callers.stream().anyMatch((caller) -> caller.got);
		ModelViolation.unless(!patient || all, "A caller that waits gets its keys", this.callers);
		ModelViolation.unless(one, "One of those that do not wait gets its keys", this.callers);
		for (Caller caller : this.callers) {
			caller.keys.forEach((key) -> ModelViolation.unless(isFree(key), "At the end nothing is held", key));
		}
	}

	private boolean isFree(String key) {
		return this.processes.get(0).store.inspect(key).toCompletableFuture().join().holds().isEmpty();
	}

	/** What may happen next. */
	private record Step(String what, Runnable action) {
	}

	/** A process with a store that executes its commands when the schedule says so. */
	private final class Process {

		private final String name;

		private final QueueingStore store;

		private final LockEngine engine;

		private int callers;

		Process(String name) {
			this.name = name;
			this.store = new QueueingStore(new InMemoryLockStore(SeveralKeysModel.this.server));
			this.engine = new LockEngine(
					new EngineContext(this.store, LockSettings.DEFAULTS, SeveralKeysModel.this.clock, name,
							LockTemplates.DEFAULT, LockObserver.NONE, SeveralKeysModel.this.callbacks::add, () -> 0.5));
		}

		void steps(List<Step> steps) {
			List<String> seen = new ArrayList<>();
			for (QueueingStore.Command<?> command : this.store.pending()) {
				// One connection keeps the order of the commands for a key.
				if (!seen.contains(command.key())) {
					seen.add(command.key());
					steps.add(new Step(this.name + " executes " + command.what() + " " + command.key(), () -> {
						SeveralKeysModel.this.commands++;
						this.store.execute(command);
					}));
				}
			}
		}

		/** What its only caller holds and waits for. */
		void checkOrder() {
			List<String> held = new ArrayList<>();
			List<String> awaited = new ArrayList<>();
			for (LockEntry entry : this.engine.table().all()) {
				entry.visit((hold) -> {
					if (hold.state() == Hold.State.HELD) {
						held.add(entry.key());
					}
				}, (waiter) -> addIfPatient(awaited, entry.key(), waiter));
			}
			for (String key : awaited) {
				ModelViolation.unless(held.stream().allMatch((before) -> before.compareTo(key) < 0),
						"A caller waits only for keys after those that it holds",
						this.name + " waits for " + key + " and holds " + held);
			}
			ModelViolation.unless(awaited.size() <= 1, "A caller waits for one key at a time", awaited);
		}

		private void addIfPatient(List<String> awaited, String key, Waiter waiter) {
			if (waiter.remaining(SeveralKeysModel.this.clock.nanoTime()) > 0) {
				awaited.add(key);
			}
		}

	}

	/** A caller that takes its keys once. */
	private final class Caller {

		private final Process process;

		private final List<String> keys;

		private final Duration patience;

		private CompletableFuture<LockHandle> future;

		private boolean got;

		private boolean released;

		Caller(Process process, List<String> keys, Duration patience) {
			this.process = process;
			this.keys = keys;
			this.patience = patience;
		}

		void steps(List<Step> steps) {
			if (this.future == null) {
				steps.add(new Step(this + " begins", () -> {
					LockRequest request = LockRequest.ofAll(this.keys).waitAtMost(this.patience);
					this.future = this.process.engine.acquireAsync(request).toCompletableFuture();
				}));
			}
			else if (holds()) {
				this.got = true;
				steps.add(new Step(this + " releases", () -> {
					this.released = true;
					this.future.join().closeAsync();
				}));
			}
		}

		boolean holds() {
			return this.future != null && this.future.isDone() && !this.future.isCompletedExceptionally()
					&& !this.released;
		}

		boolean isOver() {
			return this.released || this.future != null && this.future.isCompletedExceptionally();
		}

		@Override
		public String toString() {
			return this.process.name + this.keys + (holds() ? " holds" : "");
		}

	}

	/** Callers and the keys they want. */
	record Plan(String name, List<List<String>> callers, Duration patience, boolean oneProcess) {

		static final List<Plan> ALL = List.of(
				new Plan("two with the same keys", List.of(List.of("a", "b"), List.of("a", "b")), PATIENT, false),
				new Plan("two that overlap", List.of(List.of("a", "b"), List.of("b", "c")), PATIENT, false),
				new Plan("two in one process", List.of(List.of("a", "b"), List.of("a", "b")), PATIENT, true),
				new Plan("one key and three", List.of(List.of("b"), List.of("a", "b", "c")), PATIENT, false),
				new Plan("a ring", List.of(List.of("a", "b"), List.of("b", "c"), List.of("a", "c")), PATIENT, false),
				new Plan("four with three keys",
						List.of(List.of("a", "b", "c"), List.of("a", "b", "c"), List.of("b", "c", "d"),
								List.of("a", "c", "d")),
						PATIENT, false),
				new Plan("two that do not wait", List.of(List.of("a", "b"), List.of("a", "b")), Duration.ZERO, false),
				new Plan("two that overlap and do not wait", List.of(List.of("a", "b"), List.of("b", "c")),
						Duration.ZERO, false));

		static Plan named(String name) {
			return ALL.stream().filter((plan) -> plan.name().equals(name)).findFirst().orElseThrow();
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
