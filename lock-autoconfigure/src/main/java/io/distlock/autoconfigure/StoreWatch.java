package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Repeats the checks of stores that did not answer at the start, and of stores whose
 * server was replaced by another one. One thread serves all stores.
 */
public final class StoreWatch implements SmartLifecycle {

	/** Long enough to cost a server nothing, short beside the time to read a log line. */
	static final Duration PERIOD = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(StoreWatch.class);

	private final Supplier<Map<String, StoreCheck>> checks;

	private final Duration period;

	private volatile @Nullable ScheduledExecutorService thread;

	/**
	 * Creates a watch that was not started.
	 * @param checks the checks by id of their store; read at each turn
	 * @param period how often to look
	 */
	StoreWatch(Supplier<Map<String, StoreCheck>> checks, Duration period) {
		this.checks = checks;
		this.period = period;
	}

	/**
	 * Returns what was found in a store after the start and would have prevented it.
	 * @param id the id of the store
	 * @return one sentence for each problem, none if there is no such store
	 */
	public List<String> problems(String id) {
		StoreCheck check = this.checks.get().get(id);
		return (check != null) ? check.problems() : List.of();
	}

	private void look() {
		this.checks.get().forEach((id, check) -> {
			try {
				check.runAgain();
			}
			catch (Throwable ex) {
				// Any that is thrown further ends all turns.
				logger.debug("The check of store '{}' failed and is repeated", id, ex);
			}
		});
	}

	@Override
	public void start() {
		ScheduledExecutorService created = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread worker = new Thread(task, "distributed-lock-store-check");
			worker.setDaemon(true);
			return worker;
		});
		created.scheduleWithFixedDelay(this::look, this.period.toNanos(), this.period.toNanos(), TimeUnit.NANOSECONDS);
		this.thread = created;
	}

	@Override
	public void stop() {
		ScheduledExecutorService running = this.thread;
		this.thread = null;
		if (running != null) {
			running.shutdownNow();
		}
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

	/** Stops before the connections. */
	@Override
	public int getPhase() {
		return LifecycleLockTemplate.PHASE;
	}

}
