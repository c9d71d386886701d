package io.distlock.adapters;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.spring.shedlock.LockTemplateLockProvider;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Two instances of an application whose jobs have the annotation of ShedLock. */
class SchedulerLockTests {

	private static ConfigurableApplicationContext one;

	private static ConfigurableApplicationContext two;

	@BeforeAll
	static void start() {
		one = AdapterContract.start(Jobs.class, "jobs.delay=3600000");
		two = AdapterContract.start(Jobs.class, "jobs.delay=3600000");
	}

	@AfterAll
	static void stop() {
		two.close();
		one.close();
	}

	@Test
	void jobsOfTwoInstancesThenOneRunsAndTheLockStaysTakenForItsLeastTime() {
		one.getBean(Jobs.class).report();
		two.getBean(Jobs.class).report();
		one.getBean(Jobs.class).report();
		assertThat(one.getBean(Jobs.class).reports()).isOne();
		assertThat(two.getBean(Jobs.class).reports()).isZero();
		assertThat(two.getBean(LockTemplate.class).isLocked("report")).isTrue();
	}

	@Test
	void jobThatExtendsItsLockThenItStaysTaken() {
		one.getBean(Jobs.class).longReport();
		assertThat(one.getBean(Jobs.class).longReports()).isOne();
		assertThat(one.getBean(LockTemplate.class).isLocked("long-report")).isTrue();
	}

	@Test
	void jobWhenAnAnnotatedMethodHoldsTheLockOfItsNameThenSkipped() {
		try (LockHandle lock = one.getBean(LockTemplate.class).acquire("plain-report")) {
			one.getBean(Jobs.class).plainReport();
			assertThat(lock.isHeld()).isTrue();
		}
		assertThat(one.getBean(Jobs.class).plainReports()).isZero();
		one.getBean(Jobs.class).plainReport();
		assertThat(one.getBean(Jobs.class).plainReports()).isOne();
	}

	@Test
	void schedulerThenRunsTheJobUnderTheLock() {
		try (ConfigurableApplicationContext other = AdapterContract.start(Jobs.class, "jobs.delay=10")) {
			await().until(() -> other.getBean(Jobs.class).ticks() > 1);
		}
	}

	@Test
	void timesOfALockThatNoLeaseHasThenTheNearestOnes() {
		Duration centuries = Duration.ofDays(365L * 200);
		SimpleLock lock = one.getBean(LockProvider.class)
			.lock(new LockConfiguration(ClockProvider.now(), "centuries", centuries, centuries))
			.orElseThrow();
		lock.extend(centuries, centuries).orElseThrow().unlock();
		assertThat(one.getBean(LockTemplate.class).isLocked("centuries")).isTrue();
	}

	@Test
	void providerOfTheApplicationThenIsKept() {
		try (ConfigurableApplicationContext other = AdapterContract.start(OwnProvider.class)) {
			assertThat(other.getBean(LockProvider.class)).isNotInstanceOf(LockTemplateLockProvider.class);
		}
	}

	@Test
	void locksSwitchedOffThenNoProvider() {
		try (ConfigurableApplicationContext other = AdapterContract.start(AdapterContract.Application.class,
				"distributed-lock.enabled=false")) {
			assertThat(other.getBeanNamesForType(LockProvider.class)).isEmpty();
		}
	}

	@Import({ AdapterContract.Application.class, SharedMemory.class })
	@EnableScheduling
	@EnableSchedulerLock(defaultLockAtMostFor = "10m")
	static class Jobs {

		private final AtomicInteger reports = new AtomicInteger();

		private final AtomicInteger longReports = new AtomicInteger();

		private final AtomicInteger plainReports = new AtomicInteger();

		private final AtomicInteger ticks = new AtomicInteger();

		@Scheduled(fixedDelayString = "${jobs.delay}", initialDelayString = "${jobs.delay}")
		@SchedulerLock(name = "tick")
		void tick() {
			LockAssert.assertLocked();
			this.ticks.incrementAndGet();
		}

		// tag::job[]
		@SchedulerLock(name = "report", lockAtMostFor = "5m", lockAtLeastFor = "1m")
		void report() {
			LockAssert.assertLocked();
			this.reports.incrementAndGet();
		}
		// end::job[]

		@SchedulerLock(name = "long-report")
		void longReport() {
			LockExtender.extendActiveLock(Duration.ofMinutes(2), Duration.ofMinutes(1));
			this.longReports.incrementAndGet();
		}

		@SchedulerLock(name = "plain-report")
		void plainReport() {
			this.plainReports.incrementAndGet();
		}

		int reports() {
			return this.reports.get();
		}

		int longReports() {
			return this.longReports.get();
		}

		int plainReports() {
			return this.plainReports.get();
		}

		int ticks() {
			return this.ticks.get();
		}

	}

	@Import({ AdapterContract.Application.class, SharedMemory.class })
	static class OwnProvider {

		@Bean
		LockProvider ownProvider() {
			return (configuration) -> Optional.empty();
		}

	}

}
