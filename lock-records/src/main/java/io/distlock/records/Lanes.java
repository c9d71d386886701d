package io.distlock.records;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All lanes of a started store, by lock. */
final class Lanes {

	private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

	private final LaneContext context;

	private volatile boolean stopped;

	Lanes(LaneContext context) {
		this.context = context;
	}

	/** Executes a command after those of the same lock that came before. */
	void submit(String key, LaneJob<?> job) {
		Lane[] idle = new Lane[1];
		this.lanes.compute(key, (same, known) -> {
			Lane lane = (known != null) ? known : new Lane(this, this.context, same);
			idle[0] = lane.add(job) ? lane : null;
			return lane;
		});
		if (idle[0] != null) {
			idle[0].begin(job);
		}
	}

	/** Makes sure of a write that may still be executed, by one that wins. */
	void settle(String key) {
		if (!this.stopped) {
			submit(key, new LaneJob<>(LaneJob.Kind.LOOK, this.context.deadline(), (state, moment) -> () -> true));
		}
	}

	/** Reads a lock anew if this process remembers it: another one has changed it. */
	void refresh(String key) {
		if (this.lanes.containsKey(key)) {
			settle(key);
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
