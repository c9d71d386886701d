package io.distlock.internal.context;

import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.OnLost;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.observe.Observers;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.spi.Capability;
import io.distlock.spi.LockStore;
import io.distlock.spi.Sharing;
import io.distlock.support.KeyText;
import io.distlock.support.StackReserve;
import org.jspecify.annotations.Nullable;

/**
 * Completes requests with the settings, and refuses requests that the store cannot serve.
 */
public final class RequestDefaults {

	private final LockSettings settings;

	private final LockStore store;

	private final Observers observers;

	private final LeaseTerm term;

	/**
	 * Creates the defaults of an engine.
	 * @param settings what counts where a request says nothing
	 * @param store where locks are kept
	 * @param observers observe each request
	 */
	RequestDefaults(LockSettings settings, LockStore store, Observers observers) {
		this.settings = settings;
		this.store = store;
		this.observers = observers;
		this.term = new LeaseTerm(settings.leaseTime(), true);
	}

	/**
	 * Completes a request and begins to observe it.
	 * @param request what to acquire
	 * @return the completed request
	 */
	public AcquireOptions complete(LockRequest request) {
		return complete(request, waitNanos(request));
	}

	/**
	 * Completes a request and begins to observe it. Each acquisition begins here.
	 * @param request what to acquire
	 * @param waitNanos how long to wait
	 * @return the completed request
	 * @throws StackOverflowError if the caller has hardly any stack left
	 */
	public AcquireOptions complete(LockRequest request, long waitNanos) {
		StackReserve.require();
		LeaseTerm wanted = request.leaseTime().map((fixed) -> new LeaseTerm(fixed, false)).orElse(this.term);
		LockOptions options = request.options().orElse(this.settings.options());
		Sharing sharing = Sharing.of(request);
		if (options.minHold() != null && !(sharing instanceof Sharing.Exclusive)) {
			throw new IllegalArgumentException("Lock '" + KeyText.of(request.key())
					+ "' cannot have a minimum hold: it is shared with others. Leave out one of the two");
		}
		if (sharing instanceof Sharing.Shared && this.store.unsupported().contains(Capability.SHARED)) {
			throw new UnsupportedOperationException("There are no readers of '" + KeyText.of(request.key()) + "': "
					+ Capability.SHARED.lackedBy(this.store));
		}
		if (sharing instanceof Sharing.Permit && this.store.unsupported().contains(Capability.PERMITS)) {
			throw new UnsupportedOperationException("There are no permits of '" + KeyText.of(request.key()) + "': "
					+ Capability.PERMITS.lackedBy(this.store));
		}
		return new AcquireOptions(wanted, sharing, waitNanos, this.observers.store(), request.name(), request.caller(),
				options, this.observers.acquiring(request));
	}

	/**
	 * Returns how long a request waits.
	 * @param request what to acquire
	 * @return nanoseconds
	 */
	public long waitNanos(LockRequest request) {
		return LocalDeadline.nanos(AcquireOptions.WaitTime.of(request, this.settings).time());
	}

	/**
	 * Returns how a request wants to react to the loss of its lock.
	 * @param request the request
	 * @return the choice of the request, or else the choice of the settings
	 */
	public @Nullable OnLost onLost(LockRequest request) {
		OnLost wanted = request.options().onLost();
		return (wanted != null) ? wanted : this.settings.options().onLost();
	}

}
