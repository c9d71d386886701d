package io.distlock.reliability.rig;

import io.distlock.test.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.spi.Sharing;

/**
 * A thread of a worker. It writes down when it began to believe in a lock and until when
 * it certainly did; what it cannot be sure of it leaves out, so that an overlap of two
 * beliefs is never the journal's own making.
 */
final class Contestant implements Runnable {

	/** Shares of the lease that must be left before the unfenced write. */
	private static final int GUARD = 4;

	/** One of so many writes where most read. */
	private static final int WRITERS = 4;

	private final int worker;

	private final int thread;

	private final Board board;

	private final Journal journal;

	private final LockTemplate locks;

	private final Duration lease;

	private final boolean fixed;

	private final boolean abandons;

	private final BooleanSupplier ending;

	private long sections;

	Contestant(int worker, int thread, WorkerOptions options, Board board, Journal journal, LockTemplate locks,
			BooleanSupplier ending) {
		this.worker = worker;
		this.thread = thread;
		this.board = board;
		this.journal = journal;
		this.locks = locks;
		this.lease = options.millis("lease");
		this.fixed = options.flag("fixed");
		this.abandons = Boolean.parseBoolean(options.text("abandons", "false"));
		this.ending = ending;
	}

	@Override
	public void run() {
		while (!this.ending.getAsBoolean()) {
			Thread.interrupted();
			// Said before it looks whether it may work: nobody finds it idle in between.
			this.board.add(this.worker, Board.Fact.AT_WORK, 1);
			try {
				if (mayWork() && !once()) {
					return;
				}
			}
			finally {
				this.board.add(this.worker, Board.Fact.AT_WORK, -1);
			}
			Pause.atMost(Duration.ofNanos(mayWork() ? this.board.get(Board.Order.REST_NANOS) : 1_000_000), () -> false);
		}
	}

	private boolean mayWork() {
		return this.board.get(this.worker, Board.Fact.TASK) != 1;
	}

	private boolean once() {
		int key = (int) (this.board.get(Board.Order.FIRST_KEY)
				+ ThreadLocalRandom.current().nextLong(Math.max(1, this.board.get(Board.Order.KEYS))));
		long asked = System.nanoTime();
		this.board.add(this.worker, Board.Fact.WAITING, 1);
		LockRequest request = request(key);
		Optional<LockHandle> lock;
		try {
			lock = this.locks.tryAcquire(request);
		}
		catch (LockInterruptedException ex) {
			return true;
		}
		catch (LockException ex) {
			failed(key, asked, ex);
			return true;
		}
		finally {
			this.board.add(this.worker, Board.Fact.WAITING, -1);
		}
		if (lock.isEmpty()) {
			this.board.add(this.worker, Board.Fact.BUSY, 1);
			return true;
		}
		section(request, key, asked, lock.get());
		return !this.abandons;
	}

	private LockRequest request(int key) {
		long wait = this.board.get(Board.Order.WAIT_MILLIS);
		LockRequest request = LockRequest.of("k" + key)
			.waitAtMost(Duration.ofMillis((wait >= 0) ? wait : ThreadLocalRandom.current().nextLong(-wait + 1)));
		long permits = this.board.get(Board.Order.PERMITS);
		if (permits > 0 && key % 2 == 1) {
			request = request.permits((int) permits);
		}
		else if (permits > 0 && ThreadLocalRandom.current().nextInt(WRITERS) != 0) {
			request = request.mode(LockMode.SHARED);
		}
		return this.fixed ? request.leaseFor(this.lease) : request;
	}

	private void failed(int key, long asked, LockException ex) {
		this.board.add(this.worker, Board.Fact.ERRORS, 1);
		if (ex.getMessage().contains("NOSCRIPT")) {
			this.board.add(this.worker, Board.Fact.UNKNOWN_SCRIPTS, 1);
		}
		this.journal.write('X', this.worker, this.thread, key, asked, System.nanoTime(), ex.getClass().getSimpleName());
		Pause.atMost(Duration.ofMillis(5), this.ending);
	}

	private void section(LockRequest request, int key, long asked, LockHandle lock) {
		Sharing sharing = Sharing.of(request);
		String id = this.thread + "." + this.sections++;
		Belief belief = new Belief(lock);
		long token = lock.fencingToken();
		AtomicLong lostAt = new AtomicLong(Long.MAX_VALUE);
		this.journal.write('G', this.worker, id, key, token, asked, belief.start, belief.until, Grant.word(sharing));
		lock.onLost((lost) -> {
			lostAt.set(System.nanoTime());
			this.journal.write('L', this.worker, id, lostAt.get());
		});
		this.board.add(this.worker, Board.Fact.INSIDE, 1);
		boolean refused = !reach(key, token, sharing) && lock.isHeld();
		this.board.enter(key, this.worker);
		long read = this.board.counter(key);
		work(key, belief);
		boolean counted = sharing instanceof Sharing.Exclusive
				&& lock.remaining().compareTo(this.lease.dividedBy(GUARD)) > 0;
		if (counted) {
			this.board.counter(key, read + 1);
		}
		boolean fenced = reach(key, token, sharing);
		refused |= !fenced && lock.isHeld();
		this.board.leave(key, this.worker);
		this.board.add(this.worker, Board.Fact.INSIDE, -1);
		boolean held = belief.look();
		long end = System.nanoTime();
		long until = Math.min(lostAt.get(), Math.min(belief.until, held ? belief.lookedAt : end));
		this.journal.write('E', this.worker, id, end, until, counted, fenced, refused, held);
		this.board.add(this.worker, Board.Fact.SECTIONS, 1);
		if (!this.abandons) {
			close(id, lock);
		}
	}

	private void work(int key, Belief belief) {
		long nanos = this.board.get(Board.Order.SECTION_NANOS);
		Pause.atMost(Duration.ofNanos(nanos), () -> {
			belief.look();
			return false;
		});
		if (staysOn()) {
			this.board.stay(key, this.worker);
			while (staysOn()) {
				Pause.atMost(Duration.ofNanos(1_000_000), () -> false);
				belief.look();
			}
			this.board.stayNoMore(key, this.worker);
		}
	}

	private boolean staysOn() {
		return this.board.get(this.worker, Board.Fact.STAY) != 0 && !this.ending.getAsBoolean();
	}

	/** Readers read, and permits guard nothing. */
	private boolean reach(int key, long token, Sharing sharing) {
		return sharing instanceof Sharing.Exclusive ? this.board.write(key, token)
				: !(sharing instanceof Sharing.Shared) || this.board.read(key, token);
	}

	private void close(String id, LockHandle lock) {
		long begun = System.nanoTime();
		boolean told = false;
		boolean forgotten = false;
		try {
			lock.close();
		}
		catch (LockLostException ex) {
			told = true;
			forgotten = ex.getMessage().contains("the store no longer knew");
		}
		this.journal.write('C', this.worker, id, begun, System.nanoTime(), told, forgotten);
	}

	/** Until when the lock was certainly believed in: looked at before it is asked. */
	private static final class Belief {

		private final LockHandle lock;

		private final long start;

		private long until;

		private long lookedAt;

		Belief(LockHandle lock) {
			this.lock = lock;
			this.start = System.nanoTime();
			this.until = this.start;
			look();
		}

		boolean look() {
			this.lookedAt = System.nanoTime();
			long left = this.lock.remaining().toNanos();
			if (left > 0) {
				this.until = this.lookedAt + left;
			}
			return left > 0;
		}

	}

}
