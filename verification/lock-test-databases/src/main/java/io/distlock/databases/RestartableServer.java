package io.distlock.databases;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A server with its data in a directory, which survive its process. */
abstract class RestartableServer implements AutoCloseable {

	private final Path files;

	private final int port;

	private final List<String> command;

	private ServerProcess process;

	RestartableServer(Path files, int port, List<String> command) {
		this.files = files;
		this.port = port;
		this.command = command;
		this.process = launch();
	}

	private ServerProcess launch() {
		return ServerProcess.start(this.files, this.port, "KILL", this.command);
	}

	/** Returns the port. */
	public int port() {
		return this.port;
	}

	Path files() {
		return this.files;
	}

	/** Ends the process as an operator does; its files stay. */
	void stop() {
		this.process.stop("TERM");
	}

	/** Executes statements, one after the other. */
	static void execute(String url, String... statements) {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Cannot execute " + List.of(statements), ex);
		}
	}

	/** Returns a column of the first row, as text; empty if there is no row. */
	static String query(String url, String sql, String column) {
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql)) {
			if (!result.next()) {
				return "";
			}
			String value = result.getString(column);
			return (value != null) ? value : "";
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Cannot execute " + sql, ex);
		}
	}

	/** Kills the process; what was committed is on the disk. */
	public void kill() {
		this.process.kill();
	}

	/** Starts the server again, with its data. */
	public void restart() {
		this.process = launch();
	}

	/**
	 * Sends a signal.
	 * @param name for instance {@code STOP}
	 */
	public void signal(String name) {
		this.process.signal(name);
	}

	@Override
	public void close() {
		this.process.close();
	}

}
