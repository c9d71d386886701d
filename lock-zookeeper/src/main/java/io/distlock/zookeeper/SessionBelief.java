package io.distlock.zookeeper;

import java.util.ArrayDeque;
import java.util.Deque;

import io.distlock.spi.ClockDrift;
import io.distlock.spi.StoreSession;

/**
 * Computes from committed writes how long a session certainly lasts.
 * <p>
 * A server answers pings even if it is cut off from its leader. Meanwhile the leader
 * expires the session. A committed write proves that the link to the leader worked. But a
 * follower reports activity of sessions only when the leader pings it, each half tick. So
 * a committed write proves that an <em>earlier</em> write was reported, if a ping came
 * between the two writes. The leader then keeps the session for its timeout, counted from
 * the earlier write. A session timeout is at least two ticks, so a ping comes within a
 * quarter of it.
 */
final class SessionBelief {

	/** The part of the session timeout within which the leader pings, with a margin. */
	private static final double PING = 0.29;

	/**
	 * The session timeout is divided into this many parts. Writes within one part count
	 * as one write.
	 */
	private static final int PARTS = 64;

	/** The writes that may still be proven, oldest first. */
	private final Deque<Write> writes = new ArrayDeque<>();

	/**
	 * The time of the latest write that was reported to the leader, at first the
	 * beginning.
	 */
	private long reported;

	private long until;

	private boolean begun;

	private boolean over;

	/**
	 * Creates a belief without any proof.
	 * @param since a moment before the creation of the session, in nanoseconds; the
	 * leader counts from the creation
	 */
	SessionBelief(long since) {
		this.reported = since;
		this.until = since;
	}

	/**
	 * Adds a write.
	 * @param sent the time of sending, in nanoseconds
	 * @param answered the time of the answer that it is committed
	 * @param timeout the negotiated timeout of the session, in nanoseconds
	 */
	synchronized void committed(long sent, long answered, long timeout) {
		begin(sent, timeout);
		long ping = (long) (timeout * PING);
		while (!this.writes.isEmpty() && this.writes.getFirst().answered() + ping - sent <= 0) {
			long sentBefore = this.writes.removeFirst().sent();
			this.reported = (sentBefore - this.reported > 0) ? sentBefore : this.reported;
		}
		if (this.writes.isEmpty() || sent - this.writes.getLast().sent() > timeout / PARTS) {
			this.writes.addLast(new Write(sent, answered));
		}
		long proven = this.reported + timeout - 2 * ClockDrift.of(timeout);
		this.until = (proven - this.until > 0) ? proven : this.until;
	}

	/**
	 * Begins the belief. A session that may be half over counts only after its proof. The
	 * proof takes almost half of the timeout, so earlier grants would be lost meanwhile.
	 */
	private void begin(long sent, long timeout) {
		if (!this.begun && sent - this.reported > timeout / 2) {
			this.reported = sent - timeout;
			this.until = this.reported;
		}
		this.begun = true;
	}

	/** Notes that the session is over. */
	synchronized void end() {
		this.over = true;
	}

	/**
	 * Returns how long the session certainly still lasts.
	 * @param now the present time, in nanoseconds
	 * @return nanoseconds, 0 if the session may be over
	 */
	long remaining(long now) {
		return Math.max(0, until() - now);
	}

	/** Returns the time until which the session certainly lasts, in nanoseconds. */
	synchronized long until() {
		return this.over ? StoreSession.OVER.sureUntil() : this.until;
	}

	/**
	 * A committed write.
	 *
	 * @param sent when it was sent
	 * @param answered when it was known to be committed
	 */
	private record Write(long sent, long answered) {
	}

}
