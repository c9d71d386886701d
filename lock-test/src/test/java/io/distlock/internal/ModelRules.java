package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.distlock.LossReason;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.key.LockEntry;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;

/** What must be true after every step. */
final class ModelRules {

	private final ModelWorld world;

	private long lastToken;

	private long lastTokenAlone;

	/** Of permits, which need not increase. */
	private final Set<Long> tokens = new HashSet<>();

	private int grants;

	private final List<ModelCaller> refused = new ArrayList<>();

	/**
	 * Holds that an operator has ended, and until when their leases would have lasted.
	 */
	private final Map<RequestId, Long> forced = new TreeMap<>(Comparator.comparing(RequestId::toString));

	/** The highest token that was reserved when that happened. */
	private long forcedToken;

	/** Requests that were granted alone, and whose owners only read since then. */
	ModelRules(ModelWorld world) {
		this.world = world;
	}

	long lastToken() {
		return this.lastToken;
	}

	/** What operators have ended, for the future. */
	List<Object> forced() {
		return List.of(List.copyOf(this.forced.values()), this.forcedToken);
	}

	/** An operator has ended all holds. */
	void forced(LockSnapshot seen, long now) {
		seen.holds().forEach((hold) -> this.forced.put(hold.request(), now + hold.remaining().toNanos()));
		this.forcedToken = seen.fencingToken();
	}

	private boolean isForced(Hold hold) {
		return hold != null
				&& (this.forced.containsKey(hold.request()) || this.forced.containsKey(hold.request().kept()));
	}

	/** Of those who had the lock alone. */
	long lastTokenAlone() {
		return this.lastTokenAlone;
	}

	int grants() {
		return this.grants;
	}

	/** Whether a process knows already that a newcomer may have to wait. */
	boolean heldOrRefused(ModelInstance instance) {
		return instance.allRequests().values().stream().anyMatch(ModelRequests::refused) || this.world.callers()
			.anyMatch((caller) -> caller.instance() == instance && (caller.hold() != null || caller.keeps()));
	}

	/** A caller's waiting ended. */
	void ended(ModelCaller caller, Outcome outcome) {
		ModelViolation.unless(caller.cancelled() == (outcome instanceof Outcome.Cancelled), "One outcome", caller);
		if (outcome instanceof Hold granted) {
			granted(caller, granted);
		}
		else if (caller.patient() && !caller.cancelled()) {
			ModelViolation.unless(this.world.disturbed(), "Without faults everybody gets the lock", caller);
		}
		if (outcome instanceof Outcome.Busy) {
			ModelViolation.unless(!caller.patient(), "Nobody is refused before the time is over", caller);
			this.refused.add(caller);
		}
	}

	private void granted(ModelCaller caller, Hold hold) {
		long now = caller.instance().engine().now();
		if (isForced(hold)) {
			// Passed on within its process, which does not know yet.
			ModelViolation.unless(hold.fencingToken() <= this.forcedToken,
					"What was released by force is passed on with old tokens", caller);
			this.grants++;
			return;
		}
		this.world.callers()
			.filter((other) -> other.keepsAt(now) && !isForced(other.kept()))
			.forEach((other) -> ModelViolation.unless(this.world.disturbed() && !other.keptInStore(),
					"A minimum hold is kept", caller + " after " + other));
		ModelViolation.unless(hold.fencingToken() > this.forcedToken, "Tokens rise after a release by force", caller);
		long earlier = caller.shared() ? this.lastTokenAlone : this.lastToken;
		boolean good = caller.permitted() ? this.tokens.add(hold.fencingToken()) : hold.fencingToken() > earlier;
		ModelViolation.unless(good, "Tokens increase", () -> caller + ": " + hold.fencingToken() + " after " + earlier);
		this.lastToken = Math.max(this.lastToken, hold.fencingToken());
		this.lastTokenAlone = caller.shared() ? earlier : hold.fencingToken();
		this.grants++;
		ModelViolation.unless(hold.isHeld(), "What is granted is held", caller);
		this.world.callers()
			.filter((other) -> other != caller && !caller.permitted() && other.instance() == caller.instance()
					&& other.waiting() && other.unended())
			.forEach((other) -> ModelViolation.unless(other.place() > caller.place(), "First come, first served",
					caller + " before " + other));
	}

	/** A caller's hold was extended. */
	void extended(ModelCaller caller, Hold hold, long until) {
		long now = caller.instance().engine().now();
		LockSnapshot snapshot = this.world.snapshot();
		boolean lasts = snapshot.holds()
			.stream()
			.filter((kept) -> kept.request().equals(hold.request()))
			.anyMatch((kept) -> kept.remaining().toNanos() >= until - now);
		ModelViolation.unless(hold.isHeld(), "What is extended is held", caller);
		ModelViolation.unless(lasts || isForced(hold), "An extended hold lasts in the store",
				() -> caller + ", " + snapshot);
	}

	/** The step is done and all callers took notice. */
	void check() {
		List<ModelCaller> believers = this.world.callers()
			.filter((caller) -> caller.hold() != null && caller.hold().isHeld() && !isForced(caller.hold()))
			.toList();
		this.world.callers()
			.filter((caller) -> isForced(caller.hold()) && caller.hold().isHeld())
			.forEach(this::checkForced);
		ModelViolation.unless(
				believers.size() <= 1 || believers.stream().allMatch(ModelCaller::shared)
						|| believers.size() <= believers.stream().mapToInt(ModelCaller::permits).max().orElse(0),
				"One holder at a time, or readers only, or permits", believers);
		believers.forEach(this::checkBelief);
		this.world.callers().forEach((caller) -> {
			ModelViolation.unless(caller.unchanged(), "One outcome", caller);
			ModelViolation.unless(!caller.extensionForgotten() || caller.instance().tickDue(),
					"An extension ends within the command timeout", caller);
			checkLoss(caller);
		});
		this.world.instances().forEach(this::checkEntry);
		this.refused.forEach((caller) -> ModelViolation.unless(caller.refusable(this),
				"A refused waiter saw the lock taken", caller));
		this.refused.clear();
	}

	/**
	 * It does not know yet, and believes for no longer than the lease would have lasted.
	 */
	private void checkForced(ModelCaller caller) {
		Hold hold = caller.hold();
		long until = caller.instance().engine().now() + hold.remaining();
		ModelViolation.unless(until - this.forced.get(hold.request()) < 0,
				"Belief in a hold that was released by force ends with its lease", caller);
	}

	/** Belief lies within the ownership of the store. */
	private void checkBelief(ModelCaller caller) {
		LockSnapshot snapshot = this.world.snapshot();
		Hold hold = caller.hold();
		Duration remaining = snapshot.holds()
			.stream()
			.filter((kept) -> kept.request().equals(hold.request()))
			.map(LockSnapshot.Hold::remaining)
			.findFirst()
			.orElse(null);
		boolean alone = snapshot.owner() != null;
		boolean fits = (caller.shared() || caller.permitted()) != alone;
		ModelViolation.unless(remaining != null && fits, "Who believes is the owner in the store",
				() -> caller + ", " + snapshot);
		ModelViolation.unless(Duration.ofNanos(hold.remaining()).compareTo(remaining) < 0,
				"Belief ends before the lease", () -> caller + ", " + snapshot);
		ModelViolation.unless(hold.fencingToken() <= snapshot.fencingToken(), "Tokens are reserved before use",
				() -> caller + ", " + snapshot);
	}

	private void checkLoss(ModelCaller caller) {
		Hold hold = caller.hold();
		if (hold != null && hold.state() == Hold.State.LOST) {
			ModelViolation.unless(hold.remaining() <= 0 || isForced(hold), "No hold is lost before its time", caller);
			LossReason why = hold.lostException().reason();
			boolean early = hold.remaining() > 0;
			ModelViolation.unless(isForced(hold) ? !early || why == LossReason.FORCED : why != LossReason.FORCED,
					"A loss has its own reason", caller);
			ModelViolation.unless(!hold.isHeld(), "What is lost is not held", caller);
		}
	}

	/** Each permit is a lock of its own, and as many are wanted as there are. */
	private void checkPermits(ModelInstance instance) {
		List<ModelCaller> holders = this.world.callers()
			.filter((caller) -> caller.instance() == instance && caller.hold() != null
					&& caller.hold().state() == Hold.State.HELD)
			.toList();
		long held = instance.table().all().stream().filter(LockEntry::held).count();
		ModelViolation.unless(holders.size() == held, "A permit has one caller", () -> holders + ", held " + held);
		instance.allRequests().forEach((name, requests) -> {
			LockEntry entry = instance.table().find(ModelCaller.KEY, RequestId.parse(name, 1));
			ModelViolation.unless(requests.idle() || (entry != null && !entry.vacant()), "What nobody wants is ended",
					name);
		});
		List<ModelCaller> waiting = this.world.callers()
			.filter((caller) -> caller.instance() == instance && caller.waiting() && caller.unended())
			.toList();
		long live = instance.allRequests().values().stream().filter((requests) -> !requests.idle()).count();
		int permits = waiting.stream().mapToInt(ModelCaller::permits).min().orElse(0);
		boolean unsettled = this.world.callers().anyMatch(ModelCaller::leaving)
				|| holders.stream().anyMatch((holder) -> holder.hold().remaining() <= 0);
		ModelViolation.unless(unsettled || live >= Math.min(permits, holders.size() + waiting.size()),
				"Who waits contends", () -> waiting + ", " + live);
	}

	/** The engine holds for exactly one caller, and does not contend meanwhile. */
	private void checkEntry(ModelInstance instance) {
		if (this.world.permits()) {
			checkPermits(instance);
			return;
		}
		LockEntry entry = instance.table().find(ModelCaller.KEY);
		List<ModelCaller> holders = this.world.callers()
			.filter((caller) -> caller.instance() == instance && caller.hold() != null
					&& caller.hold().state() == Hold.State.HELD)
			.toList();
		boolean held = entry != null && entry.held();
		boolean several = holders.size() > 1 && holders.stream().allMatch(ModelCaller::shared);
		ModelViolation.unless(several ? held : holders.size() == (held ? 1 : 0), "A hold has one caller, or readers",
				() -> holders + ", held " + held);
		boolean wanted = this.world.callers()
			.anyMatch((caller) -> caller.instance() == instance && caller.waiting() && caller.unended());
		boolean kept = this.world.callers().anyMatch((caller) -> caller.instance() == instance && caller.keeps());
		boolean idle = instance.allRequests().values().stream().allMatch(ModelRequests::idle);
		ModelViolation.unless(held || kept || wanted || idle, "What nobody wants is ended", instance.name());
		ModelViolation.unless(held || kept || !wanted || !idle, "Who waits contends", instance.name());
		if (held) {
			checkHeld(instance, holders);
		}
	}

	/**
	 * Only a writer that comes next, behind readers of its own process, contends: without
	 * that, readers of other processes would overtake it.
	 */
	private void checkHeld(ModelInstance instance, List<ModelCaller> holders) {
		boolean writerIsNext = holders.stream().allMatch(ModelCaller::shared) && this.world.callers()
			.filter((caller) -> caller.instance() == instance && caller.waiting() && caller.unended())
			.min(Comparator.comparingInt(ModelCaller::place))
			.filter((next) -> !next.shared())
			.isPresent();
		Set<RequestId> holding = holders.stream().map((holder) -> holder.hold().request()).collect(Collectors.toSet());
		long contending = instance.allRequests()
			.values()
			.stream()
			.filter((requests) -> holding.stream().noneMatch(requests::onlyLive))
			.count();
		ModelViolation.unless(contending == 0 || (contending == 1 && writerIsNext), "Who holds does not contend",
				holders);
		ModelViolation.unless(!writerIsNext || contending == 1,
				"A writer behind readers of its process is known to the store", holders);
	}

	/** Nothing can happen by itself, but callers still wait. */
	void checkStandstill() {
		List<ModelCaller> waiting = this.world.callers().filter(ModelCaller::waiting).toList();
		ModelViolation.unless(waiting.isEmpty() || this.world.lossy(), "Nobody waits for a free lock", waiting);
		waiting.forEach((caller) -> ModelViolation.unless(
				!caller.timeIsOver() || caller.instance().allRequests().values().stream().anyMatch(ModelRequests::owed),
				"Whose time is over is told", caller));
	}

	/** Nothing will ever happen again. */
	void checkEnd() {
		List<ModelCaller> stuck = this.world.callers().filter((caller) -> !caller.done()).toList();
		ModelViolation.unless(stuck.isEmpty(), "Nobody is forgotten", stuck);
		this.world.instances()
			.forEach((instance) -> ModelViolation.unless(instance.table().isEmpty(), "Nothing is left behind",
					instance.table().all()));
		LockSnapshot snapshot = this.world.snapshot();
		boolean held = snapshot.holds().stream().anyMatch((hold) -> !hold.request().isKept());
		ModelViolation.unless(!held && snapshot.waiters().isEmpty(), "Nothing is left behind in the store", snapshot);
	}

}
