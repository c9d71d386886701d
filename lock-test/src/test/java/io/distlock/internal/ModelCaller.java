package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

import io.distlock.LockOptions;
import io.distlock.OnLost;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.key.Semaphore;
import io.distlock.internal.request.Release;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.waiting.AsyncWaiter;
import io.distlock.internal.waiting.Extension;
import io.distlock.internal.waiting.ThreadWaiter;
import io.distlock.internal.waiting.Waiter;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;

/**
 * Acquires and releases, step by step. The steps are those of {@link ThreadWaiter#await},
 * less the parking, or those of {@link AsyncWaiter}; between two of them anything may
 * happen.
 */
final class ModelCaller {

	static final String KEY = "stock:42";

	private static final LeaseTerm LEASE = new LeaseTerm(ModelInstance.LEASE, true);

	private final String name;

	private final ModelInstance instance;

	private final ModelPlan.Caller plan;

	private final ModelThread thread;

	private int roundsLeft;

	private State state = State.IDLE;

	private Waiter waiter;

	private Waiter.QueueOwner entry;

	private Outcome seen;

	private Hold hold;

	/** What it has left, and what stays taken. */
	private Hold kept;

	private Release keeping;

	/** Whether the store need not be told. */
	private boolean keptInStore;

	private Release release;

	/** What it is executing itself, if anything. */
	private ModelDirect direct;

	private Runnable tasks;

	/** What it extends its hold by, begun at most once for each hold. */
	private Extension extension;

	private long extendedUntil;

	private boolean extensionSeen;

	private boolean readsOn;

	private boolean readInBetween;

	private long giveUp;

	private int told;

	private boolean refusable;

	private int answers;

	private boolean cancelled;

	private int place;

	ModelCaller(String name, ModelInstance instance, ModelThread thread, ModelPlan.Caller plan, int rounds) {
		this.name = name;
		this.instance = instance;
		this.plan = plan;
		this.thread = thread;
		this.roundsLeft = rounds;
	}

	/** What the next steps depend on, besides the engine. */
	List<Object> variables() {
		List<Object> variables = new ArrayList<>(ofState());
		if (this.kept != null) {
			variables.add(this.kept);
		}
		if (this.direct != null) {
			variables.add(this.direct);
		}
		return variables;
	}

	private List<Object> ofState() {
		return switch (this.state) {
			case IDLE -> List.of(this.roundsLeft);
			case WAITING -> List.of(this.roundsLeft, this.waiter, this.place, this.refusable);
			case HOLDING, LEAVING ->
				List.of(this.roundsLeft, this.hold, this.state, (this.extension != null) ? this.extension : "",
						this.extendedUntil, this.readInBetween, this.readsOn);
			case CONFIRMING -> List.of(this.roundsLeft, this.release, this.giveUp);
		};
	}

	void steps(List<ModelStep> steps, ModelWorld world) {
		if (this.direct != null) {
			this.direct.steps(steps, this.name, this::endDirect);
			return;
		}
		switch (this.state) {
			case IDLE -> {
				if (this.roundsLeft > 0 && world.mayJoin(this)) {
					step(steps, "joins", ModelStep.Kind.NORMAL, () -> join(world));
				}
			}
			case WAITING -> waitingSteps(steps);
			case HOLDING -> {
				if (this.waiter.owner().nests()) {
					step(steps, "releases", ModelStep.Kind.NORMAL, this::release);
				}
				else {
					step(steps, "is about to release", ModelStep.Kind.NORMAL, this::leave);
				}
				extensionSteps(steps);
				if (this.plan.readsOn() && !this.readsOn) {
					step(steps, "reads on", ModelStep.Kind.NORMAL, this::readOn);
					if (!this.readInBetween) {
						step(steps, "reads in between", ModelStep.Kind.OPTIONAL, this::readInBetween);
					}
				}
				// It may be on its way out, or its future may tell of its completion.
				step(steps, "goes away too late", ModelStep.Kind.FAULT,
						() -> ModelViolation.unless(!this.entry.cancel(this.waiter), "One outcome", this));
			}
			case LEAVING -> step(steps, "releases", ModelStep.Kind.NORMAL, this::release);
			case CONFIRMING -> {
			}
		}
	}

	private void extensionSteps(List<ModelStep> steps) {
		if (this.extension == null && !this.plan.extension().isZero()) {
			step(steps, "extends", ModelStep.Kind.OPTIONAL, this::extend);
		}
		else if (extending() && this.extension.remaining(this.instance.engine().now()) <= 0) {
			step(steps, "extends no longer", ModelStep.Kind.NORMAL, () -> {
				boolean cancelled = this.instance.table().of(this.hold).cancel(this.extension);
				ModelViolation.unless(cancelled || this.hold.state() == Hold.State.LOST, "Who extends can give up",
						this);
			});
		}
	}

	/** A nested reader that does not outlive the writer. */
	private void readInBetween() {
		this.readInBetween = true;
		LockEntry entry = this.instance.table().of(this.hold);
		if (entry != null && entry.ask((holds) -> holds.enter(this.hold, true))) {
			entry.release(new Release(this.hold, true, Release.Mode.AWAITED, this.instance.engine(), releaseFuture()));
		}
	}

	/** A nested reader that outlives the writer. */
	private void readOn() {
		LockEntry entry = this.instance.table().of(this.hold);
		if (entry != null && entry.ask((holds) -> holds.enter(this.hold, true))) {
			this.readsOn = true;
			entry.release(new Release(this.hold, false, Release.Mode.AWAITED, this.instance.engine(), releaseFuture()));
		}
		else {
			release();
		}
	}

	private void extend() {
		this.extension = new Extension(this.hold, this.plan.extension(), this.thread, this.instance.engine());
		this.extendedUntil = this.instance.engine().now() + this.plan.extension().toNanos();
		LockEntry entry = this.instance.table().of(this.hold);
		ModelViolation.unless(entry != null || this.hold.state() == Hold.State.LOST, "A hold keeps its entry", this);
		if (entry == null) {
			this.extensionSeen = true;
		}
		else {
			entry.tell((holds) -> holds.extend(this.extension));
		}
	}

	/** Whether it waits until its hold is extended. */
	boolean extending() {
		return this.extension != null && !this.extensionSeen;
	}

	/** Whether an extension is unanswered after its time, as nobody looks after it. */
	boolean extensionForgotten() {
		return extending() && this.extension.remaining(this.instance.engine().now()) < 0;
	}

	private void waitingSteps(List<ModelStep> steps) {
		if (!this.plan.async() && this.waiter.remaining(this.instance.engine().now()) <= 0 && !this.waiter.overdue()) {
			step(steps, "is overdue", ModelStep.Kind.NORMAL, () -> this.entry.overdue(this.waiter));
		}
		if (!this.cancelled) {
			step(steps, "is interrupted", ModelStep.Kind.FAULT, this::cancel);
		}
	}

	private void step(List<ModelStep> steps, String what, ModelStep.Kind kind, Runnable action) {
		steps.add(new ModelStep(this.name, what, "", kind, action));
	}

	private void join(ModelWorld world) {
		this.roundsLeft--;
		this.readsOn = false;
		this.readInBetween = false;
		this.place = this.instance.nextPlace();
		this.state = State.WAITING;
		this.cancelled = false;
		this.seen = null;
		this.told = 0;
		if (world.watched()) {
			this.thread.forgetWake();
		}
		this.refusable = world.rules().heldOrRefused(this.instance);
		this.answers = refusals() + world.rules().grants();
		this.waiter = createWaiter();
		if (!this.waiter.owner().nests()) {
			this.entry = this.instance.table().join(KEY, this.waiter);
			return;
		}
		LockEntry dropped = this.instance.dropped();
		ModelViolation.unless(dropped == null || !dropped.join(this.waiter), "A dropped entry lets nobody in", this);
		beginDirect(() -> {
			LockEntry joined = (LockEntry) this.instance.table().join(KEY, this.waiter);
			this.instance.found(joined);
			this.entry = joined;
		}, ((this.waiter instanceof ThreadWaiter own) ? own::runTasks : null));
	}

	/**
	 * Does what may leave a command to this caller. Its outcome may be known before the
	 * command ends, but it does nothing with it before.
	 */
	private void beginDirect(Runnable action, Runnable tasks) {
		if (!this.plan.direct()) {
			action.run();
			return;
		}
		this.tasks = tasks;
		this.direct = this.instance.direct(action);
		if (this.direct == null) {
			tasks.run();
		}
	}

	private void endDirect() {
		this.direct = null;
		this.instance.direct(this.tasks);
	}

	private int refusals() {
		return this.instance.allRequests().values().stream().mapToInt(ModelRequests::refusals).sum();
	}

	/** Schedules run on one thread; the waiters are those of several. */
	private Waiter createWaiter() {
		LockOptions options = LockOptions.NONE.withOnLost(OnLost.REPORT).withMinHold(this.plan.minHold());
		AcquireOptions wish = new AcquireOptions(LEASE, this.plan.sharing(),
				TimeUnit.MILLISECONDS.toNanos(this.plan.waitMillis()), this.name, options);
		long now = this.instance.engine().now();
		return this.plan.async() ? new AsyncWaiter(wish, now, (waiter, outcome) -> this.told++)
				: new ThreadWaiter(this.thread, wish, this.instance.engine().clock(), false);
	}

	private void cancel() {
		this.cancelled = true;
		ModelViolation.unless(this.entry.cancel(this.waiter), "Who waits can go away", this);
	}

	/**
	 * The first step of a release in {@link SingleLocks}; anything may happen before it
	 * goes on.
	 */
	private void leave() {
		Semaphore semaphore = this.instance.table().semaphore(KEY);
		if (semaphore != null) {
			semaphore.handOff(this.hold);
		}
		this.state = State.LEAVING;
	}

	private void release() {
		ModelViolation.unless(this.instance.table().of(this.hold) != null || this.hold.state() == Hold.State.LOST,
				"A hold keeps its entry", this);
		boolean believed = this.hold.isHeld();
		this.release = new Release(this.hold, this.readsOn || shared(), Release.Mode.AWAITED, this.instance.engine(),
				releaseFuture());
		beginDirect(() -> this.instance.table().release(KEY, this.hold.request(), this.release),
				this.release::runTasks);
		boolean lost = this.release.progress() == Release.Progress.LOST;
		ModelViolation.unless(!believed || !lost, "No hold is lost before its time", this);
		ModelViolation.unless(believed || lost, "A release reports a loss", this);
		ModelViolation.unless(!this.hold.isHeld(), "What was released is not held", this);
		long keptUntil = this.hold.acquiredNanos() + this.plan.minHold().toNanos();
		if (!lost && keptUntil - this.instance.engine().now() > 0) {
			this.kept = this.hold;
			this.keeping = this.release;
			this.keptInStore = keptUntil - this.hold.deadline() <= 0;
		}
		if (this.release.progress() == Release.Progress.SENT) {
			this.giveUp = this.instance.engine().now() + this.instance.engine().timeoutNanos();
			this.state = State.CONFIRMING;
		}
		else {
			this.state = State.IDLE;
		}
	}

	private ModelReleaseFuture releaseFuture() {
		RequestId request = this.hold.request();
		return new ModelReleaseFuture(request, () -> this.instance.requests(request).isForced(request));
	}

	/** Takes notice of what happened in the last step. */
	void observe(ModelWorld world) {
		if (this.state == State.WAITING) {
			observeOutcome(world);
		}
		observeExtension(world);
		if (hold() != null && this.hold.remaining() <= 0) {
			this.instance.requests(this.hold.request()).over(this.hold.request());
		}
		if (this.state == State.CONFIRMING && (this.release.done().toCompletableFuture().isDone()
				|| this.giveUp - this.instance.engine().now() <= 0)) {
			this.state = State.IDLE;
			this.release = null;
		}
	}

	private void observeOutcome(ModelWorld world) {
		Outcome outcome = this.waiter.outcome();
		if (outcome == null) {
			return;
		}
		this.seen = outcome;
		world.rules().ended(this, outcome);
		checkWoken(world);
		if (outcome instanceof Hold granted) {
			this.hold = granted;
			this.state = State.HOLDING;
			this.extension = null;
			this.extensionSeen = false;
			this.extendedUntil = 0;
		}
		else {
			this.state = State.IDLE;
		}
	}

	private void observeExtension(ModelWorld world) {
		if (!extending() || this.extension.outcome() == null) {
			return;
		}
		this.extensionSeen = true;
		if (this.extension.outcome() instanceof Hold) {
			world.rules().extended(this, this.hold, this.extendedUntil);
		}
		else if (this.extension.outcome() instanceof Outcome.Failed) {
			ModelViolation.unless(world.disturbed() || hold() == null || this.hold.state() == Hold.State.LOST,
					"Without faults an extension is granted", this);
		}
	}

	private void checkWoken(ModelWorld world) {
		if (this.plan.async()) {
			ModelViolation.unless(this.told == 1, "A waiter is notified of its outcome once",
					this + ", told " + this.told);
		}
		else if (!world.watched()) {
			this.thread.markDirty();
		}
		else if (!this.cancelled) {
			ModelViolation.unless(this.thread.wasWoken(), "Who has an outcome is woken", this);
		}
	}

	/** Tells all moments at which it will act by itself. */
	void moments(LongConsumer moments) {
		long now = this.instance.engine().now();
		if (this.direct != null) {
			moments.accept(this.direct.due(now));
		}
		else if (this.state == State.WAITING && !this.plan.async() && !this.waiter.overdue()) {
			moments.accept(now + this.waiter.remaining(now));
		}
		if (this.state == State.CONFIRMING) {
			moments.accept(this.giveUp);
		}
		if (hold() != null && this.hold.state() == Hold.State.HELD) {
			moments.accept(this.hold.deadline());
		}
	}

	/** The outcome, once it was seen, must stay as it is. */
	boolean unchanged() {
		return this.seen == null || (this.waiter.outcome() == this.seen && this.told <= 1);
	}

	ModelInstance instance() {
		return this.instance;
	}

	boolean done() {
		return this.state == State.IDLE && this.roundsLeft == 0 && !extending() && this.direct == null;
	}

	boolean waiting() {
		return this.state == State.WAITING;
	}

	boolean shared() {
		return this.plan.sharing() instanceof Sharing.Shared;
	}

	/** Whether it wants one of several permits. */
	boolean permitted() {
		return this.plan.sharing() instanceof Sharing.Permit;
	}

	int permits() {
		return (this.plan.sharing() instanceof Sharing.Permit permit) ? permit.of() : 0;
	}

	/** Whether it has begun to give back what it holds. */
	boolean leaving() {
		return this.state == State.LEAVING;
	}

	/** Until when what it has left is to stay taken, if it is. */
	boolean keepsAt(long now) {
		return this.kept != null && keptUntil() - now > 0;
	}

	private long keptUntil() {
		return this.kept.acquiredNanos() + this.plan.minHold().toNanos();
	}

	/** Whether the store is still to confirm that it keeps what this one has left. */
	boolean keeps() {
		return this.keeping != null && !this.keeping.done().toCompletableFuture().isDone();
	}

	/** What it has left, and what may stay taken. */
	Hold kept() {
		return this.kept;
	}

	/** Whether the lease was long enough for it when it left. */
	boolean keptInStore() {
		return this.keptInStore;
	}

	boolean patient() {
		return this.plan.waitMillis() == ModelPlan.PATIENT;
	}

	boolean cancelled() {
		return this.cancelled;
	}

	/** What it holds, believed in or not. */
	Hold hold() {
		return (this.state == State.HOLDING || this.state == State.LEAVING) ? this.hold : null;
	}

	/** When it came, compared to the others. */
	int place() {
		return this.place;
	}

	/** Whether anything told, since it came, that somebody else holds the lock. */
	boolean refusable(ModelRules rules) {
		return this.refusable || refusals() + rules.grants() > this.answers;
	}

	boolean timeIsOver() {
		return this.waiter.remaining(this.instance.engine().now()) <= 0;
	}

	/** Still without an outcome. */
	boolean unended() {
		return this.waiter.outcome() == null;
	}

	boolean neverJoined() {
		return this.waiter == null;
	}

	@Override
	public String toString() {
		return this.name + " " + this.state + ((this.waiter != null) ? " " + this.waiter.outcome() : "");
	}

	/** Where it stands. */
	private enum State {

		IDLE, WAITING, HOLDING, LEAVING, CONFIRMING

	}

}
