package io.distlock.redis;

import java.time.Duration;
import java.util.List;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The ways in which locks connect to a single server. */
enum Way {

	LETTUCE {
		@Override
		Opened to(RedisStandaloneConfiguration server) {
			return ofApplication(Client.LETTUCE.connect(server));
		}
	},

	/** The pool of the application. */
	JEDIS {
		@Override
		Opened to(RedisStandaloneConfiguration server) {
			return ofApplication(Client.JEDIS.connect(server));
		}
	},

	/** A pool that only locks use. */
	OWN_JEDIS {
		@Override
		Opened to(RedisStandaloneConfiguration server) {
			return ownJedis(server);
		}
	},

	/** As a node of Redlock, or a server that only the locks know. */
	NODE_OF_JEDIS {
		@Override
		Opened to(RedisStandaloneConfiguration server) {
			RedisConnections own = RedisConnections.withJedis(
					List.of(RedisAddress
						.parse("redis://" + login(server) + server.getHostName() + ":" + server.getPort())),
					Duration.ofSeconds(1));
			return new Opened(own.servers().get(0).factory(), own::close);
		}

		private String login(RedisStandaloneConfiguration server) {
			return server.getPassword()
				.map((password) -> server.getUsername() + ":" + new String(password) + "@")
				.orElse("");
		}
	};

	abstract Opened to(RedisStandaloneConfiguration server);

	static Opened ownJedis(RedisConfiguration servers) {
		LettuceConnectionFactory application = (servers instanceof RedisStandaloneConfiguration server)
				? new LettuceConnectionFactory(server) : new LettuceConnectionFactory(servers);
		JedisConnections own = JedisConnections.like(application, Duration.ofSeconds(1), null);
		return new Opened(own.factory(), own::close);
	}

	static Opened ofApplication(RedisConnectionFactory factory) {
		return new Opened(factory, () -> Client.close(factory));
	}

	record Opened(RedisConnectionFactory factory, Runnable closer) implements AutoCloseable {

		@Override
		public void close() {
			this.closer.run();
		}

	}

}
