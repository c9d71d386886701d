package io.distlock.redis;

import java.time.Duration;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What is copied from the application's connection factory, without a server. */
class JedisConnectionsTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static JedisConnectionFactory like(RedisConfiguration servers, LettuceClientConfiguration client) {
		LettuceConnectionFactory application = (servers instanceof RedisStandaloneConfiguration server)
				? new LettuceConnectionFactory(server, client) : new LettuceConnectionFactory(servers, client);
		return JedisConnections.notStarted(application, TIMEOUT, null);
	}

	private static JedisConnectionFactory like(RedisConfiguration servers) {
		return like(servers, LettuceClientConfiguration.defaultConfiguration());
	}

	private static void refused(RedisConfiguration servers, LettuceClientConfiguration client, String why) {
		assertThatIllegalArgumentException().isThrownBy(() -> like(servers, client)).withMessage(why);
	}

	private static RedisStandaloneConfiguration server() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("redis-1", 6380);
		server.setDatabase(3);
		server.setUsername("locks");
		server.setPassword(RedisPassword.of("secret"));
		return server;
	}

	@Test
	void oneServerWithItsUserPasswordDatabaseAndClientName() {
		JedisConnectionFactory jedis = like(server(), LettuceClientConfiguration.builder().clientName("shop").build());
		assertThat(jedis.getStandaloneConfiguration()).isEqualTo(server());
		assertThat(jedis.getClientName()).isEqualTo("shop");
		assertThat(jedis.isUseSsl()).isFalse();
	}

	@Test
	void sentinelAndCluster() {
		RedisSentinelConfiguration sentinel = new RedisSentinelConfiguration().master("main").sentinel("s-1", 26379);
		sentinel.setSentinelPassword("secret");
		assertThat(like(sentinel).getSentinelConfiguration()).isEqualTo(sentinel);
		assertThat(like(sentinel).getClientConfiguration().getReadTimeout()).isEqualTo(TIMEOUT.dividedBy(2));
		RedisClusterConfiguration cluster = new RedisClusterConfiguration().clusterNode("c-1", 7000);
		assertThat(like(cluster).getClusterConfiguration()).isEqualTo(cluster);
	}

	@Test
	void timeoutsAreTogetherTheCommandTimeout() {
		JedisConnectionFactory jedis = like(server());
		assertThat(jedis.getClientConfiguration().getReadTimeout()).isEqualTo(TIMEOUT.dividedBy(2));
		assertThat(jedis.getClientConfiguration().getConnectTimeout()).isEqualTo(TIMEOUT.dividedBy(2));
		assertThat(jedis.getPoolConfig().getMaxWaitDuration()).isEqualTo(TIMEOUT.dividedBy(2));
	}

	@Test
	void tlsVerifiesTheNameOfTheServerAsLettuceDoes() {
		JedisConnectionFactory jedis = like(server(), LettuceClientConfiguration.builder().useSsl().build());
		assertThat(jedis.isUseSsl()).isTrue();
		assertThat(jedis.getClientConfiguration().getSslParameters())
			.hasValueSatisfying((tls) -> assertThat(tls.getEndpointIdentificationAlgorithm()).isEqualTo("HTTPS"));
	}

	@Test
	void tlsOfABundle() {
		SSLSocketFactory sockets = (SSLSocketFactory) SSLSocketFactory.getDefault();
		SSLParameters parameters = new SSLParameters(null, new String[] { "TLSv1.3" });
		LettuceConnectionFactory application = new LettuceConnectionFactory(server(), sslOptions());
		JedisClientConfiguration jedis = JedisConnections
			.notStarted(application, TIMEOUT, new JedisConnections.Tls(sockets, parameters))
			.getClientConfiguration();
		assertThat(jedis.getSslSocketFactory()).containsSame(sockets);
		assertThat(jedis.getSslParameters())
			.hasValueSatisfying((tls) -> assertThat(tls.getProtocols()).containsExactly("TLSv1.3"));
	}

	private static LettuceClientConfiguration sslOptions() {
		return LettuceClientConfiguration.builder()
			.clientOptions(
					ClientOptions.builder().sslOptions(SslOptions.builder().protocols("TLSv1.3").build()).build())
			.useSsl()
			.build();
	}

	@Test
	void jedisOfTheApplicationIsCopiedWithItsTls() {
		SSLSocketFactory sockets = (SSLSocketFactory) SSLSocketFactory.getDefault();
		JedisConnectionFactory application = new JedisConnectionFactory(server(),
				JedisClientConfiguration.builder().clientName("shop").useSsl().sslSocketFactory(sockets).build());
		JedisConnectionFactory jedis = JedisConnections.notStarted(application, TIMEOUT, null);
		assertThat(jedis.getStandaloneConfiguration()).isEqualTo(server());
		assertThat(jedis.getClientConfiguration().getSslSocketFactory()).containsSame(sockets);
		assertThat(jedis.getClientName()).isEqualTo("shop");
	}

	@Test
	void whatJedisCannotDoIsRefused() {
		LettuceClientConfiguration usual = LettuceClientConfiguration.defaultConfiguration();
		refused(new RedisSocketConfiguration("/run/redis.sock"), usual,
				"connects by a RedisSocketConfiguration, which Jedis does not know");
		refused(server(), LettuceClientConfiguration.builder().useSsl().startTls().build(), "uses StartTLS");
		refused(server(), LettuceClientConfiguration.builder().useSsl().disablePeerVerification().build(),
				"does not verify certificates");
		refused(server(), sslOptions(),
				"has SslOptions of Lettuce, which Jedis knows only from spring.data.redis.ssl.bundle");
	}

	/** With static replicas, each getter of the factory reports localhost. */
	@Test
	void staticReplicasAreRefusedInsteadOfLocalhost() {
		LettuceConnectionFactory application = new LettuceConnectionFactory(
				new RedisStaticMasterReplicaConfiguration("redis-1"));
		assertThatNoServerIsNamed(application);
		application.start();
		assertThatNoServerIsNamed(application);
		application.destroy();
	}

	/** Its getters report host, port and database, but no user. */
	@Test
	void aServerThatOnlyTheClientKnowsIsRefusedInsteadOfLocalhost() {
		RedisConfiguration server = server();
		assertThatNoServerIsNamed(new LettuceConnectionFactory(server));
	}

	private static void assertThatNoServerIsNamed(LettuceConnectionFactory application) {
		assertThatIllegalArgumentException().isThrownBy(() -> JedisConnections.notStarted(application, TIMEOUT, null))
			.withMessage("names no server: pass a RedisStandaloneConfiguration to its constructor, and start it");
	}

	@Test
	void localhostIsCopied() {
		LettuceConnectionFactory application = new LettuceConnectionFactory();
		application.start();
		assertThat(JedisConnections.notStarted(application, TIMEOUT, null).getStandaloneConfiguration())
			.isEqualTo(new RedisStandaloneConfiguration());
		application.destroy();
	}

	@Test
	void aCommandTimeoutThatIsTooShortIsRefused() {
		LettuceConnectionFactory application = new LettuceConnectionFactory(server());
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JedisConnections.notStarted(application, Duration.ofMillis(1), null))
			.withMessageContaining("1ms");
	}

}
