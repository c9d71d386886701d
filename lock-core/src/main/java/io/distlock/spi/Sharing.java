package io.distlock.spi;

import io.distlock.LockMode;

/**
 * With whom a lock may be held. Whoever wants it alone and those who share it exclude
 * each other; so do those of {@link #SHARED} and those of a number of permits.
 *
 * @param permits how many may hold it together, 0 for one alone,
 * {@link Integer#MAX_VALUE} for any number
 */
public record Sharing(int permits) {

	/** With nobody. */
	public static final Sharing EXCLUSIVE = new Sharing(0);

	/** With any number of others that share it too. */
	public static final Sharing SHARED = new Sharing(Integer.MAX_VALUE);

	/**
	 * Checks the value.
	 * @throws IllegalArgumentException if negative
	 */
	public Sharing {
		if (permits < 0) {
			throw new IllegalArgumentException("Permits must not be negative, was " + permits);
		}
	}

	/**
	 * What a mode means.
	 * @param mode the mode
	 * @return with whom
	 */
	public static Sharing of(LockMode mode) {
		return (mode == LockMode.SHARED) ? SHARED : EXCLUSIVE;
	}

	/**
	 * Whether nobody else may hold it.
	 * @return {@code true} for one alone
	 */
	public boolean isExclusive() {
		return this.permits == 0;
	}

	/**
	 * Whether any number may hold it together.
	 * @return {@code true} for {@link #SHARED}
	 */
	public boolean isShared() {
		return this.permits == SHARED.permits;
	}

	/**
	 * Whether it is one of a number of permits.
	 * @return {@code true} for neither one alone nor any number
	 */
	public boolean isPermit() {
		return !isExclusive() && !isShared();
	}

	/**
	 * Whether a hold of this kind and one of the other kind may exist at the same time.
	 * How many of them may is another question.
	 * @param other kind of the other hold
	 * @return {@code true} if both are shared, or both are permits
	 */
	public boolean goesWith(Sharing other) {
		return !isExclusive() && !other.isExclusive() && isShared() == other.isShared();
	}

}
