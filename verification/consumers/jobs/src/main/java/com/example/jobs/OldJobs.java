package com.example.jobs;

import com.example.jobs.JobsApplication.Work;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The jobs before the move: instances that still run during the roll-out. */
@Profile("old")
@Component
class OldJobs {

	private final RedissonClient redisson;

	private final Work work;

	OldJobs(RedissonClient redisson, Work work) {
		this.redisson = redisson;
		this.work = work;
	}

	// tag::old[]
	@Scheduled(cron = "${jobs.cron}")
	@SchedulerLock(name = "report", lockAtMostFor = "10m", lockAtLeastFor = "5m")
	public void report() {
		this.work.run("old report");
	}

	@Scheduled(cron = "${jobs.cron}")
	@SchedulerLock(name = "archive", lockAtMostFor = "10m", lockAtLeastFor = "5m")
	public void archive() {
		this.work.run("old archive");
	}

	@Scheduled(cron = "${jobs.cron}")
	public void cleanUp() {
		RLock lock = this.redisson.getLock("app:cleanup");
		if (lock.tryLock()) {
			try {
				this.work.run("old cleanup");
			}
			finally {
				lock.unlock();
			}
		}
	}
	// end::old[]

	@Profile("old")
	@Configuration(proxyBeanMethods = false)
	static class Provider {

		@Bean
		LockProvider lockProvider(RedisConnectionFactory redis) {
			return new RedisLockProvider(redis, "prod");
		}

	}

}
