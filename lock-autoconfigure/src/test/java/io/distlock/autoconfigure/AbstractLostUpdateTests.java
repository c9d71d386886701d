package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import io.distlock.DistributedLock;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two applications, each with several threads, read a number from a real database and
 * write it back one higher, under a lock in a real Redis.
 */
@ExtendWith(OutputCaptureExtension.class)
abstract class AbstractLostUpdateTests {

	private static final int THREADS = 4;

	private static final int ROUNDS = 10;

	private static final int EXPECTED = 2 * THREADS * ROUNDS;

	/** Outside of the naive lock, which has the lowest precedence. */
	private static final int TRANSACTIONS = Ordered.LOWEST_PRECEDENCE - 1;

	private static RedisServer redis;

	protected abstract String url();

	@BeforeAll
	static void startRedis() {
		redis = RedisServer.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@Test
	void countWhenTheLockIsOutsideOfTheTransactionThenNothingIsLost(CapturedOutput output) throws Exception {
		assertThat(count(Counter.class)).isEqualTo(EXPECTED);
		assertThat(output).doesNotContain("@DistributedLock on");
	}

	/** The lock is not released before the commit, wherever it is. */
	@Test
	void countWhenTheOrderIsSetInsideOfTheTransactionThenWarnedOfAndNothingIsLost(CapturedOutput output)
			throws Exception {
		assertThat(count(Counter.class, "distributed-lock.advice-order=" + Ordered.LOWEST_PRECEDENCE))
			.isEqualTo(EXPECTED);
		assertThat(output).contains("@DistributedLock on AbstractLostUpdateTests.Counter.increment(): the method's "
				+ "transaction begins before its lock is taken, because the order of the lock ("
				+ Ordered.LOWEST_PRECEDENCE + ") is not lower than that of transactions (" + TRANSACTIONS + ").");
	}

	/** That the others could fail. */
	@Test
	void countWhenTheLockIsReleasedInsideOfTheTransactionThenUpdatesAreLost() throws Exception {
		assertThat(count(NaiveCounter.class)).isBetween(1, EXPECTED - 1);
	}

	private int count(Class<? extends Increment> counter, String... properties) throws Exception {
		JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(url()));
		jdbc.execute("DROP TABLE IF EXISTS counter");
		jdbc.execute("CREATE TABLE counter (amount INT)");
		jdbc.update("INSERT INTO counter VALUES (0)");
		List<String> all = new ArrayList<>(List.of(properties));
		all.addAll(List.of("counter.url=" + url(), "spring.data.redis.host=" + redis.host(),
				"spring.data.redis.port=" + redis.port(), "distributed-lock.command-timeout=10s"));
		Reads.latch = new CountDownLatch(2);
		try (ConfigurableApplicationContext first = start(all); ConfigurableApplicationContext second = start(all)) {
			increment(List.of(first.getBean(counter), second.getBean(counter)));
		}
		return jdbc.queryForObject("SELECT amount FROM counter", Integer.class);
	}

	private static ConfigurableApplicationContext start(List<String> properties) {
		return LockApplications.start(Application.class, properties.toArray(String[]::new));
	}

	private static void increment(List<Increment> counters) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS);
		try {
			List<Future<?>> running = new ArrayList<>();
			for (Increment counter : counters) {
				for (int i = 0; i < THREADS; i++) {
					running.add(threads.submit(() -> {
						for (int round = 0; round < ROUNDS; round++) {
							counter.increment();
						}
					}));
				}
			}
			for (Future<?> thread : running) {
				thread.get(120, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** How many have read so far: the naive ones commit only when another has. */
	static final class Reads {

		private static volatile CountDownLatch latch = new CountDownLatch(2);

		private Reads() {
		}

		static void await() throws InterruptedException {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = TRANSACTIONS, proxyTargetClass = true)
	@Import({ Counter.class, NaiveCounter.class })
	static class Application {

		@Bean
		DataSource dataSource(@Value("${counter.url}") String url) {
			return new DriverManagerDataSource(url);
		}

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			return new JdbcTemplate(dataSource);
		}

		@Bean
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

		/** As somebody would write it: inside, and over when the method is. */
		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor naiveLock(ObjectProvider<LockTemplate> locks) {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.addMethodName("increment");
			pointcut.setClassFilter((type) -> NaiveCounter.class.isAssignableFrom(type));
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) (invocation) -> {
				try (LockHandle lock = locks.getObject()
					.acquire(LockRequest.of("naive").waitAtMost(Duration.ofSeconds(60)))) {
					invocation.proceed();
				}
				Reads.await();
				return null;
			});
			advisor.setOrder(Ordered.LOWEST_PRECEDENCE);
			return advisor;
		}

	}

	interface Increment {

		void increment();

	}

	static class Counter implements Increment {

		private final JdbcTemplate jdbc;

		Counter(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Override
		@Transactional
		@DistributedLock(name = "counter", waitTime = "60s")
		public void increment() {
			readAndWrite(this.jdbc);
		}

		private static void readAndWrite(JdbcTemplate jdbc) {
			int amount = jdbc.queryForObject("SELECT amount FROM counter", Integer.class);
			Reads.latch.countDown();
			jdbc.update("UPDATE counter SET amount = ?", amount + 1);
		}

	}

	static class NaiveCounter implements Increment {

		private final JdbcTemplate jdbc;

		NaiveCounter(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Override
		@Transactional
		public void increment() {
			Counter.readAndWrite(this.jdbc);
		}

	}

}
