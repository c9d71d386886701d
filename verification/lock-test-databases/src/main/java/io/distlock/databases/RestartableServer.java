package io.distlock.databases;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A server with its data in a directory, which survive its process. */
abstract class RestartableServer implements DatabaseServer {

	private final Path files;

	private final int port;

	private final String killSignal;

	private final List<String> command;

	private ServerProcess process;

	/**
	 * Starts the server.
	 * @param killSignal ends it at once, with all that belongs to it
	 */
	RestartableServer(Path files, int port, String killSignal, List<String> command) {
		this.files = files;
		this.port = port;
		this.killSignal = killSignal;
		this.command = command;
		this.process = launch();
	}

	private ServerProcess launch() {
		ServerProcess started = ServerProcess.start(this.files, this.port, this.killSignal, this.command);
		awaitRecovery();
		return started;
	}

	/** Waits until a server that accepts connections does what they ask for. */
	void awaitRecovery() {
	}

	@Override
	public final int port() {
		return this.port;
	}

	/**
	 * The files of this server, which is stopped for the copy.
	 * @param stopSignal ends it as an operator does
	 */
	final Path copy(String name, String stopSignal) {
		Path copy = ServerProcess.newDirectory(name);
		this.process.stop(stopSignal);
		ServerProcess.run(List.of("cp", "-a", this.files.resolve("data").toString(), copy.toString()));
		restart();
		return copy;
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

	@Override
	public final void kill() {
		this.process.stop(this.killSignal);
	}

	@Override
	public final void restart() {
		this.process = launch();
	}

	@Override
	public final void signal(String name) {
		this.process.signalFamily(name);
	}

	@Override
	public final void close() {
		this.process.close();
	}

}
