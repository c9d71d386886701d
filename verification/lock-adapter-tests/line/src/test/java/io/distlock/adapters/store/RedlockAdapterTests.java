package io.distlock.adapters.store;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.test.redis.RedisServer;
import io.distlock.adapters.AdapterContract;
import org.junit.jupiter.api.Tag;

import org.springframework.context.ConfigurableApplicationContext;

@Tag("ci")
class RedlockAdapterTests extends AdapterContract {

	private final List<RedisServer> nodes = Stream.generate(RedisServer::start).limit(3).toList();

	@Override
	protected ConfigurableApplicationContext start() {
		// Nodes without data would grant nothing for as long as a lease.
		this.nodes.forEach((node) -> node.command("SET", "lk:%boot", "0"));
		return start(Application.class, "distributed-lock.store=redlock",
				"distributed-lock.redlock.nodes=" + this.nodes.stream()
					.map((node) -> "redis://" + node.host() + ":" + node.port())
					.collect(Collectors.joining(",")),
				"distributed-lock.redis.startup-check=warn", "distributed-lock.redlock.quarantine=10m");
	}

	@Override
	protected void stopServer() {
		this.nodes.forEach(RedisServer::close);
	}

}
