package io.distlock.jdbc;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/** Does nothing about what a store reports. */
final class Nobody implements StoreListener {

	@Override
	public void granted(String key, RequestId request, Grant grant) {
	}

	@Override
	public void contended(String key) {
	}

	@Override
	public void reconnected() {
	}

}
