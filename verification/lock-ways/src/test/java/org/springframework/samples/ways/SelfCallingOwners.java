package org.springframework.samples.ways;

/** A bean in a package of Spring that calls its own method. */
public class SelfCallingOwners extends Owners {

	/** Calls the annotated method. */
	public String call() {
		return work();
	}

}
