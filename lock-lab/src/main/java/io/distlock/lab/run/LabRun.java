package io.distlock.lab.run;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** A run from its start to its verdict. Safe for use by several threads. */
public final class LabRun {

	private final String id;

	private final RunRequest request;

	private final Instant startedAt = Instant.now();

	private final RunFeed feed = new RunFeed();

	private volatile State state = State.STARTING;

	private volatile @Nullable Progress last;

	private volatile @Nullable Verdict verdict;

	private volatile @Nullable String problem;

	private volatile boolean stopping;

	LabRun(String id, RunRequest request) {
		this.id = id;
		this.request = request;
	}

	/**
	 * Names the run.
	 * @return its name
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Says what was asked for.
	 * @return the request
	 */
	public RunRequest request() {
		return this.request;
	}

	/**
	 * Returns all messages of the run.
	 * @return the messages
	 */
	public RunFeed feed() {
		return this.feed;
	}

	/**
	 * Returns the verdict on the run.
	 * @return {@code null} as long as it goes on, or if it failed
	 */
	public @Nullable Verdict verdict() {
		return this.verdict;
	}

	/**
	 * Describes the run.
	 * @param all whether with all that was measured
	 * @return a description
	 */
	public RunView view(boolean all) {
		return new RunView(this.id, this.request, this.state.name().toLowerCase(Locale.ROOT), this.startedAt,
				this.verdict, this.last, this.problem, all ? this.feed.all(Progress.class) : null,
				all ? this.feed.all(Sections.class).stream().flatMap((each) -> each.sections().stream()).toList()
						: null,
				all ? this.feed.all(FaultNote.class) : null, all ? this.feed.all(NodeNote.class) : null,
				all ? this.feed.all(StoryNote.class) : null, all ? this.feed.all(Overlap.class) : null,
				all ? this.feed.all(KeySample.class) : null, all ? this.feed.all(ScriptCall.class) : null);
	}

	/**
	 * Waits until the run is over.
	 * @throws InterruptedException if the thread was interrupted
	 */
	public void awaitEnd() throws InterruptedException {
		while (!this.feed.isClosed()) {
			this.feed.read(Integer.MAX_VALUE);
		}
	}

	boolean isOver() {
		return this.state != State.STARTING && this.state != State.RUNNING;
	}

	boolean isStopping() {
		return this.stopping;
	}

	/** Lets the run end as soon as possible. */
	void stop() {
		this.stopping = true;
	}

	void running() {
		this.state = State.RUNNING;
	}

	void progress(Progress progress) {
		this.last = progress;
		this.feed.add("progress", progress);
	}

	void sections(List<Section> sections, int skipped) {
		this.feed.add("sections", new Sections(sections, skipped));
	}

	void fault(FaultNote note) {
		this.feed.add("fault", note);
	}

	void story(StoryNote note) {
		this.feed.add("story", note);
	}

	void overlap(Overlap overlap) {
		this.feed.add("overlap", overlap);
	}

	void key(KeySample sample) {
		this.feed.add("key", sample);
	}

	void script(ScriptCall call) {
		this.feed.add("script", call);
	}

	void node(NodeNote note) {
		this.feed.add("node", note);
	}

	void end(Verdict result) {
		this.verdict = result;
		this.state = this.stopping ? State.STOPPED : State.ENDED;
		this.feed.add("verdict", result);
		this.feed.close();
	}

	void fail(String reason) {
		this.problem = reason;
		this.state = State.FAILED;
		this.feed.close();
	}

	/** Where a run is. */
	enum State {

		STARTING, RUNNING, ENDED, STOPPED, FAILED

	}

}
