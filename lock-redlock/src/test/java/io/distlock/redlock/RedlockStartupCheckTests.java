package io.distlock.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.distlock.spi.StoreCheckResult;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockStartupCheckTests {

	private final List<RedisServer> servers = Stream.generate(RedisServer::start).limit(2).toList();

	private final List<RedisConnectionFactory> factories = new ArrayList<>();

	@AfterEach
	void stop() {
		this.factories.forEach(Client::close);
		this.servers.forEach(RedisServer::close);
	}

	@Test
	void runWhenReplicaTakesNoWritesThenProblem() {
		RedisServer master = this.servers.get(0);
		try (RedisServer replica = RedisServer.builder()
			.args("--replicaof", master.host(), String.valueOf(master.port()))
			.start()) {
			assertThat(problems(node(replica))).contains("Node n3: It is a replica: ");
		}
	}

	@Test
	void runWhenNodeOfAClusterLeadsElsewhereThenProblem() {
		try (RedisServer node = RedisServer.builder().args("--cluster-enabled", "yes").start()) {
			assertThat(problems(node(node))).contains("Node n3: It is part of a Redis Cluster");
		}
	}

	@Test
	void runWhenUserMayNotReadTheMarkerThenProblem() {
		RedisServer secured = this.servers.get(1);
		secured.command("ACL", "SETUSER", "app", "resetchannels", "on", ">secret", "~lk:*", "&lk:ch:*", "+@all",
				"-get");
		RedisStandaloneConfiguration configuration = configuration(secured);
		configuration.setUsername("app");
		configuration.setPassword("secret");
		assertThat(problems(node(configuration))).contains("Node n3: The Redis user may not run 'get'");
	}

	@Test
	void runWhenTheMarkerIsNoMomentThenProblem() {
		RedisServer server = this.servers.get(1);
		server.command("SET", QuorumServers.SETTINGS.names().marker(), "soon");
		assertThat(problems(node(server))).contains("Node n3: Its key lk:%boot was written by another program");
	}

	/** As with most managed servers; what is not known is not taken for safe. */
	@Test
	void runWhenThePersistenceIsNotKnownThenWarned() {
		RedisServer silent = this.servers.get(1);
		silent.command("ACL", "SETUSER", "app", "resetchannels", "on", ">secret", "~lk:*", "&lk:ch:*", "+@all",
				"-config");
		RedisStandaloneConfiguration configuration = configuration(silent);
		configuration.setUsername("app");
		configuration.setPassword("secret");
		StoreCheckResult result = run(node(configuration));
		assertThat(String.join("\n", result.problems())).doesNotContain("Its persistence", "Node n3: It may come back");
		assertThat(result.warnings())
			.anySatisfy((warning) -> assertThat(warning).startsWith("Redlock: Node n3: Its persistence is not known"));
	}

	private String problems(RedlockNode third) {
		return String.join("\n", run(third).problems());
	}

	private StoreCheckResult run(RedlockNode third) {
		RedlockNode first = new RedlockNode("n1", node(this.servers.get(0)).connectionFactory());
		RedlockNode second = new RedlockNode("n2", node(this.servers.get(1)).connectionFactory());
		RedlockSettings settings = QuorumServers.SETTINGS;
		return new RedlockStartupCheck(List.of(first, second, third), settings).run();
	}

	private RedlockNode node(RedisServer server) {
		return node(configuration(server));
	}

	private RedlockNode node(RedisStandaloneConfiguration configuration) {
		RedisConnectionFactory factory = Client.LETTUCE.connect(configuration);
		this.factories.add(factory);
		return new RedlockNode("n3", factory);
	}

	private static RedisStandaloneConfiguration configuration(RedisServer server) {
		return new RedisStandaloneConfiguration(server.host(), server.port());
	}

}
