package org.springframework.samples.ways;

import io.distlock.DistributedLock;
import io.distlock.ways.Witness;

/** A bean in a package of Spring, where its samples live. */
public class Owners {

	@DistributedLock(name = Witness.LOCK)
	public String work() {
		return Witness.work();
	}

}
