package io.distlock.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.distlock.databases.Wire;
import io.distlock.test.redis.FreePort;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.awaitility.Awaitility;

/**
 * Servers that elect a leader. Each reaches each other one through a link of its own, on
 * the port that followers use, so that one follower can be cut off from its leader while
 * its clients notice nothing.
 */
final class Ensemble implements AutoCloseable {

	private final List<Member> members = new ArrayList<>();

	private final Map<List<Integer>, Wire> links = new HashMap<>();

	private final Duration tick;

	private final int syncLimit;

	private Ensemble(Duration tick, int syncLimit) {
		this.tick = tick;
		this.syncLimit = syncLimit;
	}

	/** The address of a follower that tests of this JVM share. */
	static String sharedFollower() {
		return Shared.FOLLOWER;
	}

	/**
	 * Starts three servers and waits for a leader.
	 * @param tick their tick
	 * @param syncLimit after how many ticks a follower without leader gives up
	 */
	static Ensemble start(Duration tick, int syncLimit) {
		System.setProperty("zookeeper.admin.enableServer", "false");
		System.setProperty("zookeeper.jmx.log4j.disable", "true");
		Ensemble ensemble = new Ensemble(tick, syncLimit);
		for (int id = 1; id <= 3; id++) {
			ensemble.members.add(new Member(id));
		}
		ensemble.members.forEach((one) -> ensemble.members.stream()
			.filter((other) -> other != one)
			.forEach((other) -> ensemble.links.put(List.of(one.id, other.id), new Wire(other.quorumPort))));
		ensemble.members.forEach((member) -> member.run(ensemble.configuration(member)));
		ensemble.awaitLeader();
		return ensemble;
	}

	private Properties configuration(Member member) {
		Properties properties = new Properties();
		properties.setProperty("tickTime", Long.toString(this.tick.toMillis()));
		properties.setProperty("initLimit", "40");
		properties.setProperty("syncLimit", Integer.toString(this.syncLimit));
		properties.setProperty("dataDir", member.directory.toString());
		properties.setProperty("clientPort", Integer.toString(member.clientPort));
		properties.setProperty("clientPortAddress", "127.0.0.1");
		properties.setProperty("maxClientCnxns", "0");
		properties.setProperty("maxSessionTimeout", "600000");
		for (Member other : this.members) {
			int port = (other == member) ? other.quorumPort : this.links.get(List.of(member.id, other.id)).port();
			properties.setProperty("server." + other.id, "127.0.0.1:" + port + ":" + other.electionPort);
		}
		return properties;
	}

	/** The addresses of all servers. */
	String address() {
		return this.members.stream().map(Member::address).collect(Collectors.joining(","));
	}

	/** The address of one server. */
	String address(int id) {
		return member(id).address();
	}

	private Member member(int id) {
		return this.members.get(id - 1);
	}

	int awaitLeader() {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> leader() > 0 && followers().size() > 0);
		return leader();
	}

	private int leader() {
		return ids("leading").findFirst().orElse(0);
	}

	/** The ids of the followers. */
	List<Integer> followers() {
		return ids("following").boxed().toList();
	}

	private IntStream ids(String state) {
		return this.members.stream().filter((member) -> member.state().equals(state)).mapToInt((member) -> member.id);
	}

	/** The connection from a follower to its leader. */
	Wire link(int follower, int leader) {
		return this.links.get(List.of(follower, leader));
	}

	void kill(int id) {
		member(id).kill();
	}

	void restart(int id) {
		member(id).run(configuration(member(id)));
	}

	@Override
	public void close() {
		this.members.forEach(Member::kill);
		this.links.values().forEach(Wire::close);
		this.members.forEach(Member::delete);
	}

	/** One server. */
	private static final class Member {

		private final int clientPort = FreePort.find("127.0.0.1");

		private final int quorumPort = FreePort.find("127.0.0.1");

		private final int electionPort = FreePort.find("127.0.0.1");

		private final int id;

		private final Path directory;

		private volatile Main main = new Main();

		private Member(int id) {
			this.id = id;
			try {
				this.directory = Files.createTempDirectory("zookeeper-" + id + "-");
				Files.writeString(this.directory.resolve("myid"), Integer.toString(id));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private String address() {
			return "127.0.0.1:" + this.clientPort;
		}

		private void run(Properties properties) {
			Main started = new Main();
			this.main = started;
			Thread thread = new Thread(() -> started.run(properties), "zookeeper-" + this.id);
			thread.setDaemon(true);
			thread.start();
		}

		private String state() {
			QuorumPeer peer = this.main.peer();
			return (peer != null && peer.isRunning()) ? peer.getServerState() : "down";
		}

		private void kill() {
			QuorumPeer peer = this.main.peer();
			if (peer != null) {
				peer.shutdown();
			}
		}

		private void delete() {
			try (Stream<Path> files = Files.walk(this.directory)) {
				files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
			}
			catch (IOException ex) {
				// Only a temporary directory.
			}
		}

	}

	private static final class Main extends QuorumPeerMain {

		private QuorumPeer peer() {
			return this.quorumPeer;
		}

		private void run(Properties properties) {
			try {
				QuorumPeerConfig config = new QuorumPeerConfig();
				config.parseProperties(properties);
				runFromConfig(config);
			}
			catch (Exception ex) {
				throw new IllegalStateException("ZooKeeper does not start", ex);
			}
		}

	}

	/** For all tests of this JVM that leave it as it was. */
	private static final class Shared {

		private static final Ensemble SERVERS = start(Duration.ofSeconds(2), 5);

		private static final String FOLLOWER = SERVERS.address(SERVERS.followers().get(0));

		static {
			Runtime.getRuntime().addShutdownHook(new Thread(SERVERS::close, "shared-servers-end"));
		}

	}

}
