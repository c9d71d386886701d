package io.distlock.benchmark.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.distlock.benchmark.peer.Implementation;

/**
 * Which implementations failed in which part. A failure costs an implementation the rest
 * of the part and the run its success, but the others none of their samples.
 */
public final class Failures {

	private final List<RuntimeException> causes = new ArrayList<>();

	private final Set<Participation> failed = new HashSet<>();

	private final Consumer<String> news;

	/**
	 * Creates a list without failures.
	 * @param news is notified of each failure as it happens
	 */
	public Failures(Consumer<String> news) {
		this.news = news;
	}

	/** Runs a measurement, and remembers if it fails. */
	void attempt(String part, Implementation implementation, Runnable measurement) {
		Participation participation = new Participation(part, implementation);
		if (this.failed.contains(participation)) {
			return;
		}
		try {
			measurement.run();
		}
		catch (RuntimeException ex) {
			this.failed.add(participation);
			this.causes.add(ex);
			this.news.accept(part + ", " + implementation.label() + ": " + ex);
		}
	}

	/**
	 * Ends a run.
	 * @throws IllegalStateException if anything failed
	 */
	public void rethrow() {
		if (!this.causes.isEmpty()) {
			IllegalStateException failure = new IllegalStateException(
					this.causes.size() + " of the measurements failed, the first: " + this.causes.get(0).getMessage());
			this.causes.forEach(failure::addSuppressed);
			throw failure;
		}
	}

	/** An implementation in one part. */
	private record Participation(String part, Implementation implementation) {
	}

}
