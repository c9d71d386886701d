package io.distlock.docs;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.OnBusy;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job that three instances of an application start, each when its own clock says so.
 */
class ScheduledJobsExampleTests {

	private static final RedisServer SERVER = RedisServer.start();

	private static final List<Integer> MILLIS_BEHIND = List.of(0, 200, 400);

	private static final int TICKS = 3;

	private static final long TICK_MILLIS = 2000;

	/**
	 * How long after its tick an instance may be done with its try, so that the first one
	 * still keeps the lock, however far the others are behind.
	 */
	private static final long ON_TIME_MILLIS = 800;

	/** How often instances tried, and how often the job ran, by tick. */
	private static final Map<Long, AtomicInteger> TRIES = new ConcurrentHashMap<>();

	private static final Map<Long, AtomicInteger> RUNS = new ConcurrentHashMap<>();

	/** With a try that a busy machine delayed, so that the job may run once more. */
	private static final Set<Long> LATE = ConcurrentHashMap.newKeySet();

	@AfterAll
	static void stop() {
		SERVER.close();
	}

	@Test
	void jobWhenClocksDifferThenRunsOnceATick() {
		List<ConfigurableApplicationContext> instances = new ArrayList<>();
		try {
			for (int behind : MILLIS_BEHIND) {
				instances.add(LockApplications.start(Application.class, "spring.data.redis.host=" + SERVER.host(),
						"spring.data.redis.port=" + SERVER.port(), "millis-behind=" + behind));
			}
			Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> completeTicks().size() >= TICKS);
		}
		finally {
			instances.forEach(ConfigurableApplicationContext::close);
		}
		assertThat(completeTicks()).as("runs of each tick %s", RUNS)
			.allMatch((tick) -> RUNS.getOrDefault(tick, new AtomicInteger()).get() == 1);
	}

	/**
	 * Those that all instances have tried on time and are done with, and whose lock no
	 * late run of the tick before still kept.
	 */
	private static List<Long> completeTicks() {
		return TRIES.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().get() == MILLIS_BEHIND.size())
			.map(Map.Entry::getKey)
			.filter((tick) -> !LATE.contains(tick) && !LATE.contains(tick - 1))
			.toList();
	}

	private static void count(Map<Long, AtomicInteger> counts, long tick) {
		counts.computeIfAbsent(tick, (absent) -> new AtomicInteger()).incrementAndGet();
	}

	// tag::job[]
	static class Reports {

		@Scheduled(cron = "0 0 3 * * *")
		@DistributedLock(name = "nightly-report", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "30s")
		public void nightly() {
			LockContext.current().orElseThrow().ensureHeld();
			// ...
		}

	}
	// end::job[]

	/** So short a job that each instance would find the lock free again. */
	static class FastJob {

		private final OwnClock clock;

		FastJob(OwnClock clock) {
			this.clock = clock;
		}

		@Scheduled(cron = "*/2 * * * * *")
		@DistributedLock(name = "fast", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "1500ms")
		public void run() {
			count(RUNS, this.clock.tick());
		}

	}

	/** The clock of one machine. */
	static class OwnClock {

		final Clock clock;

		OwnClock(int millisBehind) {
			this.clock = Clock.offset(Clock.systemUTC(), Duration.ofMillis(-millisBehind));
		}

		long tick() {
			return this.clock.millis() / TICK_MILLIS;
		}

		boolean isOnTime(long tick) {
			return this.clock.millis() - tick * TICK_MILLIS < ON_TIME_MILLIS;
		}

	}

	/** Tells which tick it has tried. */
	static class OwnScheduler extends ThreadPoolTaskScheduler {

		private final OwnClock own;

		OwnScheduler(OwnClock own) {
			this.own = own;
			setClock(own.clock);
		}

		@Override
		public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
			return super.schedule(() -> {
				long tick = this.own.tick();
				task.run();
				if (!this.own.isOnTime(tick)) {
					LongStream.rangeClosed(tick, this.own.tick()).forEach(LATE::add);
				}
				count(TRIES, tick);
			}, trigger);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Application {

		@Bean
		OwnClock ownClock(@Value("${millis-behind}") int millisBehind) {
			return new OwnClock(millisBehind);
		}

		@Bean
		OwnScheduler taskScheduler(OwnClock clock) {
			return new OwnScheduler(clock);
		}

		@Bean
		FastJob fastJob(OwnClock clock) {
			return new FastJob(clock);
		}

		@Bean
		Reports reports() {
			return new Reports();
		}

	}

}
