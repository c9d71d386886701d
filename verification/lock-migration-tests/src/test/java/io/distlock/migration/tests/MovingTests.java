package io.distlock.migration.tests;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import com.baomidou.lock.DefaultLockFailureStrategy;
import com.baomidou.lock.DefaultLockKeyBuilder;
import com.baomidou.lock.annotation.Lock4j;
import com.baomidou.lock.aop.LockInterceptor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.Holder;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.LossReason;
import io.distlock.autoconfigure.ConfiguredStores;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.redis.RedisLockAutoConfiguration;
import io.distlock.migration.ForeignLockNames;
import io.distlock.migration.LockMigrationAutoConfiguration;
import io.distlock.migration.tests.OldLibrary.Old;
import io.distlock.migration.tests.OldLibrary.Place;
import io.distlock.operations.LockOperations;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Capability;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.stores.LockTemplates;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;
import io.distlock.test.TestThreads.Task;
import io.distlock.test.redis.RedisServer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What may go wrong while an application moves, with the libraries that it moves from.
 */
@ExtendWith(OutputCaptureExtension.class)
class MovingTests {

	/** So long that nobody who waits for its end is seen here. */
	private static final Duration LONG = Duration.ofMinutes(2);

	private static final Duration SOON = Duration.ofSeconds(20);

	private static RedisServer server;

	private static LettuceConnectionFactory factory;

	private static Place place;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		factory = new LettuceConnectionFactory(server.host(), server.port());
		factory.afterPropertiesSet();
		factory.start();
		place = new Place(server.host() + ":" + server.port(), false, factory, "");
	}

	@AfterAll
	static void stop() {
		factory.destroy();
		server.close();
	}

	private static ApplicationContextRunner application(String... settings) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class,
					LockAnnotationAutoConfiguration.class, RedisLockAutoConfiguration.class,
					LockMigrationAutoConfiguration.class))
			.withBean(LettuceConnectionFactory.class, () -> new LettuceConnectionFactory(server.host(), server.port()))
			.withPropertyValues("distributed-lock.store=redis", "distributed-lock.redis.quarantine=0s",
					"distributed-lock.redis.startup-check=off", "distributed-lock.lease-time=2m",
					"distributed-lock.command-timeout=10s", "distributed-lock.wait-time=20s",
					"distributed-lock.shutdown-timeout=0s")
			.withPropertyValues(settings);
	}

	@ParameterizedTest
	@EnumSource(names = "SHEDLOCK_JDBC", mode = EnumSource.Mode.EXCLUDE)
	void bothExcludeEachOther(OldLibrary library) {
		Old old = library.connect(place);
		application(library.settings()).run((context) -> {
			LockTemplate locks = context.getBean(LockTemplate.class);
			try (LockHandle lock = locks.acquire("stock:" + library)) {
				assertThat(old.take(library.name(), Duration.ZERO)).isEmpty();
				assertThat(lock.isHeld()).isTrue();
			}
			Runnable release = old.take(library.name(), SOON).orElseThrow();
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> locks.acquire(LockRequest.of("stock:" + library).waitAtMost(Duration.ZERO)))
				.withMessageContaining("the locks of");
			assertThat(locks.isLocked("stock:" + library)).isTrue();
			release.run();
			locks.acquire("stock:" + library).close();
			// It may be left to instances of this library, but those who wait learn of
			// it.
			Task<Optional<Runnable>> waiter = TestThreads.inThread(() -> old.take(library.name(), LONG));
			assertThat(TestThreads.get(waiter)).isPresent();
		});
	}

	/** Hazard 1. */
	@ParameterizedTest
	@EnumSource(names = { "REDISSON", "SPRING_INTEGRATION" })
	void releaseWakesWhoeverWaitsWithTheOldLibrary(OldLibrary library) {
		Old old = library.connect(place);
		application(library.settings()).run((context) -> {
			LockHandle lock = context.getBean(LockTemplate.class).acquire("stock:wake" + library);
			Task<Optional<Runnable>> waiter = TestThreads.inThread(() -> {
				Optional<Runnable> release = old.take("wake" + library, LONG);
				release.ifPresent(Runnable::run);
				return release;
			});
			Awaitility.await().atMost(SOON).until(() -> waits(library, "{app:stock:wake" + library + "}"));
			lock.close();
			assertThat(TestThreads.get(waiter)).isPresent();
		});
	}

	private static boolean waits(OldLibrary library, String lock) {
		return (library == OldLibrary.REDISSON)
				? server.command("PUBSUB", "NUMSUB", "redisson_lock__channel:" + lock).endsWith("\n1")
				: !server.command("PUBSUB", "NUMPAT").equals("0");
	}

	/** Hazard 1, where Redisson uses the shards of a Cluster. */
	@Test
	void releaseIsToldOnBothKindsOfChannel() {
		application(OldLibrary.REDISSON.settings()).run((context) -> {
			long before = calls("spublish");
			context.getBean(LockTemplate.class).acquire("stock:shards").close();
			assertThat(calls("spublish")).isGreaterThan(before);
		});
	}

	private static long calls(String command) {
		return server.command("INFO", "commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_" + command + ":"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+).*", "$1")))
			.sum();
	}

	/** Hazard 2. */
	@Test
	void oldJobThatDeletesWithoutLookingEndsOurLockAndThatIsReported() {
		RedisLockProvider shedLock = new RedisLockProvider(factory, "prod");
		application(
				OldLibrary.SHEDLOCK.settings("distributed-lock.lease-time=15s", "distributed-lock.command-timeout=5s"))
			.run((context) -> {
				SimpleLock overrun = shedLock
					.lock(new LockConfiguration(Instant.now(), "stock:deleted", Duration.ofSeconds(2), Duration.ZERO))
					.orElseThrow();
				LockHandle lock = context.getBean(LockTemplate.class)
					.acquire(LockRequest.of("stock:deleted").waitAtMost(SOON));
				List<LockHandle> lost = new ArrayList<>();
				lock.onLost(lost::add);
				overrun.unlock();
				Awaitility.await().atMost(SOON).until(() -> !lost.isEmpty());
				assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld)
					.satisfies((ex) -> assertThat(ex.loss().reason()).isEqualTo(LossReason.TAKEN));
				lock.closeAsync();
			});
	}

	/** Hazard 3. */
	@Test
	void dryRunComparesNamesAndTakesNoLock(CapturedOutput output) {
		Old old = OldLibrary.LOCK4J.connect(place);
		application(OldLibrary.LOCK4J.settings("distributed-lock.stores.old.foreign.dry-run=true")).run((context) -> {
			Runnable release = old.take("dry", SOON).orElseThrow();
			context.getBean(LockTemplate.class).acquire("stock:dry").close();
			release.run();
			context.getBean(LockTemplate.class).acquire("stock:dry").close();
		});
		assertThat(output)
			.contains("lock 'stock:dry' is 'com.shop.Stockdeduct#dry' in the locks of lock4j, where it is held now")
			.contains("where it is free now")
			.contains("'stock:<id>' is 'com.shop.Stockdeduct#<id>' there");
	}

	/** Hazard 3. */
	@Test
	void namesThatTwoLocksCouldHaveAreRefused() {
		refused("The locks 'order' and 'stock' could have the same name in the other library",
				"distributed-lock.stores.old.type=lock4j", "distributed-lock.stores.old.foreign.names.stock=Shop#{id}",
				"distributed-lock.stores.old.foreign.names.order=Shop#{id}",
				"distributed-lock.locks.stock.store=default,old", "distributed-lock.locks.order.store=default,old");
		application("distributed-lock.stores.old.type=lock4j",
				"distributed-lock.stores.old.foreign.names.stock=Shop#{id}",
				"distributed-lock.locks.stock.store=default,old")
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("part",
						Map.of("distributed-lock.stores.old.foreign.names.[stock:eu]", "Shop#{id}"))))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("The locks 'stock' and 'stock:eu' could have the same name"));
		refused("The locks 'order' and 'stock' could have the same name", "distributed-lock.stores.old.type=lock4j",
				"distributed-lock.stores.old.foreign.names.stock=Shop#{id}",
				"distributed-lock.stores.old.foreign.names.order=Shop#{id}/{id}",
				"distributed-lock.locks.stock.store=default,old", "distributed-lock.locks.order.store=default,old");
		refused("all locks would have one name", "distributed-lock.stores.old.type=redisson",
				"distributed-lock.stores.old.foreign.key=stock", "distributed-lock.locks.stock.store=default,old");
		application("distributed-lock.stores.old.type=lock4j",
				"distributed-lock.stores.old.foreign.names.stock=Stock#{id}",
				"distributed-lock.locks.stock.store=default,old", "distributed-lock.locks.order.store=default,old")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	/** Hazard 4. */
	@Test
	void tokensRiseFromStepToStep() {
		application(OldLibrary.REDISSON.settings()).run((context) -> {
			List<LockTemplate> steps = List.of(context.getBean(LockTemplate.class), context.getBean(LockTemplate.class),
					context.getBean(LockTemplates.class).of(LockTemplates.DEFAULT));
			List<Long> tokens = new ArrayList<>();
			for (LockTemplate step : steps) {
				try (LockHandle lock = step.acquire("stock:token")) {
					tokens.add(lock.fencingToken());
				}
			}
			assertThat(tokens).isSorted().doesNotHaveDuplicates();
		});
	}

	/** Hazard 4. */
	@Test
	void oldStoreIsRefusedAsTheFirstOne() {
		refused("cannot give fencing tokens that rise",
				OldLibrary.REDISSON.settings("distributed-lock.locks.stock.store=old,default"));
	}

	/** Hazard 6. */
	@Test
	void whatTheOldLibraryLacksIsRefusedAtStartup() {
		application(OldLibrary.REDISSON.settings()).withBean(Readers.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"there are no readers: the locks of Redisson cannot let readers share a lock"));
		application(OldLibrary.REDISSON.settings()).withBean(Permits.class)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("there are no permits"));
	}

	/** Hazard 6. */
	@Test
	void whatTheOldLibraryLacksIsRefusedAtEachCall() {
		application(OldLibrary.REDISSON.settings()).run((context) -> {
			LockTemplate locks = context.getBean(LockTemplate.class);
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> locks.acquire(LockRequest.of("stock:lacks").mode(LockMode.SHARED)));
			LockOperations operations = context.getBean(LockOperations.class);
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> operations.forceRelease("stock:lacks", "test"));
			assertThat(store(context.getBean(ConfiguredStores.class)).unsupported())
				.isEqualTo(Set.of(Capability.values()));
		});
	}

	/** Hazard 7: the end of such a lease was no news to its holder before either. */
	@Test
	void fixedLeaseOfTheOldLibraryEndsAsBefore() {
		RedissonClient redisson = redisson();
		application(OldLibrary.REDISSON.settings()).run((context) -> {
			RLock old = redisson.getLock("app:stock:fixed");
			old.lock(1, TimeUnit.SECONDS);
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("stock:fixed")) {
				assertThat(old.isHeldByCurrentThread()).isFalse();
				assertThat(lock.isHeld()).isTrue();
			}
		});
		redisson.shutdown();
	}

	/** Hazard 8. */
	@Test
	void lateCopyOfAnAcquireEndsWithItsLease() {
		application(OldLibrary.REDISSON.settings()).run((context) -> {
			LockStore store = store(context.getBean(ConfiguredStores.class));
			RequestId request = new RequestId("late", 1);
			AcquireCommand command = new AcquireCommand("stock:late", request, Duration.ofSeconds(5), Sharing.EXCLUSIVE,
					false, 1, SOON, new Holder("", "", "", "", "", Instant.EPOCH));
			assertThat(store.acquire(command).toCompletableFuture().get()).isInstanceOf(AcquireResult.Granted.class);
			assertThat(store.finish("stock:late", request, Duration.ZERO).toCompletableFuture().get())
				.isEqualTo(FinishResult.RELEASED);
			assertThat(store.acquire(command).toCompletableFuture().get()).isInstanceOf(AcquireResult.Granted.class);
			Awaitility.await().atMost(SOON).until(() -> server.command("EXISTS", "app:stock:late").equals("0"));
			assertThat(store.renew(new RenewCommand("stock:late", request, LONG, 0)).toCompletableFuture().get())
				.isInstanceOf(RenewResult.Gone.class);
			assertThat(server.command("EXISTS", "app:stock:late")).isEqualTo("0");
		});
	}

	/** Hazard 9. */
	@Test
	void clocksOfApplicationsAreRefused() {
		refused("safe only if all instances use the time of the database",
				"distributed-lock.stores.old.type=shedlock-jdbc");
	}

	/** Hazard 10. */
	@Test
	void counterTellsWhetherTheOldLibraryIsInUse() {
		Old old = OldLibrary.SHEDLOCK.connect(place);
		application(OldLibrary.SHEDLOCK.settings()).run((context) -> {
			SimpleMeterRegistry meters = new SimpleMeterRegistry();
			context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(meters));
			LockTemplate locks = context.getBean(LockTemplate.class);
			try (LockHandle lock = locks.acquire("stock:use")) {
				Optional<LockHandle> other = context.getBean(LockTemplates.class)
					.of("old")
					.tryAcquire(LockRequest.of(lock.key()).waitAtMost(Duration.ZERO));
				other.ifPresent(LockHandle::close);
			}
			assertThat(busy(meters)).isZero();
			Runnable release = old.take("use", SOON).orElseThrow();
			assertThat(locks.tryAcquire(LockRequest.of("stock:use").waitAtMost(Duration.ZERO))).isEmpty();
			release.run();
			assertThat(busy(meters)).isOne();
		});
	}

	private static double busy(SimpleMeterRegistry meters) {
		return meters.get("lock.foreign.busy").tag("lock.store", "old").functionCounter().count();
	}

	@Test
	void lockIsKeptForItsMinimumHoldInBoth() {
		Old old = OldLibrary.REDISSON.connect(place);
		application(OldLibrary.REDISSON.settings()).run((context) -> {
			context.getBean(LockTemplate.class).acquire(LockRequest.of("stock:kept").holdAtLeast(LONG)).close();
			assertThat(old.take("kept", Duration.ZERO)).isEmpty();
		});
	}

	@Test
	void nameOfTheOldLockMayBeWrittenInCode() {
		application(OldLibrary.REDISSON.settings())
			.withBean(ForeignLockNames.class, () -> (store, key) -> store + "!" + key)
			.run((context) -> {
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("stock:named")) {
					assertThat(server.command("TYPE", "old!" + lock.key())).isEqualTo("hash");
				}
			});
	}

	/** Hazard 3: between the class and the method there is nothing. */
	@Test
	void lockOfTheAnnotationOfLock4jIsExcludedByTheNameOnThePage() {
		com.baomidou.lock.LockTemplate template = OldLibrary.lock4j(factory);
		LockInterceptor interceptor = new LockInterceptor(template,
				List.of(new DefaultLockKeyBuilder(new DefaultListableBeanFactory())),
				List.of(new DefaultLockFailureStrategy()), new Lock4jProperties());
		interceptor.afterPropertiesSet();
		ProxyFactory proxy = new ProxyFactory(new Deductions());
		proxy.addAdvice(interceptor);
		application("distributed-lock.stores.old.type=lock4j", "distributed-lock.locks.stock.store=default,old",
				"distributed-lock.stores.old.foreign.names.stock=" + Deductions.class.getName() + "deduct#{id}")
			.run((context) -> ((Deductions) proxy.getProxy()).deduct("a", "b",
					() -> assertThat(context.getBean(LockTemplate.class)
						.tryAcquire(LockRequest.of("stock:a.b").waitAtMost(Duration.ZERO))).isEmpty()));
	}

	/** The format is that of Spring Integration: a text under a key with a colon. */
	@Test
	void lockOfYourOwnIsExcludedByTheSettingsOnThePage() {
		AtomicReference<Runnable> work = new AtomicReference<>();
		HandWritten before = new HandWritten(new StringRedisTemplate(factory), (user, amount) -> {
			work.get().run();
			return true;
		});
		application("distributed-lock.stores.old.type=spring-integration",
				"distributed-lock.stores.old.foreign.registry-key=lock",
				"distributed-lock.locks.wallet.store=default,old")
			.withBean(HandWritten.class, () -> before)
			.run((context) -> {
				HandWritten after = context.getBean(HandWritten.class);
				work.set(() -> assertThat(after.payUnderTheLock("42", 1)).isFalse());
				assertThat(before.pay("42", 1)).isTrue();
				work.set(() -> assertThat(before.pay("42", 1)).isFalse());
				assertThat(after.payUnderTheLock("42", 1)).isTrue();
			});
	}

	@Test
	void hangingPlaceDoesNotHoldUpTheCaller() {
		try (RedisServer hanging = RedisServer.start()) {
			application(OldLibrary.REDISSON.settings("distributed-lock.command-timeout=5s"))
				.withBean("hanging", LettuceConnectionFactory.class,
						() -> new LettuceConnectionFactory(hanging.host(), hanging.port()),
						(definition) -> definition.setPrimary(true))
				.run((context) -> {
					LockTemplate old = context.getBean(LockTemplates.class).of("old");
					old.acquire("stock:hangs").close();
					hanging.pause();
					try {
						long begun = System.nanoTime();
						assertThatExceptionOfType(LockStoreException.class)
							.isThrownBy(() -> old.tryAcquire(LockRequest.of("stock:hangs").waitAtMost(Duration.ZERO)));
						assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
					}
					finally {
						hanging.resume();
					}
				});
		}
	}

	/** Such a user cannot tell of a release, and locks work all the same. */
	@Test
	void userWithoutChannelsTakesTurnsToo(CapturedOutput output) {
		server.command("ACL", "SETUSER", "quiet", "on", "nopass", "allkeys", "+@all", "resetchannels");
		Old old = OldLibrary.SPRING_INTEGRATION.connect(place);
		application(OldLibrary.SPRING_INTEGRATION.settings()).withBean("quiet", LettuceConnectionFactory.class, () -> {
			RedisStandaloneConfiguration quiet = new RedisStandaloneConfiguration(server.host(), server.port());
			quiet.setUsername("quiet");
			quiet.setPassword("any");
			return new LettuceConnectionFactory(quiet);
		}, (definition) -> definition.setPrimary(true)).run((context) -> {
			LockTemplate locks = context.getBean(LockTemplates.class).of("old");
			Runnable release = old.take("quiet", SOON).orElseThrow();
			assertThat(locks.tryAcquire(LockRequest.of("stock:quiet").waitAtMost(Duration.ofMillis(200)))).isEmpty();
			release.run();
			locks.acquire("stock:quiet").close();
		});
		assertThat(output).doesNotContain("Commands are repeated");
	}

	@Test
	void patternWithoutKeyIsOfOneLockOnly() {
		application("distributed-lock.stores.old.type=shedlock",
				"distributed-lock.stores.old.foreign.names.stock=nightly",
				"distributed-lock.locks.stock.store=default,old")
			.run((context) -> {
				LockTemplate locks = context.getBean(LockTemplate.class);
				locks.acquire("stock").close();
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.acquire("stock:1"))
					.withStackTraceContaining("All locks 'stock:<id>' would be 'nightly' there");
				assertThat(context.getBean(LockTemplates.class).of(LockTemplates.DEFAULT).isLocked("stock:1"))
					.isFalse();
			});
	}

	@Test
	void otherTypesUnderTheKeyAreRefused() {
		server.command("LPUSH", "app:stock:odd", "x");
		application(OldLibrary.REDISSON.settings("distributed-lock.command-timeout=8s")).run((context) -> {
			LockTemplate locks = context.getBean(LockTemplate.class);
			assertThat(Standstill.timed(() -> assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> locks.acquire(LockRequest.of("stock:odd").waitAtMost(Duration.ofSeconds(1))))
				.withStackTraceContaining("WRONGTYPE"))).isLessThan(Duration.ofSeconds(7));
			assertThat(server.command("TYPE", "app:stock:odd")).isEqualTo("list");
		});
	}

	private static LockStore store(ConfiguredStores stores) {
		return stores.get("old").orElseThrow().store();
	}

	private static RedissonClient redisson() {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://" + place.address());
		return Redisson.create(config);
	}

	private static void refused(String message, String... settings) {
		application(settings).run((context) -> assertThat(context).getFailure().hasStackTraceContaining(message));
	}

	static class Deductions {

		@Lock4j(keys = { "#p0", "#p1" })
		public void deduct(String shop, String id, Runnable body) {
			body.run();
		}

	}

	static class Readers {

		@DistributedLock(name = "stock", key = "#id", mode = LockMode.SHARED)
		public void read(String id) {
		}

	}

	static class Permits {

		@DistributedSemaphore(name = "stock", key = "#id", permits = "2")
		public void use(String id) {
		}

	}

}
