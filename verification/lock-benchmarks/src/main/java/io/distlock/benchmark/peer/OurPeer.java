package io.distlock.benchmark.peer;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockTemplateBuilder;
import io.distlock.ReleaseMode;
import io.distlock.observe.LockObserver;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** This project's lock on Lettuce. */
final class OurPeer implements Peer {

	private static final Duration LONG = Duration.ofMinutes(10);

	/** As long as others wait: a process that just began on a busy machine needs it. */
	private static final Duration TIMEOUT = Duration.ofSeconds(9);

	private final LettuceConnectionFactory factory;

	private final CloseableLockTemplate template;

	private final Runnable end;

	private OurPeer(RedisAddress redis, LockSettings.Builder settings) {
		this(redis, settings, LockObserver.NONE, () -> {
		});
	}

	private OurPeer(RedisAddress redis, LockSettings.Builder settings, LockObserver observer, Runnable end) {
		this.end = end;
		this.factory = redis.connect();
		// Others connect before they are ready, too.
		this.factory.getConnection().close();
		RedisLockStoreSettings store = RedisLockStoreSettings.builder().commandTimeout(TIMEOUT).build();
		this.template = LockTemplateBuilder.forStore(new RedisLockStore(this.factory, store))
			.settings(settings.commandTimeout(TIMEOUT).build())
			.observer(observer)
			.build();
	}

	static Peer confirmed(RedisAddress redis) {
		return new OurPeer(redis, LockSettings.builder());
	}

	static Peer sent(RedisAddress redis) {
		return new OurPeer(redis, LockSettings.builder().release(ReleaseMode.SENT));
	}

	static Peer metered(RedisAddress redis) {
		Metered meters = new Metered(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
		return new OurPeer(redis, LockSettings.builder(), meters.observer(), meters::close);
	}

	@Override
	public Held acquire(String key) {
		return acquire(LockRequest.of(key));
	}

	private Held acquire(LockRequest request) {
		return this.template.acquire(request.waitAtMost(LONG))::close;
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
		this.factory.destroy();
		this.end.run();
	}

}
