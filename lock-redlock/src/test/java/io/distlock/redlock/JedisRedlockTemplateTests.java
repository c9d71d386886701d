package io.distlock.redlock;

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class JedisRedlockTemplateTests extends AbstractRedlockTemplateTests {

	private static QuorumServers servers;

	private static List<RedlockNode> nodes;

	JedisRedlockTemplateTests() {
		super(nodes);
	}

	@BeforeAll
	static void start() {
		servers = QuorumServers.start(5, Client.JEDIS);
		nodes = servers.connect();
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

}
