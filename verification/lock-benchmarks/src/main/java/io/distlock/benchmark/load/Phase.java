package io.distlock.benchmark.load;

/** What the acquisitions of a crew count for at the moment. */
public enum Phase {

	/** For nothing. */
	SETTLING,

	/** For the results. */
	MEASURED,

	/** For the number of commands alone, since watching them slows the server. */
	WATCHED,

	/** For nothing: everybody goes home. */
	OVER

}
