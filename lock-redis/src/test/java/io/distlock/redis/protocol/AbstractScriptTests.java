package io.distlock.redis.protocol;

import io.distlock.test.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

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

}
