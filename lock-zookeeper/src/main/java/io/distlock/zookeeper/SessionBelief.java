package io.distlock.zookeeper;

import java.util.ArrayDeque;
import java.util.Deque;

import io.distlock.spi.ClockDrift;
import io.distlock.spi.StoreSession;

/**
 * Until when a session surely lasts, counted from committed writes.
 * <p>
 * A server answers pings even if it is cut off from its leader, which expires the session
 * meanwhile. A committed write proves that the link to the leader worked, but a follower
 * reports activity of sessions only when the leader pings it, each half tick. So a write
 * that commits proves that an <em>earlier</em> write was reported, if a ping came between
 * the two; the leader then keeps the session for its timeout from that earlier write on.
 * A session timeout is at least two ticks, so a ping comes within a quarter of it.
 */
final class SessionBelief {

	/** A ping of the leader comes in this part of the session timeout, with a margin. */
	private static final double PING = 0.29;

	/** Writes that follow each other more closely count as one. */
	private static final int PARTS = 64;

	/** The writes that may still become the proven one, oldest first. */
	private final Deque<Write> writes = new ArrayDeque<>();

	/** The latest write that was reported to the leader, at first the beginning. */
	private long reported;

	private long until;

	private boolean begun;

	private boolean over;

	/**
	 * Creates a belief in nothing yet.
	 * @param since a moment at which the session did not exist; the leader counts from
	 * its creation, which is later. Nanoseconds
	 */
	SessionBelief(long since) {
		this.reported = since;
		this.until = since;
	}

	/**
	 * Adds a write.
	 * @param sent when it was sent, in nanoseconds
	 * @param answered when it was known to be committed
	 * @param timeout the timeout of the session that was negotiated, in nanoseconds
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
	 * Believes in a session that may be half over only once it is proven, which takes
	 * almost half of its timeout: what was granted before would be lost meanwhile.
	 */
	private void begin(long sent, long timeout) {
		if (!this.begun && sent - this.reported > timeout / 2) {
			this.reported = sent - timeout;
			this.until = this.reported;
		}
		this.begun = true;
	}

	/** The session is over. */
	synchronized void end() {
		this.over = true;
	}

	/**
	 * Returns for how long the session surely lasts on.
	 * @param now the present, in nanoseconds
	 * @return nanoseconds, 0 if it may be over
	 */
	long remaining(long now) {
		return Math.max(0, until() - now);
	}

	/** Returns until when the session surely lasts, in nanoseconds. */
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
