package io.distlock.docs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The examples of {@code docs/annotation.md}, in two applications on one Redis.
 */
class SharingExampleTests {

	private static final ExecutorService THREADS = Executors.newCachedThreadPool();

	private static RedisServer redis;

	private static ConfigurableApplicationContext one;

	private static ConfigurableApplicationContext two;

	@BeforeAll
	static void start() {
		redis = RedisServer.start();
		one = application();
		two = application();
	}

	private static ConfigurableApplicationContext application() {
		return application("distributed-lock.locks.mails.permits=1");
	}

	private static ConfigurableApplicationContext application(String property) {
		return LockApplications.start(Application.class, "spring.data.redis.port=" + redis.port(),
				"distributed-lock.lease-time=15s", "distributed-lock.command-timeout=5s", property);
	}

	@AfterAll
	static void stop() {
		THREADS.shutdownNow();
		one.close();
		two.close();
		redis.close();
	}

	@Test
	void readersOfAllApplicationsRunTogetherAndTheWriterAlone() throws Exception {
		CyclicBarrier together = new CyclicBarrier(3);
		List<Future<String>> readers = new ArrayList<>();
		for (ConfigurableApplicationContext application : List.of(one, one, two)) {
			PriceList prices = application.getBean(PriceList.class);
			prices.whileReading(() -> together.await(20, TimeUnit.SECONDS));
			readers.add(THREADS.submit(() -> prices.price("de", "book")));
		}
		for (Future<String> reader : readers) {
			assertThat(TestThreads.get(reader)).isEqualTo("none");
		}
		one.getBean(PriceList.class).whileReading(() -> 0);
		two.getBean(PriceList.class).whileReading(() -> 0);
		LockTemplate elsewhere = two.getBean(LockTemplate.class);
		LockRequest read = LockRequest.of("prices:de").mode(LockMode.SHARED).waitAtMost(Duration.ZERO);
		one.getBean(PriceList.class).whileWriting(() -> assertThat(elsewhere.tryAcquire(read)).isEmpty());
		one.getBean(PriceList.class).replace("de", Map.of("book", "7 EUR"));
		assertThat(one.getBean(PriceList.class).price("de", "book")).isEqualTo("7 EUR");
	}

	@Test
	void theReadWriteLockOfTheTemplate() throws Exception {
		Catalog catalog = new Catalog(one.getBean(LockTemplate.class));
		catalog.rename("book", "Book");
		assertThat(catalog.name("book")).isEqualTo("Book");
		ReadWriteLock lock = one.getBean(LockTemplate.class).getReadWriteLock("catalog");
		ReadWriteLock elsewhere = two.getBean(LockTemplate.class).getReadWriteLock("catalog");
		lock.readLock().lock();
		assertThat(elsewhere.readLock().tryLock()).isTrue();
		assertThat(TestThreads.get(THREADS.submit(() -> elsewhere.writeLock().tryLock()))).isFalse();
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock.writeLock().lock())
			.withMessage("Lock 'catalog' cannot be upgraded: thread '" + Thread.currentThread().getName()
					+ "' holds it shared and would wait for itself; release it, then acquire it exclusively");
		elsewhere.readLock().unlock();
		lock.readLock().unlock();
	}

	@Test
	void aWriterThatMayReadOnwards() {
		LockTemplate locks = one.getBean(LockTemplate.class);
		LockHandle writer = locks.acquire(LockRequest.of("catalog"));
		LockHandle reader = locks.acquire(LockRequest.of("catalog").mode(LockMode.SHARED));
		writer.close(); // others may read now
		reader.close(); // released
		assertThat(reader.isHeld()).isFalse();
	}

	@Test
	void noMoreThanThePermitsRunInAllApplications() throws Exception {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		Runnable body = () -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			running.decrementAndGet();
		};
		List<Future<?>> calls = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			TaxOffice office = ((i % 2 == 0) ? one : two).getBean(TaxOffice.class);
			office.whileAsking(body);
			calls.add(THREADS.submit(() -> office.ask("de")));
		}
		for (Future<?> call : calls) {
			TestThreads.get(call);
		}
		assertThat(most.get()).isBetween(1, 3);
	}

	@Test
	void theNumberOfPermitsMayBeConfigured() throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch leave = new CountDownLatch(1);
		Mails mails = one.getBean(Mails.class);
		mails.whileSending(() -> {
			inside.countDown();
			return leave.await(20, TimeUnit.SECONDS);
		});
		Future<?> first = THREADS.submit(mails::send);
		assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> two.getBean(Mails.class).send())
			.withMessageStartingWith("Lock 'mails' is busy: not acquired within 0s; held by ");
		leave.countDown();
		TestThreads.get(first);
	}

	@Test
	@Tag("ci")
	void thePermitsOfAnApplicationThatEndedComeBack() {
		ConfigurableApplicationContext ending = application("distributed-lock.shutdown-timeout=0s");
		ending.getBean(LockTemplate.class).acquire(LockRequest.of("gate").permits(1));
		ending.close();
		LockTemplate locks = one.getBean(LockTemplate.class);
		LockRequest gate = LockRequest.of("gate").permits(1).waitAtMost(Duration.ofSeconds(60));
		try (LockHandle permit = locks.acquire(gate)) {
			permit.ensureHeld();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ PriceList.class, TaxOffice.class, Mails.class })
	static class Application {

	}

	static class PriceList {

		private static final Map<String, Map<String, String>> PRICES = new ConcurrentHashMap<>();

		private volatile Callable<?> whileReading = () -> 0;

		/** Goes to the bean behind the proxy. */
		public void whileReading(Callable<?> action) {
			this.whileReading = action;
		}

		private volatile Runnable whileWriting = () -> {
		};

		/** Goes to the bean behind the proxy. */
		public void whileWriting(Runnable action) {
			this.whileWriting = action;
		}

		// tag::annotation[]
		@DistributedLock(name = "prices", key = "#country", mode = LockMode.SHARED)
		public String price(String country, String sku) throws Exception {
			return find(country, sku);
		}

		@DistributedLock(name = "prices", key = "#country")
		public void replace(String country, Map<String, String> prices) {
			store(country, prices);
		}
		// end::annotation[]

		private String find(String country, String sku) throws Exception {
			this.whileReading.call();
			return PRICES.getOrDefault(country, Map.of()).getOrDefault(sku, "none");
		}

		private void store(String country, Map<String, String> prices) {
			this.whileWriting.run();
			PRICES.put(country, prices);
		}

	}

	static class Catalog {

		private final Map<String, String> names = new ConcurrentHashMap<>();

		private final ReadWriteLock lock;

		Catalog(LockTemplate locks) {
			this.lock = locks.getReadWriteLock("catalog");
		}

		String name(String sku) {
			Lock reading = this.lock.readLock();
			reading.lock();
			try {
				return this.names.get(sku);
			}
			finally {
				reading.unlock();
			}
		}

		void rename(String sku, String name) {
			this.lock.writeLock().lock();
			try {
				this.names.put(sku, name);
			}
			finally {
				this.lock.writeLock().unlock();
			}
		}

	}

	static class TaxOffice {

		private volatile Runnable whileAsking = () -> {
		};

		/** Goes to the bean behind the proxy. */
		public void whileAsking(Runnable action) {
			this.whileAsking = action;
		}

		// tag::semaphore[]
		@DistributedSemaphore(name = "tax-office", key = "#country", permits = "${tax.permits:3}", waitTime = "20s")
		public void ask(String country) {
			callTheirServer(country);
		}
		// end::semaphore[]

		private void callTheirServer(String country) {
			this.whileAsking.run();
		}

	}

	static class Mails {

		private volatile Callable<?> whileSending = () -> 0;

		/** Goes to the bean behind the proxy. */
		public void whileSending(Callable<?> action) {
			this.whileSending = action;
		}

		@DistributedSemaphore(name = "mails", permits = "5", waitTime = "0")
		public Object send() throws Exception {
			return this.whileSending.call();
		}

	}

}
