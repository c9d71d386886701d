package io.distlock.benchmark.jmh;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.benchmark.peer.Metered;
import io.distlock.benchmark.peer.Traced;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What meters and traces cost when the store answers at once, and what is Micrometer's
 * share.
 */
@State(Scope.Thread)
public class MetersBenchmark {

	private static final LockRequest FREE = LockRequest.of("free").named("stock");

	private final MeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	private final Metered metered = new Metered(this.registry);

	private final CloseableLockTemplate plain = template(LockObserver.NONE);

	private final CloseableLockTemplate measured = template(this.metered.observer());

	private final Traced traces = new Traced();

	private final CloseableLockTemplate traced = template(this.traces.observer());

	private final Timer timer = Timer.builder("bare").register(this.registry);

	private static CloseableLockTemplate template(LockObserver observer) {
		return LockTemplateBuilder.forStore(new InMemoryLockStore()).observer(observer).build();
	}

	/** Registers the meters of the name. */
	@Setup
	public void acquireOnce() {
		this.measured.acquire(FREE).close();
	}

	/** Ends the templates. */
	@TearDown
	public void stop() {
		this.plain.close();
		this.measured.close();
		this.traced.close();
		this.traces.close();
		this.metered.close();
	}

	/**
	 * An uncontended pair that nothing observes.
	 * @return keeps the call alive
	 */
	@Benchmark
	public long metersOff() {
		try (LockHandle lock = this.plain.acquire(FREE)) {
			return lock.fencingToken();
		}
	}

	/**
	 * An uncontended pair with all meters.
	 * @return keeps the call alive
	 */
	@Benchmark
	public long metersOn() {
		try (LockHandle lock = this.measured.acquire(FREE)) {
			return lock.fencingToken();
		}
	}

	/**
	 * An uncontended pair with an observation and a span for the acquisition and the
	 * hold.
	 * @return keeps the call alive
	 */
	@Benchmark
	public long tracingOn() {
		try (LockHandle lock = this.traced.acquire(FREE)) {
			return lock.fencingToken();
		}
	}

	/** Micrometer alone: an amount of time in each of two timers. */
	@Benchmark
	public void twoTimers() {
		this.timer.record(Duration.ofNanos(1_000));
		this.timer.record(Duration.ofNanos(1_000));
	}

}
