package io.distlock.internal.hold;

import java.time.Duration;

import io.distlock.LockOptions;
import io.distlock.internal.observe.ObservedAcquisition;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Sharing;
import io.distlock.support.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * The caller of an acquisition, which later owns the hold. Each acquisition has a
 * separate owner object, which the waiter creates and the hold keeps.
 *
 * @param thread the thread, or {@code null} if the handle is the owner
 * @param reportsAtUnlock whether the thread unlocks without a handle
 * @param request what was requested
 */
public record Owner(@Nullable Thread thread, boolean reportsAtUnlock, AcquireOptions request) {

	/** Creates the owner of an acquisition without a thread. */
	public static Owner handle(AcquireOptions request) {
		return new Owner(null, false, request);
	}

	/**
	 * Returns the name of the owner, for messages.
	 * @return the name of its thread, or {@code async}
	 */
	public String name() {
		return (this.thread != null) ? ForeignText.nameOf(this.thread) : "async";
	}

	/**
	 * Returns where the acquisition was requested.
	 * @return the method or place, may be empty
	 */
	public String caller() {
		return this.request.caller();
	}

	/**
	 * Returns what else the request and the settings say.
	 * @return the options
	 */
	public LockOptions options() {
		return this.request.options();
	}

	/**
	 * Returns which other holds may exist beside its hold.
	 * @return the kind of hold
	 */
	public Sharing sharing() {
		return this.request.sharing();
	}

	/**
	 * Returns whether any number of other shared holds may exist beside its hold.
	 * @return {@code true} for a reader
	 */
	public boolean shared() {
		return sharing() instanceof Sharing.Shared;
	}

	/**
	 * Returns whether the acquisition may be nested in a hold of the same thread. A
	 * permit never nests, because each permit is a separate hold.
	 * @return {@code true} for a lock, {@code false} for a permit
	 */
	public boolean nests() {
		return !(sharing() instanceof Sharing.Permit);
	}

	/** Returns how long the owner wants to hold. */
	public LeaseTerm term() {
		return this.request.term();
	}

	@Nullable Duration maxHold() {
		return options().maxHold();
	}

	@Nullable Duration minHold() {
		return options().minHold();
	}

	/** Returns what is notified of the acquisition. */
	public ObservedAcquisition observed() {
		return this.request.observed();
	}

	/** Returns whether the owner thread has ended, so that it can never release. */
	public boolean isGone() {
		return this.thread != null && !this.thread.isAlive();
	}

}
