package io.distlock.internal;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/** A listener of a store that has nothing to report. */
public final class Deaf implements StoreListener {

	@Override
	public void granted(String key, RequestId request, Grant grant) {
		throw new IllegalStateException();
	}

	@Override
	public void contended(String key) {
		throw new IllegalStateException();
	}

	@Override
	public void reconnected() {
		throw new IllegalStateException();
	}

}
