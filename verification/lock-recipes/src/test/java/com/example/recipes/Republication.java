package com.example.recipes;

import java.time.Duration;

import io.distlock.DistributedLock;
import io.distlock.OnBusy;

import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

// tag::republication[]
@Component
class Republication {

	private final IncompleteEventPublications publications;

	Republication(IncompleteEventPublications publications) {
		this.publications = publications;
	}

	@Scheduled(fixedDelay = 60_000)
	@DistributedLock(name = "republication", waitTime = "0", onBusy = OnBusy.SKIP, minHold = "30s")
	public void resubmit() {
		this.publications.resubmitIncompletePublicationsOlderThan(Duration.ofMinutes(5));
	}

}
// end::republication[]
