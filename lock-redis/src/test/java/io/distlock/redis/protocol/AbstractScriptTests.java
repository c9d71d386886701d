package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.List;

import io.distlock.test.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.Arguments;

import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Tests that execute scripts on a server of their own. */
abstract class AbstractScriptTests {

	static RedisServer server;

	static RedisClient client;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = RedisClient.create(RedisURI.create(server.host(), server.port()));
	}

	@AfterAll
	static void stop() {
		client.shutdown();
		server.close();
	}

	/** Pairs of code and its replacement. */
	static Arguments mistake(String name, String... codes) {
		List<ScriptChange> changes = new ArrayList<>();
		for (int i = 0; i < codes.length; i += 2) {
			changes.add(new ScriptChange(codes[i], codes[i + 1]));
		}
		return arguments(name, changes);
	}

}
