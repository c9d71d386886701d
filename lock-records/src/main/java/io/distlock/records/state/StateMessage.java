package io.distlock.records.state;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;

/** What an engine should be notified of once a change of the lock is stored. */
public sealed interface StateMessage {

	/**
	 * Returns the receiver.
	 * @return the engine
	 */
	String engine();

	/**
	 * Returns the incarnation of the receiver that the message is for.
	 * @return the incarnation
	 */
	String incarnation();

	/**
	 * A queued request was granted the lock.
	 *
	 * @param request the request
	 * @param incarnation the incarnation of its process
	 * @param expiresAt end of the claim, in milliseconds of the store's clock
	 * @param now the store's clock
	 * @param tokens its fencing tokens
	 */
	record Granted(RequestId request, String incarnation, long expiresAt, long now,
			ReservedTokens tokens) implements StateMessage {

		@Override
		public String engine() {
			return this.request.engine();
		}

		/**
		 * Returns the grant, once its tokens have numbers.
		 * @return the grant
		 */
		public Grant grant() {
			return new Grant(this.tokens.first(), this.tokens.count(), this.expiresAt, this.now);
		}

	}

	/**
	 * Another instance began to wait for the lock.
	 *
	 * @param engine who holds it
	 * @param incarnation its incarnation
	 */
	record Contended(String engine, String incarnation) implements StateMessage {
	}

	/**
	 * Holds of an engine were released by force.
	 *
	 * @param engine who held the lock
	 * @param incarnation its incarnation
	 */
	record Revoked(String engine, String incarnation) implements StateMessage {
	}

}
