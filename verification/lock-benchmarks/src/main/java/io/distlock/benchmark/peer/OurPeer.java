package io.distlock.benchmark.peer;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.ReleaseMode;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.observe.LockObserver;
import io.distlock.redis.JedisConnections;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.spi.LockClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** This project's lock on Lettuce, or on Jedis. */
final class OurPeer implements Peer {

	private static final Duration LONG = Duration.ofMinutes(10);

	/** As long as others wait: a process that just began on a busy machine needs it. */
	static final Duration TIMEOUT = Duration.ofSeconds(9);

	private final CloseableLockTemplate template;

	private final Runnable end;

	private OurPeer(RedisConnectionFactory factory, LockSettings.Builder settings, LockObserver observer,
			Runnable end) {
		this.end = end;
		// Others connect before they are ready, too.
		factory.getConnection().close();
		RedisLockStoreSettings store = RedisLockStoreSettings.builder().commandTimeout(TIMEOUT).build();
		this.template = LockTemplateBuilder.forStore(new RedisLockStore(factory, store))
			.settings(settings.commandTimeout(TIMEOUT).build())
			.observer(observer)
			.build();
	}

	static Peer confirmed(RedisAddress redis) {
		return onLettuce(redis, LockSettings.builder(), LockObserver.NONE, () -> {
		});
	}

	private static Peer onLettuce(RedisAddress redis, LockSettings.Builder settings, LockObserver observer,
			Runnable end) {
		LettuceConnectionFactory factory = redis.connect();
		return new OurPeer(factory, settings, observer, () -> {
			factory.destroy();
			end.run();
		});
	}

	/** The caller sends its commands itself. */
	static Peer direct(RedisAddress redis) {
		JedisConnectionFactory application = redis.connectJedis();
		JedisConnections connections = JedisConnections.like(application, TIMEOUT, null);
		return new OurPeer(connections.factory(), LockSettings.builder(), LockObserver.NONE, () -> {
			connections.close();
			application.destroy();
		});
	}

	static Peer sent(RedisAddress redis) {
		return onLettuce(redis, LockSettings.builder().release(ReleaseMode.SENT), LockObserver.NONE, () -> {
		});
	}

	static Peer metered(RedisAddress redis) {
		Metered meters = new Metered(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
		return onLettuce(redis, LockSettings.builder(), meters.observer(), meters::close);
	}

	static Peer traced(RedisAddress redis) {
		Traced traces = new Traced();
		return onLettuce(redis, LockSettings.builder(), traces.observer(), traces::close);
	}

	@Override
	public Held acquire(String key) {
		return acquire(LockRequest.of(key));
	}

	private Held acquire(LockRequest request) {
		return this.template.acquire(request.waitAtMost(LONG))::close;
	}

	/**
	 * A thread that does not run may still be on the way to its place, behind one that
	 * the machine has stopped.
	 */
	@Override
	public boolean isWaiting(Thread thread) {
		return LockSupport.getBlocker(thread) instanceof LockClock;
	}

	@Override
	public Together together() {
		return new Together() {

			@Override
			public Held read(String key) {
				return acquire(LockRequest.of(key).mode(LockMode.SHARED));
			}

			@Override
			public Held write(String key) {
				return acquire(LockRequest.of(key));
			}

			@Override
			public Held permit(String key, int permits) {
				return acquire(LockRequest.of(key).permits(permits));
			}

		};
	}

	@Override
	public void close() {
		this.template.close();
		this.end.run();
	}

}
