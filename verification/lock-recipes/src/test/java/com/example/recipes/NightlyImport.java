package com.example.recipes;

import java.time.LocalDate;

import io.distlock.DistributedLock;
import io.distlock.OnBusy;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecutionException;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

// tag::batch[]
@Component
class NightlyImport {

	private final JobOperator jobs;

	private final Job importJob;

	NightlyImport(JobOperator jobs, Job importJob) {
		this.jobs = jobs;
		this.importJob = importJob;
	}

	@Scheduled(cron = "0 0 3 * * *")
	@DistributedLock(name = "nightly-import", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "30s")
	public void run() throws JobExecutionException {
		this.jobs.start(this.importJob,
				new JobParametersBuilder().addLocalDate("day", LocalDate.now()).toJobParameters());
	}

}
// end::batch[]
