package io.distlock.records;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** All lanes of a started store, by lock. */
final class Lanes {

	private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

	private final LaneContext context;

	private final GatheredLanes gathered;

	private volatile boolean stopped;

	Lanes(LaneContext context) {
		this.context = context;
		this.gathered = new GatheredLanes(context.records(), context.scheduler(), context.clock(),
				context.settings().guard());
	}

	/** Executes a command after those of the same lock that came before. */
	void submit(String key, LaneJob<?> job) {
		added(key, (lane) -> lane.add(job)).ifPresent((lane) -> lane.begin(job));
	}

	/** Executes a command that may wait a little for those of other locks. */
	void submitTogether(String key, LaneJob<?> job) {
		added(key, (lane) -> lane.addPatient(job)).ifPresent(this::gather);
	}

	/** The lane to which a command was added, unless it is somebody's turn already. */
	private Optional<Lane> added(String key, Predicate<Lane> command) {
		Lane[] added = new Lane[1];
		this.lanes.compute(key, (same, known) -> {
			Lane lane = (known != null) ? known : new Lane(this, this.context, same);
			added[0] = command.test(lane) ? lane : null;
			return lane;
		});
		return Optional.ofNullable(added[0]);
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
			submit(key, new LaneJob<>(LaneJob.Kind.LOOK, this.context.deadline(), (state, moment) -> () -> true));
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

	/** What all lanes share. */
	LaneContext context() {
		return this.context;
	}

	/** How many locks are remembered. */
	int size() {
		return this.lanes.size();
	}

}
