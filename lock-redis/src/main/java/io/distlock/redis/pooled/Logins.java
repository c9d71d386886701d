package io.distlock.redis.pooled;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;

import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.util.StringUtils;

/** States how Jedis opens connections that only locks use. */
final class Logins {

	private Logins() {
	}

	/**
	 * Returns how to connect and log in.
	 * @param opening TLS, the name of the client, and the times that a connection may
	 * take to open
	 * @param user {@code null} for the default user
	 */
	static JedisClientConfig of(JedisClientConfiguration opening, @Nullable String user, RedisPassword password,
			int database) {
		DefaultJedisClientConfig.Builder login = DefaultJedisClientConfig.builder()
			.connectionTimeoutMillis((int) opening.getConnectTimeout().toMillis())
			.socketTimeoutMillis((int) opening.getReadTimeout().toMillis())
			.database(database);
		opening.getClientName().ifPresent(login::clientName);
		if (StringUtils.hasLength(user)) {
			login.user(user);
		}
		password.map(String::new).ifPresent(login::password);
		if (opening.isUseSsl()) {
			login.ssl(true);
			opening.getSslSocketFactory().ifPresent(login::sslSocketFactory);
			opening.getSslParameters().ifPresent(login::sslParameters);
			opening.getHostnameVerifier().ifPresent(login::hostnameVerifier);
		}
		return login.build();
	}

}
