package io.distlock.lab.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs strategies, one at a time, and remembers the last runs. Processes and servers are
 * started with the first run. Safe for use by several threads.
 */
public final class Lab implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Lab.class);

	private static final int REMEMBERED = 200;

	private static final int WITH_MESSAGES = 20;

	private final NodePool pool;

	private final Deque<LabRun> runs = new ArrayDeque<>();

	private int numbers;

	/**
	 * Creates a lab that has started nothing.
	 * @param application the class whose {@code main} method is a node
	 */
	public Lab(Class<?> application) {
		this.pool = new NodePool(application);
	}

	/**
	 * Starts a run.
	 * @param request a request without problems
	 * @return empty if another run goes on
	 */
	public synchronized Optional<LabRun> start(RunRequest request) {
		return start("run-" + (this.numbers + 1), request);
	}

	/**
	 * Starts a run that gets a name.
	 * @param id its name
	 * @param request a request without problems
	 * @return empty if another run goes on
	 */
	public synchronized Optional<LabRun> start(String id, RunRequest request) {
		if (!this.runs.isEmpty() && !this.runs.getFirst().isOver()) {
			return Optional.empty();
		}
		this.numbers++;
		LabRun run = new LabRun(id, request);
		this.runs.addFirst(run);
		if (this.runs.size() > REMEMBERED) {
			this.runs.removeLast();
		}
		this.runs.stream().skip(WITH_MESSAGES).forEach((old) -> old.feed().clear());
		Thread thread = new Thread(() -> direct(run), "lab " + run.id());
		thread.setDaemon(true);
		thread.start();
		return Optional.of(run);
	}

	/**
	 * Forgets a run that is over.
	 * @param run the run
	 */
	public synchronized void forget(LabRun run) {
		this.runs.remove(run);
	}

	private void direct(LabRun run) {
		RunRequest request = run.request();
		Step step = Staircase.find(request.strategy()).orElseThrow();
		Fault fault = Fault.find(request.fault()).orElseThrow();
		try (RunServers servers = new RunServers(step, fault, request.items())) {
			List<NodeLink> nodes = this.pool.take(request.nodes());
			try {
				Verdict verdict = new Director(run, step, fault, nodes, servers).direct();
				nodes.forEach(this.pool::giveBack);
				run.end(verdict);
			}
			catch (InterruptedException | RuntimeException | Error ex) {
				nodes.forEach(NodeLink::close);
				throw ex;
			}
		}
		catch (Throwable ex) {
			// Whatever happened, this run is over, or no other could ever begin.
			logger.warn("Run {} of the lab failed: {}", run.id(), request, ex);
			run.fail(String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Lists the runs.
	 * @return newest first
	 */
	public synchronized List<LabRun> runs() {
		return new ArrayList<>(this.runs);
	}

	/**
	 * Finds a run.
	 * @param id its name
	 * @return empty if it is not remembered
	 */
	public synchronized Optional<LabRun> find(String id) {
		return this.runs.stream().filter((run) -> run.id().equals(id)).findFirst();
	}

	/**
	 * Ends a run soon. Does nothing if it is over.
	 * @param run the run
	 */
	public void stop(LabRun run) {
		run.stop();
	}

	/** Ends the run that goes on, and all processes. */
	@Override
	public void close() {
		runs().forEach(LabRun::stop);
		this.pool.close();
	}

}
