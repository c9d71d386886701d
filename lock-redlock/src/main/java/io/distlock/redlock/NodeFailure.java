package io.distlock.redlock;

import java.time.Duration;

import io.distlock.redis.QuarantineException;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.spi.TransientRefusalException;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;

/**
 * States why the answer of a node does not count.
 *
 * @param node name of the node
 * @param kind the kind of failure
 * @param detail what the client or the node reported
 */
public record NodeFailure(String node, Kind kind, String detail) {

	/** Kinds of failures. */
	public enum Kind {

		/**
		 * The node did not answer in time; whether it executed the command is unknown.
		 */
		TIMED_OUT,

		/** The node lost its data. It grants no locks until the quarantine ends. */
		QUARANTINED,

		/** The node cannot be reached or used at the moment. */
		UNAVAILABLE,

		/** The node refused the command for a reason that may pass. */
		REFUSED_FOR_NOW,

		/** The node reported an error that would recur. */
		REFUSED

	}

	static NodeFailure of(String node, Throwable error) {
		Throwable cause = FutureFailures.unwrap(error);
		if (cause instanceof QuarantineException quarantine) {
			return new NodeFailure(node, Kind.QUARANTINED, "until " + quarantine.until());
		}
		return new NodeFailure(node, kind(cause), ForeignText.messageOf(cause));
	}

	private static Kind kind(Throwable cause) {
		if (cause instanceof TransientRefusalException) {
			return Kind.REFUSED_FOR_NOW;
		}
		return (cause instanceof TransientStoreException) ? Kind.UNAVAILABLE : Kind.REFUSED;
	}

	static NodeFailure timedOut(String node, Duration timeout) {
		return new NodeFailure(node, Kind.TIMED_OUT, "within " + timeout.toMillis() + " ms");
	}

	/** Returns whether the node may answer a repeated command. */
	boolean passing() {
		return this.kind != Kind.REFUSED;
	}

	/** Returns whether the node answered with a refusal. */
	boolean isRefusal() {
		return this.kind == Kind.REFUSED || this.kind == Kind.REFUSED_FOR_NOW;
	}

	@Override
	public String toString() {
		return this.node + " " + switch (this.kind) {
			case TIMED_OUT -> "did not answer " + this.detail;
			case QUARANTINED -> "is in quarantine " + this.detail;
			case UNAVAILABLE -> "is not available (" + this.detail + ")";
			case REFUSED, REFUSED_FOR_NOW -> "failed (" + this.detail + ")";
		};
	}

}
