package io.distlock.spi;

import org.jspecify.annotations.Nullable;

import io.distlock.LockMode;
import io.distlock.LockRequest;

/**
 * Says which other holds may exist together with a hold of the same lock. Exclusive
 * holds, shared holds and permits exclude each other.
 */
public sealed interface Sharing {

	/** Allows no other hold. */
	Sharing EXCLUSIVE = new Exclusive();

	/** Allows any number of other shared holds. */
	Sharing SHARED = new Shared();

	/**
	 * Translates the mode and the permits of a request.
	 * @param request the request
	 * @return {@link #EXCLUSIVE}, {@link #SHARED} or a {@link Permit}
	 */
	static Sharing of(LockRequest request) {
		if (request.permits().isPresent()) {
			return new Permit(request.permits().getAsInt());
		}
		return (request.mode() == LockMode.SHARED) ? SHARED : EXCLUSIVE;
	}

	/**
	 * Returns whether a hold of this kind may exist beside holds of the other kind.
	 * {@link #admits} decides how many of them may exist.
	 * @param other kind of the other holds
	 * @return {@code true} if both are shared, or both are permits
	 */
	default boolean goesWith(Sharing other) {
		return !(this instanceof Exclusive) && getClass() == other.getClass();
	}

	/**
	 * Returns whether a hold of this kind may be added to a number of holds of its kind.
	 * @param holds number of valid holds
	 * @return {@code true} if one more is allowed
	 */
	boolean admits(int holds);

	/** A hold that excludes all others. */
	record Exclusive() implements Sharing {

		@Override
		public boolean admits(int holds) {
			return holds == 0;
		}

		// Written by hand, because the JVM generates the equals of a record at its first
		// call. That would take a third of the time of the first lock of a process.
		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Exclusive;
		}

		@Override
		public int hashCode() {
			return 1;
		}

	}

	/** A hold that goes with any number of shared holds. */
	record Shared() implements Sharing {

		@Override
		public boolean admits(int holds) {
			return true;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Shared;
		}

		@Override
		public int hashCode() {
			return 2;
		}

	}

	/**
	 * One of a number of permits.
	 *
	 * @param of how many permits there are, at least 1
	 */
	record Permit(int of) implements Sharing {

		/**
		 * Checks the value.
		 * @param of how many permits there are
		 * @throws IllegalArgumentException if there is less than one permit
		 */
		public Permit {
			if (of < 1) {
				throw new IllegalArgumentException("There must be at least 1 permit, was " + of);
			}
		}

		@Override
		public boolean admits(int holds) {
			return holds < this.of;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Permit permit && permit.of == this.of;
		}

		@Override
		public int hashCode() {
			return this.of;
		}

	}

}
