package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import io.distlock.support.KeyDigest;

/**
 * Messages from other processes, if the database can send any. A user with only the right
 * to connect cannot find out a channel. Even so, what arrives is only a hint.
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
		public void abandon() {
		}

		@Override
		public void stop() {
		}

	};

	/** Listens for a while. */
	void expect();

	/** Whether a message has arrived on the present connection. */
	boolean arrive();

	/** Ends the listening soon; does not block. */
	void abandon();

	/** Ends the listening. */
	void stop();

	/** Sends one message; processes that do not listen on its channel do not get it. */
	static void send(Connection connection, String channel, String text) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
			statement.setString(1, channel);
			statement.setString(2, text);
			statement.execute();
		}
	}

	/** The channel of a process. */
	static String channel(String engine) {
		return "dl_" + KeyDigest.of(engine).substring(0, 32);
	}

}
