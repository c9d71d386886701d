package io.distlock.spi;

/**
 * The session of this process in a store that ends holds together with the session. The
 * engine relies on a hold until its lease ends or its session may be over, whichever
 * comes first. One proof that the session lasts counts for all holds.
 */
@FunctionalInterface
public interface StoreSession {

	/**
	 * The session of a store whose holds depend on no session. It ends later than any
	 * lease.
	 */
	StoreSession NONE = () -> Long.MAX_VALUE / 2;

	/** A session that is over. */
	StoreSession OVER = () -> Long.MIN_VALUE / 2;

	/**
	 * Returns the moment until which the session lasts, whatever happens. Any thread may
	 * call this method often. It does not block.
	 * @return a moment of {@link System#nanoTime()}, which may have passed
	 */
	long sureUntil();

}
