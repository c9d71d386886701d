package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionException;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LettuceReplicaConnectionTests {

	@Test
	void connectionThatOpensAfterAnInterruptIsClosed() {
		try (RedisServer server = RedisServer.start()) {
			LettuceConnectionFactory factory = new LettuceConnectionFactory(server.host(), server.port());
			factory.afterPropertiesSet();
			factory.start();
			try {
				Queue<Runnable> attempts = new ArrayDeque<>();
				Thread.currentThread().interrupt();
				assertThatExceptionOfType(CompletionException.class)
					.isThrownBy(() -> LettuceReplicaConnection.open(new LettuceLinks(factory), attempts::add,
							Duration.ofMinutes(1)))
					.withCauseInstanceOf(InterruptedException.class);
				assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
				long before = connections(server);
				attempts.remove().run();
				Awaitility.await().until(() -> connections(server) == before);
			}
			finally {
				factory.destroy();
			}
		}
	}

	private static long connections(RedisServer server) {
		return server.command("CLIENT", "LIST").lines().count();
	}

}
