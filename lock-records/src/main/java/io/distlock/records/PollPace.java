package io.distlock.records;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.distlock.records.state.Line;

/**
 * How often one waiting request asks a place. If the place does not tell it of its turn,
 * the first in line asks often and the others rarely, so that the load depends on the
 * number of locks. If the line moves slowly, a request asks when half of the time until
 * its turn has probably passed, but at least twice a second, and at the front at least
 * once in each poll interval. While the line stands still, each of them asks ever more
 * rarely: a hand-over then comes later by a small part of the time that the request has
 * waited for it anyway.
 * <p>
 * Only the change that is under way uses it.
 */
final class PollPace {

	/** The pause is this part of the time at one place in the line. */
	private static final int PART = 20;

	/** A waiter that pauses for longer might not notice a short claim in time. */
	private static final long LONGEST_MILLIS = 1500;

	private static final long SHORTEST_MILLIS = 2;

	/** The first pauses of a waiter grow by this from place to place. */
	private static final long STEP_MILLIS = 4;

	/** So many waiters at the front of the line keep to the poll interval. */
	private static final int FRONT = 16;

	/**
	 * How often a command may lose against other processes before its place in line is
	 * not worth a further write. Otherwise the processes of a large fleet would prevent
	 * each other from ever getting an answer.
	 */
	private static final int MOST_WRITES = 3;

	private static final long NOTIFIED_MILLIS = RecordSettings.NOTIFIED.pollInterval().toMillis();

	private final long interval;

	private final BooleanSupplier listens;

	private final LongSupplier nanoTime;

	private final DoubleSupplier random;

	private volatile boolean waits;

	private Place place;

	/**
	 * Creates the pace of a request that begins to wait.
	 * @param settings the poll interval
	 * @param listens whether messages arrive at present
	 * @param nanoTime the monotonic clock of this machine
	 * @param random numbers between 0 and 1
	 */
	PollPace(RecordSettings settings, BooleanSupplier listens, LongSupplier nanoTime, DoubleSupplier random) {
		this.interval = settings.pollInterval().toMillis();
		this.listens = listens;
		this.nanoTime = nanoTime;
		this.random = random;
		this.place = new Place(0, nanoTime.getAsLong(), 0);
	}

	/** Returns whether the request has been answered that it waits. */
	boolean waits() {
		return this.waits;
	}

	/** Begins one command. */
	Command command() {
		return new Command();
	}

	private long pauseMillis(int now) {
		this.waits = true;
		long nanos = this.nanoTime.getAsLong();
		if (now != this.place.number()) {
			this.place = this.place.movedTo(now, nanos);
		}
		long still = TimeUnit.NANOSECONDS.toMillis(nanos - this.place.since());
		long pause = Math.max(shortest(), Math.min(still / PART, LONGEST_MILLIS));
		// Earlier and not later, so that waiters who came together spread out.
		return Math.max(SHORTEST_MILLIS, (long) (pause * (0.8 + 0.2 * this.random.getAsDouble())));
	}

	/** Returns the pause of a waiter that has just come to its place. */
	private long shortest() {
		if (this.place.number() == 0) {
			// No message ever comes here, and no hand-over.
			return NOTIFIED_MILLIS;
		}
		if (this.listens.getAsBoolean()) {
			return Math.max(NOTIFIED_MILLIS, Math.min(this.interval, LONGEST_MILLIS));
		}
		int number = this.place.number();
		boolean front = number <= FRONT;
		long byPlace = Math.min(STEP_MILLIS * number - SHORTEST_MILLIS,
				front ? this.interval : this.interval * number / FRONT);
		long most = front ? Math.min(this.interval, NOTIFIED_MILLIS) : NOTIFIED_MILLIS;
		return Math.max(byPlace, Math.min(this.place.halfOfTheWait(), most));
	}

	/** One command of the request, which is executed again until its write wins. */
	final class Command {

		private int executions;

		/** Begins one more execution. */
		Line execution() {
			return new Execution(PollPace.this, ++this.executions <= MOST_WRITES);
		}

	}

	/**
	 * A place in line.
	 *
	 * @param number from 1; 0 without a place
	 * @param since when the request came to it
	 * @param millisPerTurn how long each turn of others took before; 0 if that is unknown
	 */
	private record Place(int number, long since, long millisPerTurn) {

		private Place movedTo(int next, long nanos) {
			int turns = this.number - next;
			boolean moved = turns > 0 && next > 0;
			return new Place(next, nanos,
					moved ? TimeUnit.NANOSECONDS.toMillis(nanos - this.since) / turns : this.millisPerTurn);
		}

		/**
		 * Returns half of the time until this request is first, if the turns of the
		 * others take as long as before.
		 */
		private long halfOfTheWait() {
			return (this.number - 1) * this.millisPerTurn / 2;
		}

	}

	private record Execution(PollPace pace, boolean isWorthAWrite) implements Line {

		@Override
		public long pauseMillis(int place) {
			return this.pace.pauseMillis(place);
		}

	}

}
