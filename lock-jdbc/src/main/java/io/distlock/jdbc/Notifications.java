package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import io.distlock.support.KeyDigest;

/**
 * Receives messages from other processes, if the database can send any. A database user
 * who may only connect cannot find out the channel of a process. Even so, receivers treat
 * each message only as a hint.
 */
interface Notifications {

	/** Receives nothing, so waiters poll. */
	Notifications NONE = new Notifications() {

		@Override
		public void expect() {
		}

		@Override
		public boolean arrive() {
			return false;
		}

		@Override
		public void abandon() {
		}

		@Override
		public void stop() {
		}

	};

	/** Listens for a while. */
	void expect();

	/** Returns whether a message has arrived on the present connection. */
	boolean arrive();

	/** Stops listening soon; does not block. */
	void abandon();

	/** Stops listening. */
	void stop();

	/** Sends one message; processes that do not listen on its channel do not get it. */
	static void send(Connection connection, String channel, String text) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
			statement.setString(1, channel);
			statement.setString(2, text);
			statement.execute();
		}
	}

	/** Returns the channel of a process. */
	static String channel(String engine) {
		return "dl_" + KeyDigest.of(engine).substring(0, 32);
	}

}
