package io.distlock.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.distlock.test.redis.RedisServer;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Independent servers that have been in use for long: their quarantine is over. */
final class QuorumServers implements AutoCloseable {

	/** At least the longest lease that a contract asks for. */
	private static final Duration QUARANTINE = Duration.ofMinutes(5);

	/**
	 * For servers that answer or are down: with time for a machine that runs many tests
	 * at once.
	 */
	static final RedlockSettings PATIENT = RedlockSettings.builder()
		.commandTimeout(Duration.ofSeconds(20))
		.nodeTimeout(Duration.ofSeconds(6))
		.quarantine(QUARANTINE)
		.build();

	/** For servers that do not answer, which each call waits for. */
	static final RedlockSettings SETTINGS = RedlockSettings.builder()
		.commandTimeout(Duration.ofSeconds(3))
		.nodeTimeout(Duration.ofSeconds(1))
		.quarantine(QUARANTINE)
		.build();

	private static final Map<Client, List<RedlockNode>> SHARED = new EnumMap<>(Client.class);

	private final List<RedisServer> servers;

	private final List<RedisConnectionFactory> factories = new ArrayList<>();

	private final Client client;

	private QuorumServers(int count, Client client) {
		this.servers = Stream.generate(RedisServer::start).limit(count).toList();
		this.client = client;
		this.servers.forEach(QuorumServers::endQuarantine);
	}

	static QuorumServers start(int count, Client client) {
		return new QuorumServers(count, client);
	}

	/** Five nodes for all tests of this JVM that leave them as they were. */
	static synchronized List<RedlockNode> shared(Client client) {
		return SHARED.computeIfAbsent(client, (kind) -> {
			QuorumServers servers = start(5, kind);
			Runtime.getRuntime().addShutdownHook(new Thread(servers::close, "shared-servers-end"));
			return servers.connect();
		});
	}

	/** As an operator would who knows that nobody believes in a lock. */
	static void endQuarantine(RedisServer server) {
		server.command("SET", "lk:%boot", "0");
	}

	RedisServer get(int index) {
		return this.servers.get(index);
	}

	List<RedisServer> all() {
		return this.servers;
	}

	/** Connections for one process. */
	List<RedlockNode> connect() {
		return IntStream.range(0, this.servers.size()).mapToObj((index) -> {
			RedisConnectionFactory factory = this.client.connect(this.servers.get(index));
			this.factories.add(factory);
			return new RedlockNode("n" + (index + 1), factory);
		}).toList();
	}

	@Override
	public void close() {
		this.servers.stream().filter(RedisServer::isRunning).forEach(RedisServer::resume);
		this.factories.forEach(Client::close);
		this.servers.forEach(RedisServer::close);
	}

}
