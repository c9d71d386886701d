package io.distlock.redis.pooled;

import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisPoolConfig;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Which clients callers may use, without a server. */
class BoundedClientTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final Duration HALF = TIMEOUT.dividedBy(2);

	private final JedisPoolConfig pool = new JedisPoolConfig();

	BoundedClientTests() {
		this.pool.setMaxWait(HALF);
	}

	private static JedisClientConfiguration.JedisClientConfigurationBuilder client() {
		return JedisClientConfiguration.builder().connectTimeout(HALF).readTimeout(HALF);
	}

	private Optional<String> objection() {
		JedisClientConfiguration client = client().usePooling().poolConfig(this.pool).build();
		return BoundedClient.objection(new JedisConnectionFactory(new RedisStandaloneConfiguration(), client), TIMEOUT);
	}

	@Test
	void timeoutsThatAreTogetherTheCommandTimeoutThenNoObjection() {
		assertThat(objection()).isEmpty();
	}

	@Test
	void aPoolThatWaitsForeverOrLongerThenObjection() {
		this.pool.setMaxWait(Duration.ofMillis(501));
		assertThat(objection())
			.hasValueSatisfying((why) -> assertThat(why).endsWith("a connection of the pool 501 ms"));
		this.pool.setMaxWait(Duration.ofMillis(-1));
		assertThat(objection())
			.hasValueSatisfying((why) -> assertThat(why).endsWith("a connection of the pool forever"));
	}

	@Test
	void aPoolThatTestsOneIdleConnectionAfterTheOtherThenObjection() {
		this.pool.setTestOnBorrow(true);
		assertThat(objection()).hasValueSatisfying((why) -> assertThat(why).contains("test-on-borrow"));
	}

	@Test
	void aPoolThatTestsNewConnectionsThenObjection() {
		this.pool.setTestOnCreate(true);
		assertThat(objection()).hasValueSatisfying((why) -> assertThat(why).contains("test-on-create"));
	}

	@Test
	void noPoolThenObjection() {
		JedisClientConfiguration client = client().usePooling().poolConfig(this.pool).build();
		assertThat(BoundedClient.objection(new WithoutPool(client), TIMEOUT))
			.contains("without a pool it opens a connection for each command");
	}

	@Test
	void aClusterOrAnotherClientThenObjection() {
		assertThat(BoundedClient.objection(new JedisConnectionFactory(new RedisClusterConfiguration(),
				client().usePooling().poolConfig(this.pool).build()), TIMEOUT))
			.isPresent();
		assertThat(BoundedClient.objection(new LettuceConnectionFactory(), TIMEOUT)).isPresent();
	}

	/** Spring Data Redis has pools for all Jedis connections since its version 4.1. */
	private static final class WithoutPool extends JedisConnectionFactory {

		WithoutPool(JedisClientConfiguration client) {
			super(new RedisStandaloneConfiguration(), client);
		}

		@Override
		public boolean getUsePool() {
			return false;
		}

	}

}
