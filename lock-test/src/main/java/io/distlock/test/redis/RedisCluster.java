package io.distlock.test.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A real Redis Cluster: processes on free ports of the loopback interface, as
 * {@link RedisServer} runs them. The processes end with this JVM at the latest. A cluster
 * takes about two seconds to start, because a new node waits that long before it takes
 * part.
 * <p>
 * If some slots have no master, the other slots still work. The default of Redis is
 * different.
 */
public final class RedisCluster implements AutoCloseable {

	private static final int SLOTS = 16_384;

	/**
	 * On a machine that stalls, nodes take each other for dead and have to agree anew.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final List<RedisServer> nodes = new ArrayList<>();

	private final int masters;

	private RedisCluster(Builder builder) {
		this.masters = builder.masters;
	}

	/**
	 * Starts three masters without replicas.
	 * @return a cluster that is ready on all nodes
	 * @throws IllegalStateException if it does not get ready
	 */
	public static RedisCluster start() {
		return builder().start();
	}

	/**
	 * Begins to describe a cluster.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns all nodes. The nodes that began as masters come first, in the order of
	 * their slots.
	 * @return the nodes, even those that do not run
	 */
	public List<RedisServer> nodes() {
		return List.copyOf(this.nodes);
	}

	/**
	 * Finds the slot of a key.
	 * @param key the key as Redis knows it
	 * @return the slot
	 */
	public int slot(String key) {
		return Integer.parseInt(running().command("CLUSTER", "KEYSLOT", key));
	}

	/**
	 * Finds the master of a key, as the nodes that answer see it.
	 * @param key the key as Redis knows it
	 * @return its master, even if it is dead and they have not noticed yet
	 */
	public RedisServer masterOf(String key) {
		return masterOf(slot(key));
	}

	/**
	 * Finds the master of a slot, as the nodes that answer see it.
	 * @param slot the slot
	 * @return its master, even if it is dead and they have not noticed yet
	 */
	public RedisServer masterOf(int slot) {
		return masterOf(slot, running());
	}

	/**
	 * Moves a slot with its keys to another master, key by key as redis-cli does it.
	 * Clients learn of it by the redirections MOVED and ASK.
	 * @param slot the slot
	 * @param target a master
	 */
	public void move(int slot, RedisServer target) {
		RedisServer source = beginToMove(slot, target);
		moveKeys(slot, source, target);
		for (RedisServer node : List.of(target, source)) {
			node.command("CLUSTER", "SETSLOT", String.valueOf(slot), "NODE", id(target));
		}
	}

	/**
	 * Begins to move a slot. Clients ask the target for keys that the master does not
	 * have. {@link #move} ends the move.
	 * @param slot the slot
	 * @param target a master
	 * @return the master that the slot leaves
	 */
	public RedisServer beginToMove(int slot, RedisServer target) {
		RedisServer source = masterOf(slot);
		target.command("CLUSTER", "SETSLOT", String.valueOf(slot), "IMPORTING", id(source));
		source.command("CLUSTER", "SETSLOT", String.valueOf(slot), "MIGRATING", id(target));
		return source;
	}

	/**
	 * Waits until another node than the former master serves the key, and all running
	 * nodes know this.
	 * @param key the key as Redis knows it
	 * @param former a server that was its master
	 */
	public void awaitOtherMasterThan(RedisServer former, String key) {
		int slot = slot(key);
		Until.met(PATIENCE, () -> "another master of slot " + slot + ". " + log(),
				() -> this.nodes.stream()
					.filter(RedisServer::isRunning)
					.allMatch((node) -> node == former || masterOf(slot, node) != former));
	}

	/** Ends all nodes and deletes their data. */
	@Override
	public void close() {
		this.nodes.forEach(RedisServer::close);
	}

	private static void moveKeys(int slot, RedisServer source, RedisServer target) {
		String keys = source.command("CLUSTER", "GETKEYSINSLOT", String.valueOf(slot), "1000");
		for (String key : keys.split("\n")) {
			if (!key.isEmpty()) {
				source.command("MIGRATE", target.host(), String.valueOf(target.port()), key, "0", "5000");
			}
		}
	}

	private RedisServer running() {
		return this.nodes.stream()
			.filter((node) -> node.isRunning() && RedisPing.answers(node.host(), node.port()))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No node of the cluster answers"));
	}

	private static String id(RedisServer node) {
		return node.command("CLUSTER", "MYID");
	}

	/**
	 * Finds the master in the lines of CLUSTER NODES. The line of a master ends with its
	 * slots.
	 */
	private RedisServer masterOf(int slot, RedisServer witness) {
		for (String line : witness.command("CLUSTER", "NODES").split("\n")) {
			String[] words = line.split(" ");
			for (int i = 8; i < words.length; i++) {
				if (covers(words[i], slot)) {
					return byAddress(words[1]);
				}
			}
		}
		throw new IllegalStateException("No master for slot " + slot + " known on port " + witness.port());
	}

	/** Reads a slot or a range. A slot that is being moved is in brackets. */
	private static boolean covers(String range, int slot) {
		if (range.startsWith("[")) {
			return false;
		}
		int dash = range.indexOf('-');
		int first = Integer.parseInt((dash < 0) ? range : range.substring(0, dash));
		int last = Integer.parseInt(range.substring(dash + 1));
		return first <= slot && slot <= last;
	}

	/** Finds the server of {@code host:port@bus}. */
	private RedisServer byAddress(String address) {
		int port = Integer.parseInt(address.substring(address.indexOf(':') + 1, address.indexOf('@')));
		return this.nodes.stream().filter((node) -> node.port() == port).findFirst().orElseThrow();
	}

	private void launch(Builder builder) {
		int size = this.masters * (1 + builder.replicas);
		for (int i = 0; i < size; i++) {
			this.nodes.add(node(builder));
		}
		for (int i = 0; i < this.masters; i++) {
			this.nodes.get(i).command(addSlots(i));
		}
		introduce();
		for (RedisServer node : this.nodes) {
			Until.met(PATIENCE, () -> "the cluster is ready. " + node.log(), () -> isReady(node, size));
		}
		for (int i = this.masters; i < size; i++) {
			replicate(this.nodes.get(i), this.nodes.get(i % this.masters));
		}
		Until.met(PATIENCE, () -> "all nodes know the replicas. " + log(),
				() -> this.nodes.stream().allMatch((node) -> knowsReplicas(node, size - this.masters)));
	}

	private static RedisServer node(Builder builder) {
		RedisServer.Builder node = RedisServer.builder();
		if (builder.unprotected) {
			node.unprotected();
		}
		return node.args("--cluster-enabled", "yes", "--cluster-require-full-coverage", "no")
			.args("--cluster-node-timeout", String.valueOf(builder.nodeTimeout.toMillis()))
			.args("--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0")
			.args(builder.arguments.toArray(String[]::new))
			.start();
	}

	private String[] addSlots(int master) {
		int first = SLOTS * master / this.masters;
		int end = SLOTS * (master + 1) / this.masters;
		List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
		IntStream.range(first, end).mapToObj(String::valueOf).forEach(command::add);
		return command.toArray(String[]::new);
	}

	/**
	 * Introduces each node to all others, because gossip may take as long as the node
	 * timeout. Each node gets a separate epoch. Otherwise the nodes would have to agree
	 * on different epochs first.
	 */
	private void introduce() {
		for (int i = 0; i < this.nodes.size(); i++) {
			RedisServer node = this.nodes.get(i);
			node.command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
			for (RedisServer earlier : this.nodes.subList(0, i)) {
				node.command("CLUSTER", "MEET", earlier.host(), String.valueOf(earlier.port()));
			}
		}
	}

	private static boolean isReady(RedisServer node, int size) {
		String info = node.command("CLUSTER", "INFO");
		return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SLOTS)
				&& info.contains("cluster_known_nodes:" + size + "\r");
	}

	private static void replicate(RedisServer replica, RedisServer master) {
		replica.command("CLUSTER", "REPLICATE", id(master));
		Until.met(PATIENCE, () -> "a replica is in step. " + replica.log(),
				() -> replica.command("INFO", "replication").contains("master_link_status:up"));
	}

	private static boolean knowsReplicas(RedisServer node, int replicas) {
		return node.command("CLUSTER", "NODES").lines().filter((line) -> line.contains("slave")).count() == replicas;
	}

	private String log() {
		return "Log of a node:\n" + running().log();
	}

	/** Describes a cluster to start. */
	public static final class Builder {

		private final List<String> arguments = new ArrayList<>();

		private boolean unprotected;

		private int masters = 3;

		private int replicas;

		private Duration nodeTimeout = Duration.ofSeconds(5);

		private Builder() {
		}

		/**
		 * Adds arguments of all nodes, as for {@link RedisServer}.
		 * @param arguments options and their values
		 * @return this builder
		 */
		public Builder args(String... arguments) {
			this.arguments.addAll(List.of(arguments));
			return this;
		}

		/**
		 * Lets the nodes accept the command DEBUG and changes of protected settings.
		 * @return this builder
		 */
		public Builder unprotected() {
			this.unprotected = true;
			return this;
		}

		/**
		 * Asks for another number of masters than three.
		 * @param number how many; replicas are promoted only with three or more masters
		 * @return this builder
		 */
		public Builder masters(int number) {
			this.masters = number;
			return this;
		}

		/**
		 * Asks for replicas. By default there are none.
		 * @param number how many for each master
		 * @return this builder
		 */
		public Builder replicas(int number) {
			this.replicas = number;
			return this;
		}

		/**
		 * Sets how long a node may be silent until it counts as down. The default is 5 s.
		 * @param silence the time
		 * @return this builder
		 */
		public Builder nodeTimeout(Duration silence) {
			this.nodeTimeout = silence;
			return this;
		}

		/**
		 * Starts the cluster.
		 * @return a cluster that is ready on all nodes
		 * @throws IllegalStateException if it does not get ready
		 */
		public RedisCluster start() {
			RedisCluster cluster = new RedisCluster(this);
			try {
				cluster.launch(this);
				return cluster;
			}
			catch (RuntimeException ex) {
				cluster.close();
				throw ex;
			}
		}

	}

}
