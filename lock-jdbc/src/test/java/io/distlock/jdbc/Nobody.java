package io.distlock.jdbc;

import io.distlock.records.place.RecordEvents;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/** Does nothing about what a store reports, or the records of one. */
final class Nobody implements StoreListener, RecordEvents {

	@Override
	public void granted(String key, RequestId request, Grant grant) {
	}

	@Override
	public void contended(String key) {
	}

	@Override
	public void reconnected() {
	}

	@Override
	public void message(String text) {
	}

	@Override
	public void missed() {
	}

}
