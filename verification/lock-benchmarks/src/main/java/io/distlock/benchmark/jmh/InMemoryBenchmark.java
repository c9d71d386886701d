package io.distlock.benchmark.jmh;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the engine costs when the store answers at once. */
@State(Scope.Thread)
public class InMemoryBenchmark {

	private static final LockRequest FREE = LockRequest.of("free");

	private static final LockRequest OWN = LockRequest.of("own");

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore()).build();

	/** Holds the lock that is acquired again. */
	@Setup
	public void hold() {
		this.template.acquire(OWN);
	}

	/** Ends the template. */
	@TearDown
	public void stop() {
		this.template.close();
	}

	/**
	 * A lock that nobody else wants.
	 * @return keeps the call alive
	 */
	@Benchmark
	public long uncontended() {
		try (LockHandle lock = this.template.acquire(FREE)) {
			return lock.fencingToken();
		}
	}

	/**
	 * A lock that this thread holds already.
	 * @return keeps the call alive
	 */
	@Benchmark
	public long reentry() {
		try (LockHandle lock = this.template.acquire(OWN)) {
			return lock.fencingToken();
		}
	}

}
