package io.distlock.records;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps all pipelines of a started store, by lock. */
final class RecordPipelines {

	private final Map<String, RecordPipeline> pipelines = new ConcurrentHashMap<>();

	private final PipelineContext context;

	private final Sweep sweep;

	private volatile boolean stopped;

	RecordPipelines(PipelineContext context) {
		this.context = context;
		this.sweep = new Sweep(context.scheduler(), this::sweep);
	}

	/** Executes a command after the earlier commands of the same lock. */
	void submit(String key, RecordCommand<?> command) {
		// Within the map, so that the pipeline is not forgotten in between.
		RecordPipeline pipeline = this.pipelines.compute(key, (same, known) -> {
			RecordPipeline asked = (known != null) ? known : new RecordPipeline(this, this.context, same);
			asked.add(command);
			return asked;
		});
		pipeline.begin(command);
	}

	/**
	 * Reads a lock. If a write of this process may still be executed, this method also
	 * writes the record, so that the late write loses.
	 */
	void read(String key) {
		if (!this.stopped) {
			submit(key,
					new RecordCommand<>(RecordCommand.Kind.LOOK, this.context.deadline(), (state, time) -> () -> true));
		}
	}

	/** Reads a remembered lock again, because another process has changed it. */
	void refresh(String key) {
		if (this.pipelines.containsKey(key)) {
			read(key);
		}
	}

	/**
	 * Stops superseding uncertain writes. A lock that such a write takes ends with its
	 * lease.
	 */
	void stop() {
		this.stopped = true;
	}

	/** Called when a lock has no pending commands. */
	void idle(String key) {
		this.pipelines.computeIfPresent(key, (same, pipeline) -> pipeline.isForgettable() ? null : pipeline);
		if (this.pipelines.containsKey(key)) {
			this.sweep.plan();
		}
	}

	/**
	 * Forgets the locks that no command has used for a while. The next command reads
	 * their records again.
	 * @return whether any lock is still remembered
	 */
	private boolean sweep() {
		if (this.stopped) {
			return false;
		}
		this.pipelines.keySet()
			.forEach((key) -> this.pipelines.computeIfPresent(key,
					(same, pipeline) -> pipeline.isForgettableSoon() ? null : pipeline));
		return !this.pipelines.isEmpty();
	}

	/** Returns what all pipelines share. */
	PipelineContext context() {
		return this.context;
	}

	/** Returns the number of remembered locks. */
	int size() {
		return this.pipelines.size();
	}

}
