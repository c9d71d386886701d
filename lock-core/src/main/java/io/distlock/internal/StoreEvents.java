package io.distlock.internal;

import java.util.function.BooleanSupplier;

import io.distlock.internal.key.LockEntry;
import io.distlock.internal.key.Semaphore;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/** Hands what the store reports unasked to the entry it is about. */
final class StoreEvents implements StoreListener {

	private final LockTable table;

	private final BooleanSupplier finished;

	StoreEvents(LockTable table, BooleanSupplier finished) {
		this.table = table;
		this.finished = finished;
	}

	@Override
	public void granted(String key, RequestId request, Grant grant) {
		LockEntry entry = this.finished.getAsBoolean() ? null : this.table.find(key, request);
		if (entry != null) {
			entry.pushed(request, grant);
		}
	}

	@Override
	public void contended(String key) {
		LockEntry entry = this.table.find(key);
		if (entry != null) {
			entry.contended();
		}
		Semaphore semaphore = this.table.semaphore(key);
		if (semaphore != null) {
			semaphore.contended();
		}
	}

	@Override
	public void revoked(String key) {
		this.table.ofKey(key).forEach(LockEntry::revoked);
	}

	@Override
	public void reconnected() {
		this.table.all().forEach(LockEntry::reconnected);
	}

	@Override
	public void failedOver() {
		this.table.all().forEach(LockEntry::failedOver);
	}

}
