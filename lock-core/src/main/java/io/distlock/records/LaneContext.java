package io.distlock.records;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.distlock.internal.state.StateRules;

/** All lanes of a started store, and what they share. */
final class LaneContext {

	private static final int PROMPT_PART = 10;

	private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

	private final LockRecords records;

	private final StateRules rules;

	private final String engine;

	private final Scheduler scheduler;

	private final EndedRequests ended;

	private final LongSupplier nanoTime;

	private final DoubleSupplier random;

	private final GuardCheck guards;

	private final RecordSettings settings;

	private final GatheredLanes gathered;

	private volatile boolean stopped;

	LaneContext(LockRecords records, StateRules rules, String engine, Scheduler scheduler, EndedRequests ended,
			LongSupplier nanoTime, DoubleSupplier random, RecordSettings settings) {
		this.records = records;
		this.rules = rules;
		this.engine = engine;
		this.scheduler = scheduler;
		this.ended = ended;
		this.nanoTime = nanoTime;
		this.random = random;
		this.guards = new GuardCheck(records, rules);
		this.settings = settings;
		this.gathered = new GatheredLanes(records, scheduler, nanoTime, settings.guard());
	}

	/** Executes a command after those of the same lock that came before. */
	void submit(String key, LaneJob<?> job) {
		Lane[] toRun = new Lane[1];
		this.lanes.compute(key, (same, known) -> {
			Lane lane = (known != null) ? known : new Lane(this, same);
			toRun[0] = lane.add(job) ? lane : null;
			return lane;
		});
		if (toRun[0] != null) {
			toRun[0].begin(job);
		}
	}

	/** Executes a command that may wait a little for those of other locks. */
	void submitTogether(String key, LaneJob<?> job) {
		Lane[] toGather = new Lane[1];
		this.lanes.compute(key, (same, known) -> {
			Lane lane = (known != null) ? known : new Lane(this, same);
			toGather[0] = lane.addPatient(job) ? lane : null;
			return lane;
		});
		if (toGather[0] != null) {
			gather(toGather[0]);
		}
	}

	/** A message has brought a record along. */
	void learn(String key, LockRecords.Seen left) {
		this.lanes.computeIfPresent(key, (same, lane) -> {
			lane.learn(left);
			return lane;
		});
	}

	/** Runs a lane soon, together with others. */
	void gather(Lane lane) {
		this.gathered.add(lane);
	}

	/** Makes sure of a write that may still be executed, by one that wins. */
	void settle(String key) {
		if (!this.stopped) {
			submit(key, new LaneJob<>(LaneJob.Kind.LOOK, nanoTime() + this.settings.commandTimeout().toNanos(),
					(state, moment) -> () -> true));
		}
	}

	/** Nobody asks any more; what is uncertain is left to the ends of leases. */
	void stop() {
		this.stopped = true;
	}

	/** Nothing is to be done for a lock at the moment. */
	void idle(String key) {
		this.lanes.computeIfPresent(key, (same, lane) -> lane.isForgettable() ? null : lane);
	}

	LockRecords records() {
		return this.records;
	}

	StateRules rules() {
		return this.rules;
	}

	String engine() {
		return this.engine;
	}

	Scheduler scheduler() {
		return this.scheduler;
	}

	EndedRequests ended() {
		return this.ended;
	}

	GuardCheck guards() {
		return this.guards;
	}

	DoubleSupplier random() {
		return this.random;
	}

	long nanoTime() {
		return this.nanoTime.getAsLong();
	}

	/** Whether the place's clock ends holds, so that changes have a window. */
	boolean isTimed() {
		return this.rules.ends() == StateRules.Ends.BY_CLOCK;
	}

	long guardMillis() {
		return this.settings.guard().toMillis();
	}

	/** An answer within this time leaves a caller the time for another one. */
	long promptNanos() {
		return this.settings.commandTimeout().toNanos() / PROMPT_PART;
	}

	/** How many locks are remembered. */
	int size() {
		return this.lanes.size();
	}

}
