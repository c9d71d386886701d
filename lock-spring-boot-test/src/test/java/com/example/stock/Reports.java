package com.example.stock;

import org.springframework.stereotype.Service;

import io.distlock.DistributedLock;
import io.distlock.OnBusy;

/** A job that several machines start at the same time. */
@Service
class Reports {

	static final String SKIPPED = "skipped";

	@DistributedLock(name = "nightly-report", onBusy = OnBusy.SKIP, skipValue = "skipped", minHold = "10m")
	public String nightly() {
		return "done";
	}

}
