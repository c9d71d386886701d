package io.distlock.benchmark.peer;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockTemplateBuilder;
import io.distlock.ReleaseMode;
import io.distlock.redis.RedisLockStore;
import io.distlock.redis.RedisLockStoreSettings;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** This project's lock on Lettuce. */
final class OurPeer implements Peer {

	private static final Duration LONG = Duration.ofMinutes(10);

	/** As long as others wait: a process that just began on a busy machine needs it. */
	private static final Duration TIMEOUT = Duration.ofSeconds(9);

	private final LettuceConnectionFactory factory;

	private final CloseableLockTemplate template;

	private OurPeer(RedisAddress redis, LockSettings.Builder settings) {
		this.factory = redis.connect();
		// Others connect before they are ready, too.
		this.factory.getConnection().close();
		RedisLockStoreSettings store = RedisLockStoreSettings.builder().commandTimeout(TIMEOUT).build();
		this.template = LockTemplateBuilder.forStore(new RedisLockStore(this.factory, store))
			.settings(settings.commandTimeout(TIMEOUT).build())
			.build();
	}

	static Peer confirmed(RedisAddress redis) {
		return new OurPeer(redis, LockSettings.builder());
	}

	static Peer sent(RedisAddress redis) {
		return new OurPeer(redis, LockSettings.builder().release(ReleaseMode.SENT));
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
	}

}
