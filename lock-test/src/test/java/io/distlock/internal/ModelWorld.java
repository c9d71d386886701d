package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;

/** A few processes, a store, and what may happen to them next. */
final class ModelWorld {

	/**
	 * How long a free lock may stay idle after a fault while somebody waits: until a
	 * command counts as lost, and its repetition, and a poll.
	 */
	private static final long IDLE_NANOS_PER_FAULT = TimeUnit.MILLISECONDS.toNanos(3500);

	private final ModelClock clock = new ModelClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock.elsewhere(), Runnable::run);

	private final InMemoryLockStore observer = new InMemoryLockStore(this.server);

	private final List<ModelInstance> instances = new ArrayList<>();

	private final List<ModelCaller> callers = new ArrayList<>();

	private final ModelRules rules = new ModelRules(this);

	private final ModelPlan plan;

	private final List<ModelStep> schedule = new ArrayList<>();

	private int faultsLeft;

	private int forcedLeft;

	private boolean watched;

	private long idle;

	ModelWorld(ModelPlan plan) {
		this.plan = plan;
		this.faultsLeft = plan.faults();
		this.forcedLeft = plan.forced();
		this.observer.start("observer", new Deaf());
		for (List<ModelPlan.Caller> waits : plan.instances()) {
			String name = String.valueOf((char) ('A' + this.instances.size()));
			ModelInstance instance = new ModelInstance(name, this.server, this.clock, plan.tokens());
			this.instances.add(instance);
			for (int i = 0; i < waits.size(); i++) {
				this.callers.add(new ModelCaller(name + (i + 1), instance, ModelThread.number(this.callers.size()),
						waits.get(i), plan.rounds()));
			}
		}
	}

	/** From now on each step is checked; before, it is repeated. */
	void watch() {
		this.watched = true;
	}

	boolean watched() {
		return this.watched;
	}

	ModelRules rules() {
		return this.rules;
	}

	Stream<ModelCaller> callers() {
		return this.callers.stream();
	}

	/** Whether callers want permits and not a lock. */
	boolean permits() {
		return this.plan.permits() > 0;
	}

	Stream<ModelInstance> instances() {
		return this.instances.stream();
	}

	int faultsLeft() {
		return this.faultsLeft;
	}

	int length() {
		return this.schedule.size();
	}

	/** What decides about the future. */
	long fingerprint() {
		ModelFingerprint fingerprint = new ModelFingerprint();
		fingerprint.add(this.clock.nanoTime());
		fingerprint.add(this.idle);
		fingerprint.add(this.rules.lastToken());
		fingerprint.add(this.rules.lastTokenAlone());
		fingerprint.add(this.forcedLeft);
		fingerprint.add(this.rules.forced());
		fingerprint.add(this.server);
		for (ModelInstance instance : this.instances) {
			fingerprint.add(instance.engine());
			fingerprint.add(instance.table());
			fingerprint.add(instance.queues());
		}
		this.callers.forEach((caller) -> fingerprint.add(caller.variables()));
		return fingerprint.value();
	}

	LockSnapshot snapshot() {
		CompletableFuture<LockSnapshot> answer = this.observer.inspect(ModelCaller.KEY).toCompletableFuture();
		return answer.join();
	}

	/** Whether something went wrong that may fail a caller. */
	boolean disturbed() {
		return this.faultsLeft < this.plan.faults();
	}

	/** Whether time may have to pass before a free lock is found. */
	boolean lossy() {
		return this.idle <= (this.plan.faults() - this.faultsLeft) * IDLE_NANOS_PER_FAULT && disturbed();
	}

	/** Callers of a process are alike until they come, so one order is enough. */
	boolean mayJoin(ModelCaller caller) {
		int index = this.callers.indexOf(caller);
		return !caller.neverJoined() || index == 0 || this.callers.get(index - 1).instance() != caller.instance()
				|| !this.callers.get(index - 1).neverJoined();
	}

	/** All that may happen next; nothing if all is over. */
	List<ModelStep> steps() {
		List<ModelStep> steps = stepsOfProcesses();
		addOtherSteps(steps);
		return steps;
	}

	/**
	 * One of {@link #steps}. Most are those of processes, and a replay, which needs one
	 * step of many states, does not look for the others then.
	 */
	ModelStep step(int index) {
		List<ModelStep> steps = stepsOfProcesses();
		if (index >= steps.size()) {
			addOtherSteps(steps);
		}
		return steps.get(index);
	}

	private List<ModelStep> stepsOfProcesses() {
		List<ModelStep> steps = new ArrayList<>();
		this.callers.forEach((caller) -> caller.steps(steps, this));
		this.instances.forEach((instance) -> instance.steps(steps, this.faultsLeft > 0));
		removeFaultsIfNoneIsLeft(steps);
		return steps;
	}

	private void addOtherSteps(List<ModelStep> steps) {
		LockSnapshot snapshot = snapshot();
		addForce(steps, snapshot);
		boolean busy = steps.stream().anyMatch((step) -> step.kind() == ModelStep.Kind.NORMAL);
		addTime(steps, busy, snapshot);
		removeFaultsIfNoneIsLeft(steps);
	}

	private void removeFaultsIfNoneIsLeft(List<ModelStep> steps) {
		if (this.faultsLeft == 0) {
			steps.removeIf((step) -> step.kind() == ModelStep.Kind.FAULT);
		}
	}

	/** An operator, who looks first, and what others publish. */
	private void addForce(List<ModelStep> steps, LockSnapshot snapshot) {
		if (this.forcedLeft > 0 && !snapshot.holds().isEmpty()) {
			steps.add(new ModelStep("operator", "releases by force", "", ModelStep.Kind.OPTIONAL,
					() -> releaseByForce(snapshot)));
		}
		if (this.plan.forced() > 0) {
			this.instances.forEach((instance) -> steps.add(new ModelStep(instance.name(), "gets, forged,", "REVOKED",
					ModelStep.Kind.FAULT, instance::revoked)));
		}
	}

	private void releaseByForce(LockSnapshot seen) {
		this.forcedLeft--;
		Set<RequestId> holds = seen.holds().stream().map(LockSnapshot.Hold::request).collect(Collectors.toSet());
		ForceReleaseCommand command = new ForceReleaseCommand(ModelCaller.KEY, holds);
		Set<RequestId> released = this.observer.forceRelease(command).toCompletableFuture().join();
		ModelFailures.unless(released.equals(holds), "Who is seen is released", released);
		this.rules.forced(seen, this.clock.nanoTime());
		holds.forEach((request) -> this.instances.stream()
			.filter((instance) -> instance.name().equals(request.engine()))
			.forEach((instance) -> instance.requests(request).forced(request)));
		ModelFailures.unless(this.observer.forceRelease(command).toCompletableFuture().join().equals(holds),
				"A repetition gets the first answer", command);
	}

	private void addTime(List<ModelStep> steps, boolean busy, LockSnapshot snapshot) {
		long now = this.clock.nanoTime();
		Next moments = new Next(now);
		this.instances.forEach((instance) -> instance.moments(moments));
		this.callers.forEach((caller) -> caller.moments(moments));
		if (!snapshot.holds().isEmpty()) {
			moments.accept(now + snapshot.remaining().toNanos());
		}
		long next = moments.moment;
		if (next == now) {
			return;
		}
		if (!busy) {
			steps.add(new ModelStep("time", "passes", "", ModelStep.Kind.NORMAL, () -> passIdly(next)));
			return;
		}
		steps.add(new ModelStep("time", "passes early", "", ModelStep.Kind.FAULT, () -> this.clock.moveTo(next)));
		if (!snapshot.holds().isEmpty()) {
			long end = ModelClock.onGrid(now + snapshot.remaining().toNanos());
			if (end > ModelClock.onGrid(next)) {
				steps.add(new ModelStep("time", "leaps to the end of the lease", "", ModelStep.Kind.FAULT,
						() -> this.clock.moveTo(end)));
			}
		}
	}

	private void passIdly(long next) {
		if (this.callers.stream().anyMatch(ModelCaller::waiting)
				&& this.callers.stream().noneMatch((caller) -> caller.keepsAt(this.clock.nanoTime()))) {
			this.idle += next - this.clock.nanoTime();
			this.rules.checkStandstill();
		}
		this.clock.moveTo(next);
	}

	/** Takes a step. */
	void take(ModelStep step) {
		this.schedule.add(step);
		if (step.kind() == ModelStep.Kind.FAULT) {
			this.faultsLeft--;
		}
		step.action().run();
		this.callers.forEach((caller) -> caller.observe(this));
		this.instances.forEach(ModelInstance::checkAsks);
		ModelFailures.rethrow();
		if (this.watched) {
			this.rules.check();
		}
	}

	/** All that happened, for messages and to replay it. */
	String report() {
		return System.lineSeparator() + this.plan + ", at " + TimeUnit.NANOSECONDS.toMillis(this.clock.nanoTime())
				+ " ms:"
				+ this.schedule.stream()
					.map((step) -> System.lineSeparator() + "  " + step.toString().strip())
					.collect(Collectors.joining());
	}

	/** The next of some moments, within a minute; now, if there is none. */
	private static final class Next implements LongConsumer {

		private static final long LATEST = TimeUnit.MINUTES.toNanos(1);

		private final long now;

		private long moment;

		private Next(long now) {
			this.now = now;
			this.moment = now;
		}

		@Override
		public void accept(long candidate) {
			boolean comes = candidate - this.now > 0 && candidate - this.now <= LATEST;
			if (comes && (this.moment == this.now || candidate - this.moment < 0)) {
				this.moment = candidate;
			}
		}

	}

}
