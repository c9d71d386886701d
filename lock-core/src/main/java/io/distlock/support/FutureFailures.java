package io.distlock.support;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Reads the failures of futures. */
public final class FutureFailures {

	private FutureFailures() {
	}

	/**
	 * Removes the wrappers that futures put around exceptions.
	 * @param failure what a future reported
	 * @return the exception inside
	 */
	public static Throwable unwrap(Throwable failure) {
		Throwable inner = failure;
		while ((inner instanceof CompletionException || inner instanceof ExecutionException)
				&& inner.getCause() != null) {
			inner = inner.getCause();
		}
		return inner;
	}

}
