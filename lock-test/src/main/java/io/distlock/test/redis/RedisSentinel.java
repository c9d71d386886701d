package io.distlock.test.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A master, a replica of it, and Sentinels that watch over them: real processes on free
 * ports of the loopback interface, as {@link RedisServer} runs them. The processes end
 * with this JVM at the latest.
 * <p>
 * One Sentinel fails over alone. Several Sentinels need a majority, and about two seconds
 * to find each other.
 */
public final class RedisSentinel implements AutoCloseable {

	private static final String NAME = "mymaster";

	/**
	 * A Sentinel that could not run for two seconds starts no failover for half a minute.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final List<RedisServer> servers = new ArrayList<>();

	private final List<RedisServer> sentinels = new ArrayList<>();

	private RedisSentinel() {
	}

	/**
	 * Starts a master, a replica and one Sentinel with default settings.
	 * @return servers that are ready for a failover
	 * @throws IllegalStateException if they do not get ready
	 */
	public static RedisSentinel start() {
		return builder().start();
	}

	/**
	 * Begins to describe the servers.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the Sentinels' name for the master.
	 * @return the name
	 */
	public String masterName() {
		return NAME;
	}

	/**
	 * Returns the Sentinels, to which clients connect.
	 * @return all of them
	 */
	public List<RedisServer> sentinels() {
		return List.copyOf(this.sentinels);
	}

	/**
	 * Returns the server that the Sentinels take for the master, even if it is dead and
	 * they have not noticed yet.
	 * @return the master
	 */
	public RedisServer master() {
		String address = askSentinel("get-master-addr-by-name", NAME);
		int port = Integer.parseInt(address.substring(address.indexOf('\n') + 1));
		return this.servers.stream().filter((server) -> server.port() == port).findFirst().orElseThrow();
	}

	/**
	 * Returns the server that is not the master.
	 * @return the replica, or the server that will become the replica
	 */
	public RedisServer replica() {
		RedisServer master = master();
		return this.servers.stream().filter((server) -> server != master).findFirst().orElseThrow();
	}

	/**
	 * Makes the replica the master although the master is alive, and waits until the
	 * Sentinels report it and it accepts writes. As in every planned failover by
	 * Sentinel, the former master accepts writes for some ten seconds before it becomes a
	 * replica and drops its clients.
	 */
	public void failover() {
		RedisServer former = master();
		// The Sentinel refuses as long as it has not heard from the replica lately.
		Until.met(PATIENCE, () -> "failover accepted. " + log(),
				() -> master() != former || askSentinel("failover", NAME).equals("OK"));
		awaitOtherMasterThan(former);
	}

	/**
	 * Waits until the Sentinels name another master, and that master accepts writes.
	 * @param former a server that was the master
	 */
	public void awaitOtherMasterThan(RedisServer former) {
		Until.met(PATIENCE, () -> "another master than the one on port " + former.port() + ". " + log(),
				() -> master() != former && master().command("ROLE").startsWith("master"));
	}

	/** Ends all servers and deletes their data. */
	@Override
	public void close() {
		this.sentinels.forEach(RedisServer::close);
		this.servers.forEach(RedisServer::close);
	}

	private String askSentinel(String... words) {
		List<String> command = new ArrayList<>(List.of("SENTINEL"));
		command.addAll(List.of(words));
		RedisServer running = this.sentinels.stream().filter(RedisServer::isRunning).findFirst().orElseThrow();
		return running.command(command.toArray(String[]::new));
	}

	private void launch(Builder builder) {
		// Otherwise the master lets the replica wait 5 s for other replicas.
		RedisServer master = RedisServer.builder()
			.args("--repl-diskless-sync-delay", "0")
			.args(builder.arguments.toArray(String[]::new))
			.start();
		this.servers.add(master);
		this.servers.add(RedisServer.builder()
			.args("--replicaof", master.host(), String.valueOf(master.port()), "--repl-diskless-sync-delay", "0")
			.args(builder.arguments.toArray(String[]::new))
			.start());
		Until.met(PATIENCE, () -> "the replica is in step. " + master.log(),
				() -> master.command("INFO", "replication").contains("state=online"));
		for (int i = 0; i < builder.sentinels; i++) {
			this.sentinels.add(RedisServer.builder().sentinel(builder.configuration(master)).start());
		}
		for (RedisServer sentinel : this.sentinels) {
			Until.met(PATIENCE, () -> "a Sentinel knows all others. " + sentinel.log(),
					() -> knowsAll(sentinel.command("SENTINEL", "MASTER", NAME)));
		}
	}

	private boolean knowsAll(String description) {
		return description.contains("flags\nmaster\n") && description.contains("num-slaves\n1\n")
				&& description.contains("num-other-sentinels\n" + (this.sentinels.size() - 1) + "\n");
	}

	private String log() {
		return "Log of a Sentinel:\n" + this.sentinels.get(0).log();
	}

	/** Describes servers to start. */
	public static final class Builder {

		private final List<String> arguments = new ArrayList<>();

		private int sentinels = 1;

		private Duration downAfter = Duration.ofSeconds(1);

		private Builder() {
		}

		/**
		 * Adds arguments of master and replica, as for {@link RedisServer}.
		 * @param arguments options and their values
		 * @return this builder
		 */
		public Builder args(String... arguments) {
			this.arguments.addAll(List.of(arguments));
			return this;
		}

		/**
		 * Asks for more than one Sentinel.
		 * @param number how many
		 * @return this builder
		 */
		public Builder sentinels(int number) {
			this.sentinels = number;
			return this;
		}

		/**
		 * Sets how long the master may be silent until it counts as down. The default is
		 * 1 s.
		 * @param silence the time
		 * @return this builder
		 */
		public Builder downAfter(Duration silence) {
			this.downAfter = silence;
			return this;
		}

		/**
		 * Starts the servers.
		 * @return servers that are ready for a failover
		 * @throws IllegalStateException if they do not get ready
		 */
		public RedisSentinel start() {
			RedisSentinel sentinel = new RedisSentinel();
			try {
				sentinel.launch(this);
				return sentinel;
			}
			catch (RuntimeException ex) {
				sentinel.close();
				throw ex;
			}
		}

		private List<String> configuration(RedisServer master) {
			int quorum = this.sentinels / 2 + 1;
			return List.of("sentinel monitor " + NAME + " " + master.host() + " " + master.port() + " " + quorum,
					"sentinel down-after-milliseconds " + NAME + " " + this.downAfter.toMillis(),
					"sentinel failover-timeout " + NAME + " 5000");
		}

	}

}
