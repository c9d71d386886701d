package io.distlock.records;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All pipelines of a started store, by lock. */
final class RecordPipelines {

	private final Map<String, RecordPipeline> pipelines = new ConcurrentHashMap<>();

	private final PipelineContext context;

	private volatile boolean stopped;

	RecordPipelines(PipelineContext context) {
		this.context = context;
	}

	/** Executes a command after those of the same lock that came before. */
	void submit(String key, RecordCommand<?> command) {
		RecordPipeline[] idle = new RecordPipeline[1];
		this.pipelines.compute(key, (same, known) -> {
			RecordPipeline pipeline = (known != null) ? known : new RecordPipeline(this, this.context, same);
			idle[0] = pipeline.add(command) ? pipeline : null;
			return pipeline;
		});
		if (idle[0] != null) {
			idle[0].begin(command);
		}
	}

	/**
	 * Reads a lock. If a write of this process may still be executed, the record is
	 * written too, so that the late one loses.
	 */
	void read(String key) {
		if (!this.stopped) {
			submit(key,
					new RecordCommand<>(RecordCommand.Kind.LOOK, this.context.deadline(), (state, time) -> () -> true));
		}
	}

	/** Reads a lock anew if this process remembers it: another one has changed it. */
	void refresh(String key) {
		if (this.pipelines.containsKey(key)) {
			read(key);
		}
	}

	/** Supersedes no uncertain writes any more: what they take ends with its lease. */
	void stop() {
		this.stopped = true;
	}

	/** Nothing is to be done for a lock at the moment. */
	void idle(String key) {
		this.pipelines.computeIfPresent(key, (same, pipeline) -> pipeline.isForgettable() ? null : pipeline);
	}

	/** What all pipelines share. */
	PipelineContext context() {
		return this.context;
	}

	/** How many locks are remembered. */
	int size() {
		return this.pipelines.size();
	}

}
