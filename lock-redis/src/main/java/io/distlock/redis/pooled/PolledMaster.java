package io.distlock.redis.pooled;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.RedisServer;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.ClassUtils;

import io.distlock.support.LoopGuard;

/**
 * Asks a Sentinel every second which server is the master. It serves a client that
 * follows the master but does not report a change. It takes one daemon thread.
 */
final class PolledMaster {

	private static final Logger logger = LoggerFactory.getLogger(PolledMaster.class);

	private static final String THREAD = "distributed-lock-redis-sentinel";

	private static final long INTERVAL_MILLIS = 1000;

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			PolledMaster.class.getClassLoader());

	private final RedisConnectionFactory factory;

	private final String name;

	private final Runnable changed;

	private final Runnable settled;

	private final CountDownLatch closed = new CountDownLatch(1);

	/** Only the thread uses this field. */
	private @Nullable String known;

	/**
	 * Whether to report once more, because the client may follow later than the Sentinel
	 * answers.
	 */
	private boolean again;

	private PolledMaster(RedisConnectionFactory factory, String name, Runnable changed, Runnable settled) {
		this.factory = factory;
		this.name = name;
		this.changed = changed;
		this.settled = settled;
	}

	/**
	 * Starts to ask, if there are Sentinels.
	 * @param factory the application's connection factory
	 * @param changed runs when another server is the master
	 * @param settled runs one second after a change
	 * @return the poller, or {@code null} without Sentinels
	 */
	static @Nullable PolledMaster start(RedisConnectionFactory factory, Runnable changed, Runnable settled) {
		String name = JEDIS ? Jedis.masterName(factory) : null;
		if (name == null) {
			return null;
		}
		PolledMaster polled = new PolledMaster(factory, name, changed, settled);
		Thread thread = new Thread(polled::poll, THREAD);
		thread.setDaemon(true);
		thread.start();
		return polled;
	}

	void close() {
		this.closed.countDown();
	}

	private void poll() {
		LoopGuard guard = new LoopGuard(THREAD);
		Runnable visit = this::visit;
		try {
			do {
				guard.run(visit);
			}
			while (!this.closed.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void visit() {
		String master;
		try {
			master = master();
		}
		catch (Exception ex) {
			logger.debug("No Sentinel says which server is master '{}'", this.name, ex);
			return;
		}
		if (this.again) {
			this.again = false;
			this.settled.run();
		}
		if (master != null && !master.equals(this.known)) {
			boolean first = this.known == null;
			this.known = master;
			if (!first) {
				logger.info("Redis master '{}' is {} now, according to Sentinel", this.name, master);
				this.again = true;
				this.changed.run();
			}
		}
	}

	private @Nullable String master() throws Exception {
		try (RedisSentinelConnection sentinel = this.factory.getSentinelConnection()) {
			return sentinel.masters()
				.stream()
				.filter((server) -> this.name.equals(server.getName()))
				.map(RedisServer::asString)
				.findFirst()
				.orElse(null);
		}
	}

	/** Loaded only if Jedis is on the class path. */
	private static final class Jedis {

		static @Nullable String masterName(RedisConnectionFactory factory) {
			RedisSentinelConfiguration configuration = (factory instanceof JedisConnectionFactory jedis)
					? jedis.getSentinelConfiguration() : null;
			NamedNode master = (configuration != null) ? configuration.getMaster() : null;
			return (master != null) ? master.getName() : null;
		}

	}

}
