package io.distlock.redlock;

import java.time.Duration;
import java.util.concurrent.CompletionException;

import io.distlock.redis.QuarantineException;
import io.distlock.spi.TransientStoreException;

/**
 * Why a node of a quorum is not counted.
 *
 * @param node its name
 * @param kind what it comes down to
 * @param detail what the client or the node said
 */
public record NodeFailure(String node, Kind kind, String detail) {

	/** What a failure comes down to. */
	public enum Kind {

		/** It did not answer in time; what it did is not known. */
		TIMED_OUT,

		/** It lost its data, and grants nothing until all leases from before are over. */
		QUARANTINED,

		/** It cannot be reached or used at the moment. */
		UNAVAILABLE,

		/** It will give the same error again. */
		REFUSED

	}

	static NodeFailure of(String node, Throwable error) {
		Throwable cause = (error instanceof CompletionException && error.getCause() != null) ? error.getCause() : error;
		if (cause instanceof QuarantineException quarantine) {
			return new NodeFailure(node, Kind.QUARANTINED, "until " + quarantine.until());
		}
		return new NodeFailure(node, (cause instanceof TransientStoreException) ? Kind.UNAVAILABLE : Kind.REFUSED,
				String.valueOf(cause.getMessage()));
	}

	static NodeFailure timedOut(String node, Duration timeout) {
		return new NodeFailure(node, Kind.TIMED_OUT, "within " + timeout.toMillis() + " ms");
	}

	/** Whether it may answer when asked again. */
	boolean passing() {
		return this.kind != Kind.REFUSED;
	}

	@Override
	public String toString() {
		return this.node + " " + switch (this.kind) {
			case TIMED_OUT -> "did not answer " + this.detail;
			case QUARANTINED -> "is in quarantine " + this.detail;
			case UNAVAILABLE -> "is not available (" + this.detail + ")";
			case REFUSED -> "failed (" + this.detail + ")";
		};
	}

}
