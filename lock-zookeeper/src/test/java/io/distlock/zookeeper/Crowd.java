package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.test.Pause;

/**
 * Threads that acquire the same few locks, and a judge of what they believe: two that
 * believe in the same lock at the same time are an overlap, and so is one that still
 * believes when a later one has begun. A token that is not above those known before its
 * acquisition began is an error.
 */
final class Crowd implements AutoCloseable {

	private static final Duration LONGEST_BODY = Duration.ofMillis(2);

	private final Map<String, Set<LockHandle>> inside = new ConcurrentHashMap<>();

	private final Map<String, AtomicLong> tokens = new ConcurrentHashMap<>();

	private final AtomicInteger acquisitions = new AtomicInteger();

	private final AtomicInteger overlaps = new AtomicInteger();

	private final AtomicInteger tokenErrors = new AtomicInteger();

	private final AtomicInteger losses = new AtomicInteger();

	private final List<Thread> threads = new ArrayList<>();

	private final Queue<Belief> beliefs = new ConcurrentLinkedQueue<>();

	private final int keys;

	private volatile boolean done;

	Crowd(List<CloseableLockTemplate> templates, int threadsEach, int keys) {
		this.keys = keys;
		for (CloseableLockTemplate template : templates) {
			for (int i = 0; i < threadsEach; i++) {
				Thread thread = new Thread(() -> run(template), "crowd");
				thread.setDaemon(true);
				this.threads.add(thread);
			}
		}
		this.threads.forEach(Thread::start);
	}

	private void run(CloseableLockTemplate template) {
		while (!this.done) {
			String key = "crowd:" + ThreadLocalRandom.current().nextInt(this.keys);
			long known = tokens(key).get();
			try (LockHandle handle = template.acquire(LockRequest.of(key).waitAtMost(Duration.ofSeconds(20)))) {
				judge(key, handle, known);
			}
			catch (LockLostException ex) {
				this.losses.incrementAndGet();
			}
			catch (LockException ex) {
				// Faults are expected; what counts is what was believed.
			}
		}
	}

	/** The highest token that is known. */
	private AtomicLong tokens(String key) {
		return this.tokens.computeIfAbsent(key, (absent) -> new AtomicLong());
	}

	private void judge(String key, LockHandle handle, long known) {
		Set<LockHandle> believers = this.inside.computeIfAbsent(key, (absent) -> ConcurrentHashMap.newKeySet());
		long first = System.nanoTime();
		long last = handle.isHeld() ? first : 0;
		believers.add(handle);
		try {
			for (LockHandle other : believers) {
				if (other != handle && other.isHeld() && handle.isHeld()) {
					this.overlaps.incrementAndGet();
				}
			}
			long token = handle.fencingToken();
			long highest = tokens(key).getAndAccumulate(token, Math::max);
			if (handle.isHeld() && token <= highest) {
				((token <= known) ? this.tokenErrors : this.overlaps).incrementAndGet();
			}
			// A body that takes its time.
			Pause.of(Duration.ofNanos(ThreadLocalRandom.current().nextLong(LONGEST_BODY.toNanos())));
			this.acquisitions.incrementAndGet();
			long before = System.nanoTime();
			last = (last != 0 && handle.isHeld()) ? before : last;
			if (last != 0) {
				this.beliefs.add(new Belief(key, token, first, last));
			}
		}
		finally {
			believers.remove(handle);
		}
	}

	/** For how long each holder has believed since the last call. */
	List<Belief> takeBeliefs() {
		List<Belief> taken = new ArrayList<>();
		for (Belief belief = this.beliefs.poll(); belief != null; belief = this.beliefs.poll()) {
			taken.add(belief);
		}
		return taken;
	}

	int acquisitions() {
		return this.acquisitions.get();
	}

	int overlaps() {
		return this.overlaps.get();
	}

	int tokenErrors() {
		return this.tokenErrors.get();
	}

	/** How many holders learned when they released the lock that they had lost it. */
	int losses() {
		return this.losses.get();
	}

	@Override
	public void close() throws InterruptedException {
		this.done = true;
		for (Thread thread : this.threads) {
			thread.join(60_000);
		}
	}

	/**
	 * Somebody believed in a lock at two moments, and between them.
	 *
	 * @param key the lock
	 * @param token its fencing token
	 * @param first the first moment, in nanoseconds of this machine
	 * @param last the last moment
	 */
	record Belief(String key, long token, long first, long last) {

		private static final String MARK = "belief ";

		/** What another process has printed. */
		static List<Belief> in(List<String> lines) {
			return lines.stream()
				.filter((line) -> line.startsWith(MARK) && line.split(" ").length == 5)
				.map((line) -> line.split(" "))
				.map((parts) -> new Belief(parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]),
						Long.parseLong(parts[4])))
				.toList();
		}

		String line() {
			return MARK + this.key + " " + this.token + " " + this.first + " " + this.last;
		}

		/**
		 * Whether both believed at the same time, or in another order than their tokens.
		 */
		boolean contradicts(Belief other) {
			boolean before = this.last < other.first && this.token < other.token;
			boolean after = other.last < this.first && other.token < this.token;
			return this.key.equals(other.key) && !before && !after;
		}

	}

}
