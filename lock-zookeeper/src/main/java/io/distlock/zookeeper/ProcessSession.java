package io.distlock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.spi.StoreSession;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * A session of this process, and its ephemeral znode. Each write of this process writes
 * the znode in the same transaction, so that no write of a dead process is executed. The
 * write of the znode is also the heartbeat. Its answer has the leader's clock and the
 * token floor.
 */
final class ProcessSession implements StoreSession {

	/**
	 * The number of tokens of one transaction. A grant of an awaited lock reserves more
	 * tokens, up to 1,024. The znode of such a lock then outlives its release until as
	 * many transactions have passed. This number must not grow, because tokens would fall
	 * while processes with different numbers run together.
	 */
	private static final long TOKENS_OF_TRANSACTION = 64;

	private final AtomicLong lastTransaction = new AtomicLong();

	private final ZooKeeper session;

	private final Calls calls;

	private final String name;

	private final String path;

	private final SessionBelief belief;

	private volatile Ahead clock = new Ahead(0);

	private volatile boolean ended;

	/**
	 * Creates a session whose znodes do not exist yet.
	 * @param session the session
	 * @param name the name, never used before
	 * @param path the znode of the session
	 * @param before a moment before the beginning of the session, in nanoseconds
	 */
	ProcessSession(ZooKeeper session, String name, String path, long before) {
		this.session = session;
		this.calls = new Calls(session);
		this.name = name;
		this.path = path;
		this.belief = new SessionBelief(before);
	}

	/**
	 * Returns the token floor, a number that grows with each transaction of the ensemble.
	 */
	static long tokenFloor(long zxid) {
		return zxid * TOKENS_OF_TRANSACTION;
	}

	String name() {
		return this.name;
	}

	Calls calls() {
		return this.calls;
	}

	boolean isOf(ZooKeeper other) {
		return this.session == other && !this.ended;
	}

	boolean isOver() {
		return this.ended;
	}

	/** Returns the timeout of the session, in nanoseconds. */
	long timeoutNanos() {
		return TimeUnit.MILLISECONDS.toNanos(this.calls.timeoutMillis());
	}

	@Override
	public long sureUntil() {
		return this.belief.until();
	}

	/** Returns how long this session certainly still lasts, in nanoseconds. */
	long remainingNanos() {
		return this.belief.remaining(System.nanoTime());
	}

	/**
	 * Returns the leader's clock, in milliseconds since 1970. Only holds that are kept
	 * after their release depend on it.
	 */
	long now() {
		return TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) + this.clock.millis();
	}

	/**
	 * Returns the present moment, for changes of this process.
	 * @param processes knows which other incarnations are over
	 */
	StoreTime time(LiveProcesses processes) {
		return new StoreTime(now(), 0, this.name, processes::isGone);
	}

	/**
	 * Returns whether the tokens of each later transaction are higher than this token.
	 */
	boolean isPassed(long token) {
		return token < tokenFloor(this.lastTransaction.get() + 1);
	}

	/**
	 * Notes a transaction. Each write that is sent from now on belongs to a later
	 * transaction.
	 */
	void saw(long transaction) {
		this.lastTransaction.accumulateAndGet(transaction, Math::max);
	}

	/** Writes only the heartbeat. */
	CompletionStage<Calls.Together> beat() {
		return write(List.of());
	}

	/** Executes operations in one transaction with the heartbeat, all or none. */
	CompletionStage<Calls.Together> write(List<Op> operations) {
		List<Op> all = new ArrayList<>(operations.size() + 1);
		all.add(Op.setData(this.path, new byte[0], -1));
		all.addAll(operations);
		return send(all, 0);
	}

	/** Creates the znodes of this session. */
	CompletionStage<Calls.Together> begin(List<Op> creations) {
		List<Op> all = new ArrayList<>(creations);
		all.add(Op.setData(this.path, new byte[0], -1));
		return send(all, creations.size());
	}

	private CompletionStage<Calls.Together> send(List<Op> operations, int beat) {
		long sent = System.nanoTime();
		return this.calls.together(operations).thenApply((answer) -> {
			if (answer instanceof Calls.Together.Done done) {
				committed(sent, statOf(done.results().get(beat)));
			}
			return answer;
		});
	}

	private void committed(long sent, Stat beat) {
		long answered = System.nanoTime();
		this.belief.committed(sent, answered, timeoutNanos());
		saw(beat.getMzxid());
		this.clock = this.clock.adjusted(beat.getMtime(), TimeUnit.NANOSECONDS.toMillis(sent),
				TimeUnit.NANOSECONDS.toMillis(answered));
	}

	/** Returns the stat of the heartbeat in an answer to {@link #write}. */
	static Stat statOf(Calls.Together.Done done) {
		return statOf(done.results().get(0));
	}

	private static Stat statOf(OpResult beat) {
		return ((OpResult.SetDataResult) beat).getStat();
	}

	/** Notes that this session is over, or that another client deleted its znode. */
	void end() {
		this.ended = true;
		this.belief.end();
	}

	/**
	 * The lead of the leader's clock over the monotonic clock of this machine.
	 *
	 * @param millis the lead in milliseconds
	 */
	record Ahead(long millis) {

		/**
		 * Adjusts the lead to an answer. The leader read its clock between sending and
		 * answer. The former value stays if it is still possible, so that a slow answer
		 * does not look like a clock jump.
		 */
		Ahead adjusted(long read, long sent, long answered) {
			return new Ahead(Math.min(Math.max(this.millis, read - answered), read - sent));
		}

	}

}
