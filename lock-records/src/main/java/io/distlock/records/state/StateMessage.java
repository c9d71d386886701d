package io.distlock.records.state;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;

/** A notification for an engine, sent after a change of the lock is stored. */
public sealed interface StateMessage {

	/**
	 * Returns the receiver.
	 * @return the engine
	 */
	String engine();

	/**
	 * Returns the incarnation of the receiver.
	 * @return the incarnation
	 */
	String incarnation();

	/**
	 * Reports that a queued request was granted the lock.
	 *
	 * @param request the request
	 * @param incarnation the incarnation of the request's process
	 * @param expiresAt end of the claim, in milliseconds of the store's clock
	 * @param now the store's clock
	 * @param tokens the fencing tokens of the grant
	 */
	record Granted(RequestId request, String incarnation, long expiresAt, long now,
			ReservedTokens tokens) implements StateMessage {

		@Override
		public String engine() {
			return this.request.engine();
		}

		/**
		 * Returns the grant. Its tokens must have numbers.
		 * @return the grant
		 */
		public Grant grant() {
			return new Grant(this.tokens.first(), this.tokens.count(), this.expiresAt, this.now);
		}

	}

	/**
	 * Reports that another instance began to wait for the lock.
	 *
	 * @param engine the engine that holds the lock
	 * @param incarnation its incarnation
	 */
	record Contended(String engine, String incarnation) implements StateMessage {
	}

	/**
	 * Reports that holds of an engine were released by force.
	 *
	 * @param engine the engine that held the lock
	 * @param incarnation its incarnation
	 */
	record Revoked(String engine, String incarnation) implements StateMessage {
	}

}
