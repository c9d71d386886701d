package io.distlock.jdbc;

import io.distlock.support.KeyDigest;

/**
 * Messages from other processes, if the database can send any. Nobody with the mere right
 * to connect can find out a channel; what arrives is no more than a hint all the same.
 */
interface Notifications {

	/** Waiters poll. */
	Notifications NONE = new Notifications() {

		@Override
		public void expect() {
		}

		@Override
		public boolean arrive() {
			return false;
		}

		@Override
		public void stop() {
		}

	};

	/** Messages are wanted for a while. */
	void expect();

	/** Whether messages were seen to arrive, on the connection of now. */
	boolean arrive();

	/** Ends the listening. */
	void stop();

	/** The channel of a process. */
	static String channel(String engine) {
		return "dl_" + KeyDigest.of(engine).substring(0, 32);
	}

}
