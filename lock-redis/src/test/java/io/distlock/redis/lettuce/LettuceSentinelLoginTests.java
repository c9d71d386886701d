package io.distlock.redis.lettuce;

import java.time.Duration;

import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A Sentinel that refuses the default user. */
@Tag("ci")
class LettuceSentinelLoginTests {

	@Test
	void theWatchLogsInAsTheCredentialsProviderSays() {
		try (RedisSentinel servers = RedisSentinel.start()) {
			RedisServer sentinel = servers.sentinels().get(0);
			int master = servers.master().port();
			sentinel.command("ACL", "SETUSER", "watcher", "on", ">watching", "allchannels", "+@all");
			sentinel.command("ACL", "SETUSER", "default", "off");
			LettuceConnectionFactory factory = new LettuceConnectionFactory(
					new RedisSentinelConfiguration().master(servers.masterName())
						.sentinel(sentinel.host(), sentinel.port()),
					LettuceClientConfiguration.builder().redisCredentialsProviderFactory(new Logins()).build());
			factory.afterPropertiesSet();
			factory.start();
			LettuceSentinels watch = new LettuceSentinels(factory, servers.masterName(), Duration.ofSeconds(30), () -> {
			});
			watch.start();
			assertThat(watch.master()).isNotNull().extracting(RedisURI::getPort).isEqualTo(master);
			watch.close();
			factory.destroy();
		}
	}

	private static final class Logins implements RedisCredentialsProviderFactory {

		@Override
		public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration server) {
			return () -> Mono.just(RedisCredentials.just("default", "any"));
		}

		@Override
		public RedisCredentialsProvider createSentinelCredentialsProvider(RedisSentinelConfiguration sentinel) {
			return () -> Mono.just(RedisCredentials.just("watcher", "watching"));
		}

	}

}
