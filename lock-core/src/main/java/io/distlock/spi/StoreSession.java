package io.distlock.spi;

/**
 * The session of this process in a store that ends holds with it. The engine relies on a
 * hold until its lease ends or its session may be over, whichever comes first. One proof
 * that the session lasts counts for all holds.
 */
@FunctionalInterface
public interface StoreSession {

	/** Of a store whose holds depend on no session: later than any lease. */
	StoreSession NONE = () -> Long.MAX_VALUE / 2;

	/** A session that is over. */
	StoreSession OVER = () -> Long.MIN_VALUE / 2;

	/**
	 * Returns until when the session surely lasts, whatever happens. Asked by any thread,
	 * often; does not block.
	 * @return a moment of {@link System#nanoTime()}; it may have passed
	 */
	long sureUntil();

}
