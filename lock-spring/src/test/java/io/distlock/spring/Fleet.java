package io.distlock.spring;

import java.time.Duration;
import java.util.List;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisLockStore;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;

/** The same Spring application twice, on a real Redis. */
final class Fleet implements AutoCloseable {

	private final RedisServer server = RedisServer.start();

	private final AnnotationConfigApplicationContext one;

	private final AnnotationConfigApplicationContext two;

	private final ShiftedClock clock = new ShiftedClock();

	Fleet(Class<?> application) {
		this.one = start(application);
		this.two = start(application);
	}

	private AnnotationConfigApplicationContext start(Class<?> application) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(LettuceConnectionFactory.class,
				() -> new LettuceConnectionFactory(this.server.host(), this.server.port()));
		context.registerBean(ShiftedClock.class, () -> this.clock);
		context.register(Locks.class, application);
		context.refresh();
		return context;
	}

	<T> T get(Class<T> type) {
		return this.one.getBean(type);
	}

	/** The bean of both applications. */
	<T> List<T> both(Class<T> type) {
		return List.of(this.one.getBean(type), this.two.getBean(type));
	}

	/** The template of the second application, which sees what the first one holds. */
	LockTemplate other() {
		return this.two.getBean(LockTemplate.class);
	}

	/** Whether the second application finds the lock busy right now. */
	boolean isBusy(String key) {
		return TestThreads.isBusy(other(), key);
	}

	/** Both applications believe that leases of 20 s are over. */
	void outliveLeases() {
		this.clock.outliveLeases();
	}

	@Override
	public void close() {
		this.two.close();
		this.one.close();
		this.server.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks(proxyTargetClass = true)
	@EnableAspectJAutoProxy(proxyTargetClass = true)
	static class Locks {

		/** A machine under load needs patience. */
		@Bean
		CloseableLockTemplate lockTemplate(RedisConnectionFactory redis, ShiftedClock clock) {
			return LockTemplateBuilder.forStore(new RedisLockStore(redis))
				.settings(LockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build())
				.clock(clock)
				.build();
		}

	}

}
