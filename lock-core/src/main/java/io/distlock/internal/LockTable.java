package io.distlock.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.key.LockEntry;
import io.distlock.internal.key.Registry;
import io.distlock.internal.key.Semaphore;
import io.distlock.internal.key.SlotNews;
import io.distlock.internal.request.Release;
import io.distlock.internal.waiting.Waiter;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import io.distlock.support.StackReserve;
import org.jspecify.annotations.Nullable;

/**
 * The entries of all keys in use. A key without waiters and holds has no entry. The table
 * passes each unasked report of the store to the entry that it concerns.
 */
final class LockTable implements StoreListener {

	private final EngineContext engine;

	private final Registry<String, LockEntry> entries;

	/** The entries of permits: a semaphore may have several. */
	private final Registry<Semaphore.Slot, LockEntry> slots;

	private final Registry<String, Semaphore> semaphores;

	LockTable(EngineContext engine) {
		this.engine = engine;
		Consumer<LockEntry> drop = this::drop;
		this.entries = new Registry<>((key) -> new LockEntry(key, 0, engine, drop, null, () -> null));
		this.slots = new Registry<>(this::createSlot);
		this.semaphores = new Registry<>((key) -> new Semaphore(key, engine, this.slots, this::drop));
	}

	private LockEntry createSlot(Semaphore.Slot slot) {
		return new LockEntry(slot.key(), slot.number(), this.engine, (entry) -> this.slots.remove(slot, entry),
				(news) -> notifySemaphore(slot, news), () -> this.semaphores.find(slot.key()));
	}

	private void notifySemaphore(Semaphore.Slot slot, SlotNews news) {
		Semaphore semaphore = this.semaphores.find(slot.key());
		if (semaphore != null) {
			semaphore.slotChanged(slot.number(), news);
		}
	}

	private void drop(LockEntry entry) {
		this.entries.remove(entry.key(), entry);
	}

	private void drop(Semaphore semaphore) {
		this.semaphores.remove(semaphore.key(), semaphore);
	}

	/** Returns the entry of a key, for a caller who must have stack left. */
	@Nullable LockEntry find(String key) {
		StackReserve.require();
		return this.entries.find(key);
	}

	/**
	 * Returns the entry of a hold, unless that entry was dropped after a loss, for a
	 * caller who must have stack left.
	 */
	@Nullable LockEntry of(Hold hold) {
		StackReserve.require();
		return find(hold.key(), hold.request());
	}

	@Nullable Semaphore semaphore(String key) {
		return this.semaphores.find(key);
	}

	/**
	 * Queues a waiter for a lock or a permit.
	 * @param key the key
	 * @param waiter the waiter
	 * @return where it waits
	 */
	Waiter.QueueOwner join(String key, Waiter waiter) {
		return waiter.owner().nests() ? this.entries.with(key, waiter, LockEntry::join)
				: this.semaphores.with(key, waiter, Semaphore::join);
	}

	/** Ends the wait of a waiter, unless it has ended. */
	void cancel(String key, Waiter waiter) {
		StackReserve.require();
		if (waiter.outcome() != null) {
			return;
		}
		Waiter.QueueOwner queue = waiter.owner().nests() ? this.entries.find(key) : this.semaphores.find(key);
		if (queue != null) {
			queue.cancel(waiter);
		}
	}

	/**
	 * Begins a release in the entry of its lock or permit. After a loss that entry may be
	 * a new one.
	 */
	void release(String key, RequestId request, Release release) {
		if (request.isPermit()) {
			this.slots.with(new Semaphore.Slot(key, request.slot()), release, LockEntry::release);
		}
		else {
			this.entries.with(key, release, LockEntry::release);
		}
	}

	// What the store reports unasked

	/** Returns the entry of the lock or permit that a request is for. */
	@Nullable LockEntry find(String key, RequestId request) {
		return request.isPermit() ? this.slots.find(new Semaphore.Slot(key, request.slot())) : this.entries.find(key);
	}

	@Override
	public void granted(String key, RequestId request, Grant grant) {
		LockEntry entry = this.engine.stopped() ? null : find(key, request);
		if (entry != null) {
			entry.pushed(request, grant);
		}
	}

	@Override
	public void contended(String key) {
		LockEntry entry = this.entries.find(key);
		if (entry != null) {
			entry.contended();
		}
		Semaphore semaphore = this.semaphores.find(key);
		if (semaphore != null) {
			semaphore.contended();
		}
	}

	@Override
	public void revoked(String key) {
		LockEntry entry = this.entries.find(key);
		if (entry != null) {
			entry.revoked();
		}
		Semaphore semaphore = this.semaphores.find(key);
		if (semaphore != null) {
			semaphore.revoked();
		}
	}

	@Override
	public void reconnected() {
		this.engine.reconnected();
		all().forEach(LockEntry::reconnected);
	}

	@Override
	public void failedOver() {
		all().forEach(LockEntry::failedOver);
	}

	// All of them

	Collection<LockEntry> all() {
		if (this.slots.isEmpty()) {
			return this.entries.all();
		}
		List<LockEntry> all = new ArrayList<>(this.entries.all());
		all.addAll(this.slots.all());
		return all;
	}

	Collection<Semaphore> semaphores() {
		return this.semaphores.all();
	}

	/** Returns whether any lock is held here. */
	boolean anyHeld() {
		return all().stream().anyMatch(LockEntry::held);
	}

	boolean isEmpty() {
		return this.entries.isEmpty() && this.slots.isEmpty() && this.semaphores.isEmpty();
	}

}
