package io.distlock.databases;

import java.nio.file.Path;
import java.util.List;

/**
 * A server of MySQL or MariaDB: both have the same replication, by transactions that a
 * standby executes again.
 */
abstract class ReplayingServer extends RestartableServer implements ReplicatedServer {

	ReplayingServer(Path files, int port, List<String> command) {
		super(files, port, command);
	}

	/**
	 * An address that creates no database, which would be a transaction of the standby's
	 * own.
	 */
	abstract String operator();

	/** The files of this server, which is stopped for the copy. */
	final Path copy(String name) {
		Path copy = ServerProcess.newDirectory(name);
		stop();
		ServerProcess.run(List.of("cp", "-a", files().resolve("data").toString(), copy.toString()));
		restart();
		return copy;
	}

	/** Lets a standby follow this server. */
	final void follow(ReplayingServer standby, String position) {
		execute(standby.operator(), "CHANGE MASTER TO MASTER_HOST = '" + ServerProcess.HOST + "', MASTER_PORT = "
				+ port() + ", MASTER_USER = 'root', MASTER_CONNECT_RETRY = 1, " + position, "START SLAVE");
	}

	@Override
	public final boolean isFollowing() {
		return query(operator(), "SHOW SLAVE STATUS", "Slave_IO_Running").equals("Yes");
	}

	@Override
	public final void cutOff() {
		execute(operator(), "STOP SLAVE IO_THREAD");
	}

	@Override
	public final void promote() {
		execute(operator(), "STOP SLAVE", "RESET SLAVE ALL");
	}

}
