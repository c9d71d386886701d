package io.distlock.databases;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server of MySQL or MariaDB: both have the same options and the same replication, by
 * transactions that a standby executes again.
 */
abstract class ReplayingServer extends RestartableServer {

	/**
	 * Small files, and no asynchronous input and output: the kernel limits the requests
	 * for it for the whole machine, whose other users may have taken them.
	 */
	static final List<String> SMALL = List.of("--innodb-log-file-size=8M", "--innodb-buffer-pool-size=32M",
			"--innodb-use-native-aio=0", "--skip-name-resolve", "--user=" + System.getProperty("user.name"));

	private final List<String> options;

	ReplayingServer(Path files, List<String> program, List<String> options) {
		this(files, ServerProcess.freePort(), program, options);
	}

	private ReplayingServer(Path files, int port, List<String> program, List<String> options) {
		super(files, port, "KILL", command(files, port, program, options));
		this.options = options;
	}

	private static List<String> command(Path files, int port, List<String> program, List<String> options) {
		List<String> command = new ArrayList<>(program);
		command.addAll(SMALL);
		command.addAll(List.of("--datadir=" + files.resolve("data"), "--socket=" + files.resolve("socket"),
				"--pid-file=" + files.resolve("pid"), "--port=" + port, "--server-id=" + port,
				"--bind-address=" + ServerProcess.HOST));
		command.addAll(options);
		return command;
	}

	/** Returns the options that the caller added. */
	final List<String> options() {
		return this.options;
	}

	/**
	 * An address that creates no database, which would be a transaction of the standby's
	 * own.
	 */
	abstract String operator();

	/** The files of this server, which is stopped for the copy. */
	final Path copy(String name) {
		return copy(name, "TERM");
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
