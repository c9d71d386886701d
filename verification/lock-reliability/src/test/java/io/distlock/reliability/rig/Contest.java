package io.distlock.reliability.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import io.distlock.test.Pause;

/**
 * Templates that share nothing but a store, with threads that contend for two locks. Two
 * believers at once and a token out of order are violations.
 */
public final class Contest implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private static final int TEMPLATES = 4;

	private static final int THREADS = 2;

	private static final List<String> KEYS = List.of("stock:1", "stock:2");

	private final Map<String, Inside> sections = new ConcurrentHashMap<>();

	private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

	private final AtomicInteger grants = new AtomicInteger();

	private final AtomicInteger losses = new AtomicInteger();

	private final AtomicInteger refusals = new AtomicInteger();

	private final List<CloseableLockTemplate> templates = new ArrayList<>();

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean stopped;

	/**
	 * Begins it.
	 * @param stores makes the store of a template
	 * @param settings of the templates
	 */
	public Contest(Supplier<LockStore> stores, LockSettings settings) {
		for (int i = 0; i < TEMPLATES; i++) {
			CloseableLockTemplate template = LockTemplateBuilder.forStore(stores.get()).settings(settings).build();
			this.templates.add(template);
			for (int j = 0; j < THREADS; j++) {
				Thread thread = new Thread(() -> work(template), "contest-" + i + "-" + j);
				thread.setDaemon(true);
				this.threads.add(thread);
			}
		}
		this.threads.forEach(Thread::start);
	}

	private void work(CloseableLockTemplate template) {
		while (!this.stopped) {
			String key = KEYS.get(ThreadLocalRandom.current().nextInt(KEYS.size()));
			try (LockHandle handle = template.acquire(LockRequest.of(key).waitAtMost(Duration.ofSeconds(5)))) {
				Inside section = this.sections.computeIfAbsent(key, (first) -> new Inside());
				section.enter(handle);
				LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(2)));
				section.leave(handle);
				this.grants.incrementAndGet();
			}
			catch (LockLostException ex) {
				this.losses.incrementAndGet();
			}
			catch (LockBusyException | LockStoreException ex) {
				this.refusals.incrementAndGet();
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
			}
			catch (RuntimeException ex) {
				this.violations.add("Unexpected: " + ex);
			}
		}
	}

	/**
	 * Waits for acquisitions.
	 * @param least how many there have to be, from the beginning
	 * @return how many there have been
	 */
	public int await(int least) {
		if (!Pause.atMost(PATIENCE, () -> this.grants.get() >= least)) {
			throw new AssertionError(this + ", and no more");
		}
		return this.grants.get();
	}

	/** Returns a line for each violation. */
	public List<String> violations() {
		return List.copyOf(this.violations);
	}

	@Override
	public String toString() {
		return this.grants + " acquisitions, " + this.violations.size() + " violations, " + this.losses
				+ " losses reported, " + this.refusals + " refused or not answered in time";
	}

	@Override
	public void close() throws InterruptedException {
		this.stopped = true;
		for (Thread thread : this.threads) {
			thread.join(TimeUnit.SECONDS.toMillis(30));
			if (thread.isAlive()) {
				this.violations.add(thread.getName() + " is stuck");
			}
		}
		this.templates.forEach(CloseableLockTemplate::close);
	}

	/** What only one may be in. */
	private final class Inside {

		private final List<LockHandle> inside = new ArrayList<>();

		private long highest;

		synchronized void enter(LockHandle handle) {
			for (LockHandle other : this.inside) {
				// Asked in this order, so that both are true at the moment of the second.
				if (handle.isHeld() && other.isHeld()) {
					Contest.this.violations
						.add("Tokens " + other.fencingToken() + " and " + handle.fencingToken() + " are both held");
				}
			}
			if (handle.isHeld() && handle.fencingToken() <= this.highest) {
				Contest.this.violations.add("Token " + handle.fencingToken() + " came after " + this.highest);
			}
			this.highest = Math.max(this.highest, handle.fencingToken());
			this.inside.add(handle);
		}

		synchronized void leave(LockHandle handle) {
			this.inside.remove(handle);
		}

	}

}
