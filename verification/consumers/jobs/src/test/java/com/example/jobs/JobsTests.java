package com.example.jobs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import com.example.jobs.JobsApplication.Work;
import io.distlock.LockTemplate;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Instances of the three deployments of a move, on one Redis. */
class JobsTests {

	private static final String NEVER = "-";

	private static final String EACH_SECOND = "* * * * * *";

	private final RedisServer redis = RedisServer.start();

	private final List<String> done = new CopyOnWriteArrayList<>();

	private Runnable meanwhile = () -> {
	};

	@AfterEach
	void stop() {
		this.redis.close();
	}

	private ConfigurableApplicationContext start(String profile, String cron) {
		return new SpringApplicationBuilder(JobsApplication.class, Clock.class).profiles(profile)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean("recorded", Work.class,
					() -> this::run, (definition) -> definition.setPrimary(true)))
			.run("--spring.data.redis.port=" + this.redis.port(), "--jobs.cron=" + cron);
	}

	private void run(String job) {
		this.done.add(job);
		Runnable other = this.meanwhile;
		this.meanwhile = () -> {
		};
		other.run();
	}

	@Test
	void allThreeLibrariesUseTheConnectionsOfRedisson() {
		try (ConfigurableApplicationContext now = start("now", NEVER)) {
			assertThat(now.getBean(RedisConnectionFactory.class).getClass().getName()).contains("edisson");
			now.getBean(RedissonClient.class).getLock("report").lock(); // another lock
																		// than ours
			now.getBean(Jobs.class).report();
			now.getBean(Jobs.class).archive();
			LockTemplate locks = now.getBean(LockTemplate.class);
			assertThat(this.done).containsExactly("report", "archive").allMatch(locks::isLocked);
		}
	}

	@Test
	void schedulersOfTwoInstancesRunEachJobOnce() {
		try (ConfigurableApplicationContext one = start("now", EACH_SECOND);
				ConfigurableApplicationContext two = start("now", EACH_SECOND)) {
			await().atMost(Duration.ofMinutes(2)).until(() -> one.getBean(Clock.class).ticks.get() > 1);
			await().atMost(Duration.ofMinutes(2)).until(() -> two.getBean(Clock.class).ticks.get() > 1);
		}
		assertThat(this.done).containsExactlyInAnyOrder("report", "archive", "cleanup");
	}

	@Test
	void instancesOfTheFirstAndTheSecondDeploymentExcludeEachOther() {
		try (ConfigurableApplicationContext old = start("old", NEVER);
				ConfigurableApplicationContext moving = start("moving", NEVER)) {
			OldJobs before = old.getBean(OldJobs.class);
			Jobs after = moving.getBean(Jobs.class);
			this.meanwhile = after::cleanUp;
			before.cleanUp();
			this.meanwhile = before::cleanUp;
			after.cleanUp();
			before.report();
			after.report();
			after.archive();
			before.archive();
			assertThat(this.done).containsExactly("old cleanup", "cleanup", "old report", "archive");
		}
	}

	@Test
	void instancesOfTheSecondAndTheThirdDeploymentExcludeEachOther() {
		try (ConfigurableApplicationContext moving = start("moving", NEVER);
				ConfigurableApplicationContext last = start("now", NEVER)) {
			this.meanwhile = last.getBean(Jobs.class)::cleanUp;
			moving.getBean(Jobs.class).cleanUp();
			moving.getBean(Jobs.class).report();
			last.getBean(Jobs.class).report();
			last.getBean(Jobs.class).archive();
			moving.getBean(Jobs.class).archive();
			assertThat(this.done).containsExactly("cleanup", "report", "archive");
		}
	}

	/** Has a turn after the other jobs of its instance had theirs. */
	static class Clock {

		private final AtomicInteger ticks = new AtomicInteger();

		@Scheduled(cron = "${jobs.cron}")
		void tick() {
			this.ticks.incrementAndGet();
		}

	}

}
