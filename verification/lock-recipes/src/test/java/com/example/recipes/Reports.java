package com.example.recipes;

import io.distlock.DistributedLock;
import io.distlock.OnBusy;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

import org.springframework.stereotype.Component;

// tag::quartz[]
@Component
class Reports {

	private final Runs runs;

	Reports(Runs runs) {
		this.runs = runs;
	}

	@DistributedLock(name = "nightly-report", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "30s")
	public void write() {
		this.runs.add("report");
	}

}

class ReportJob implements Job {

	private final Reports reports;

	ReportJob(Reports reports) {
		this.reports = reports;
	}

	@Override
	public void execute(JobExecutionContext context) {
		this.reports.write();
	}

}
// end::quartz[]
