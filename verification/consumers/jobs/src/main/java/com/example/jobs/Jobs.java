package com.example.jobs;

import com.example.jobs.JobsApplication.Work;
import io.distlock.DistributedLock;
import io.distlock.OnBusy;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The jobs after the move. */
@Profile("!old")
@Component
class Jobs {

	private final Work work;

	Jobs(Work work) {
		this.work = work;
	}

	// tag::jobs[]
	@Scheduled(cron = "${jobs.cron}")
	@DistributedLock(name = "report", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "5m")
	public void report() {
		this.work.run("report");
	}

	@Scheduled(cron = "${jobs.cron}")
	@SchedulerLock(name = "archive", lockAtMostFor = "10m", lockAtLeastFor = "5m")
	public void archive() {
		this.work.run("archive");
	}

	@Scheduled(cron = "${jobs.cron}")
	@DistributedLock(name = "cleanup", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "5m")
	public void cleanUp() {
		this.work.run("cleanup");
	}
	// end::jobs[]

}
