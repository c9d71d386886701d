package io.distlock.records.state;

/**
 * How one command waits in the queue of a lock. The state machine asks it each time it
 * executes the command.
 */
public interface Line {

	/** For a store whose messages reach each waiter, and whose writes cannot lose. */
	Line PUSHED = new Line() {

		@Override
		public boolean isWorthAWrite() {
			return true;
		}

		@Override
		public long pauseMillis(int place) {
			return StateRules.POLL_MILLIS;
		}

	};

	/**
	 * Returns whether to take a place, or to keep it for longer, if that needs a write.
	 * @return {@code false} to leave the queue as it is; the request asks again later
	 */
	boolean isWorthAWrite();

	/**
	 * Returns the time until the request is repeated.
	 * @param place its place in the queue, from 1; 0 if it has none
	 * @return the time, in milliseconds
	 */
	long pauseMillis(int place);

}
