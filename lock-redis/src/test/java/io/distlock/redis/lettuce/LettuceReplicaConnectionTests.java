package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionException;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.distlock.redis.client.ReplicaConnection;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LettuceReplicaConnectionTests {

	@Test
	void connectionThatOpensAfterAnInterruptIsPassedOn() {
		try (RedisServer server = RedisServer.start()) {
			LettuceConnectionFactory factory = new LettuceConnectionFactory(server.host(), server.port());
			factory.afterPropertiesSet();
			factory.start();
			try {
				Queue<ReplicaConnection> late = new ArrayDeque<>();
				Queue<Runnable> attempts = new ArrayDeque<>();
				Thread.currentThread().interrupt();
				assertThatExceptionOfType(CompletionException.class)
					.isThrownBy(() -> LettuceReplicaConnection.open(new LettuceLinks(factory), attempts::add,
							Duration.ofMinutes(1), late::add))
					.withCauseInstanceOf(InterruptedException.class);
				assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
				long before = connections(server);
				attempts.remove().run();
				assertThat(late).singleElement().satisfies((connection) -> assertThat(connection.isSound()).isTrue());
				late.remove().close();
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
