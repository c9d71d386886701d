package io.distlock.lab.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;

/**
 * The one H2 server of this process, for databases in memory that other processes reach
 * over the loopback interface. It ends with this process.
 */
public final class DatabaseServer {

	/** The user of each database. */
	public static final String USER = "sa";

	private static @Nullable Server server;

	private static final Set<String> databases = new HashSet<>();

	/** A database in memory lives as long as it has a connection. */
	private static final List<Connection> kept = new ArrayList<>();

	private DatabaseServer() {
	}

	/**
	 * Creates a database unless it exists, and serves it.
	 * @param name its name
	 * @return the URL for other processes
	 */
	public static synchronized String serve(String name) {
		try {
			Server running = server;
			if (running == null) {
				// H2 reads it when it opens the socket, which only this machine may
				// reach.
				System.setProperty("h2.bindAddress", "127.0.0.1");
				running = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-ifExists").start();
				server = running;
			}
			if (databases.add(name)) {
				kept.add(DriverManager.getConnection("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", USER, ""));
			}
			return "jdbc:h2:tcp://127.0.0.1:" + running.getPort() + "/mem:" + name;
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The database server could not be started", ex);
		}
	}

}
