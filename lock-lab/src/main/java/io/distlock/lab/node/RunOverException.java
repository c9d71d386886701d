package io.distlock.lab.node;

/** The run has ended: a caller stops where it is. */
class RunOverException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RunOverException() {
		super("The run is over", null, false, false);
	}

}
