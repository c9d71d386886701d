package io.distlock.redis;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.distlock.test.redis.RedisServer;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** A user with the rights that the documentation lists, or some of them. */
final class MinimalRights {

	static final String LIST = "~lk:* &lk:ch:* +hello +auth +ping +client|setname +evalsha +eval +hmget +hget +hset "
			+ "+hdel +hgetall +hlen +exists +pexpire +pttl +time +publish +subscribe +unsubscribe";

	/** What operators need to list locks; not tried at startup. */
	static final String LISTING = LIST + " +scan";

	static final String QUARANTINE = LIST + " +get +set";

	private static final Map<Client, RedisConnectionFactory> FACTORIES = new EnumMap<>(Client.class);

	private MinimalRights() {
	}

	static String without(String command) {
		return without(LIST, command);
	}

	static String without(String rights, String command) {
		List<String> less = new ArrayList<>(List.of(rights.split(" ")));
		if (!less.remove("+" + command)) {
			throw new IllegalArgumentException("The list has no " + command);
		}
		return String.join(" ", less);
	}

	/** On the server that tests share, for a user who may also list locks. */
	static synchronized RedisLockStore store(Client client) {
		RedisConnectionFactory factory = FACTORIES.computeIfAbsent(client, (kind) -> {
			RedisConnectionFactory connected = kind.connect(user(SharedServers.standalone(), LISTING),
					SharedServers.CONNECTIONS);
			SharedServers.atEnd(() -> Client.close(connected));
			return connected;
		});
		return new RedisLockStore(factory, SharedServers.PATIENT);
	}

	static RedisConnectionFactory connect(Client client, RedisServer server, String rights) {
		return client.connect(user(server, rights));
	}

	private static RedisStandaloneConfiguration user(RedisServer server, String rights) {
		List<String> words = new ArrayList<>(
				List.of("ACL", "SETUSER", "app", "reset", "resetchannels", "on", ">secret"));
		words.addAll(List.of(rights.split(" ")));
		server.command(words.toArray(String[]::new));
		RedisStandaloneConfiguration configuration = Client.of(server);
		configuration.setUsername("app");
		configuration.setPassword("secret");
		return configuration;
	}

}
