package io.distlock.test.records;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Listing;
import io.distlock.records.place.LockRecords.Message;
import io.distlock.records.place.LockRecords.Named;
import io.distlock.records.place.LockRecords.Seen;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.records.place.LockRecords.Written;
import io.distlock.records.place.RecordTraits;
import io.distlock.records.place.RecordTraits.Lifetime;

/**
 * A place of records in this process: what a database or a coordination service is to the
 * stores of several processes. Each call is one atomic step.
 */
public final class MemoryPlace {

	private static final int LONGEST = 1_000_000;

	/** A key may be empty, a cursor is not. */
	private static final char CURSOR = '=';

	private final Map<String, Stored> stored = new HashMap<>();

	private final Map<String, MemoryLockRecords> clients = new HashMap<>();

	private final Set<String> incarnations = new HashSet<>();

	private final RecordTraits traits;

	private final Supplier<Instant> clock;

	private final Executor messenger;

	private Promise broken = Promise.NONE;

	private Consumer<String> beforeWrite = (key) -> {
	};

	private long writes;

	private long reads;

	private long lost;

	/**
	 * Creates a place.
	 * @param lifetime what ends holds
	 * @param notifies whether it sends messages
	 * @param clock its clock
	 */
	public MemoryPlace(Lifetime lifetime, boolean notifies, Supplier<Instant> clock) {
		this(lifetime, notifies, clock, CompletableFuture::runAsync);
	}

	/**
	 * Creates a place.
	 * @param lifetime what ends holds
	 * @param notifies whether it sends messages
	 * @param clock its clock
	 * @param messenger delivers messages; must not run them on the calling thread
	 */
	public MemoryPlace(Lifetime lifetime, boolean notifies, Supplier<Instant> clock, Executor messenger) {
		this.traits = new RecordTraits(lifetime, notifies, LONGEST);
		this.clock = clock;
		this.messenger = messenger;
	}

	/** Creates a place with messages and the machine's clock, which ends holds. */
	public MemoryPlace() {
		this(Lifetime.CLOCK, true, Instant::now);
	}

	/**
	 * Connects one more client.
	 * @return the client, not started
	 */
	public MemoryLockRecords newRecords() {
		return new MemoryLockRecords(this);
	}

	/**
	 * Returns the record of a lock.
	 * @param key the lock
	 * @return the text, empty if there is none
	 */
	public synchronized String text(String key) {
		Stored record = this.stored.get(key);
		return (record != null) ? record.text() : "";
	}

	/**
	 * Deletes a record, as an operator might.
	 * @param key the lock
	 */
	public synchronized void delete(String key) {
		this.stored.remove(key);
	}

	/**
	 * Notes what this place has now.
	 * @return brings it back, as a standby does that has not received the last writes
	 */
	public synchronized Runnable backup() {
		Map<String, Stored> kept = Map.copyOf(this.stored);
		return () -> restore(kept);
	}

	private synchronized void restore(Map<String, Stored> kept) {
		this.stored.clear();
		this.stored.putAll(kept);
	}

	/** Loses everything. */
	public synchronized void clear() {
		this.stored.clear();
	}

	/**
	 * Returns how many writes have won.
	 * @return since the place was created
	 */
	public synchronized long writes() {
		return this.writes;
	}

	/**
	 * Returns how often a record was read.
	 * @return since the place was created
	 */
	public synchronized long reads() {
		return this.reads;
	}

	/**
	 * Returns how many writes were refused.
	 * @return since the place was created
	 */
	public synchronized long lost() {
		return this.lost;
	}

	RecordTraits traits() {
		return this.traits;
	}

	synchronized void begin(String incarnation, MemoryLockRecords client) {
		this.incarnations.add(incarnation);
		this.clients.put(incarnation, client);
	}

	/** Where sessions end holds, this is the end of one. */
	synchronized void end(String incarnation) {
		this.incarnations.remove(incarnation);
		this.clients.remove(incarnation);
	}

	/** The present moment. */
	synchronized StoreTime time(String incarnation) {
		Instant instant = this.clock.get();
		long micros = Math.multiplyExact(instant.getEpochSecond(), 1_000_000L) + instant.getNano() / 1000;
		boolean session = this.traits.lifetime() == Lifetime.SESSION;
		Set<String> alive = session ? Set.copyOf(this.incarnations) : Set.of();
		return new StoreTime(instant.toEpochMilli(), session ? 0 : micros, incarnation,
				(other) -> session && !alive.contains(other));
	}

	synchronized Seen read(String key, String incarnation) {
		this.reads++;
		return seen(key, incarnation);
	}

	synchronized Listing list(String prefix, String cursor, int most, String incarnation) {
		List<Named> found = this.stored.keySet()
			.stream()
			.filter((key) -> key.startsWith(prefix) && (CURSOR + key).compareTo(cursor) > 0)
			.sorted()
			.limit(most + 1L)
			.map((key) -> new Named(key, seen(key, incarnation)))
			.toList();
		boolean last = found.size() <= most;
		List<Named> page = last ? found : found.subList(0, most);
		return new Listing(page, last ? "" : CURSOR + page.get(most - 1).key());
	}

	private Seen seen(String key, String incarnation) {
		Stored record = this.stored.get(key);
		StoreTime time = time(incarnation);
		return (record != null) ? new Seen(new Expected.At(record.version()), record.text(), record.tokenFloor(), time)
				: new Seen(new Expected.Absent(), "", 0, time);
	}

	/**
	 * Does something before each write.
	 * @param action gets the lock
	 */
	public synchronized void beforeWrite(Consumer<String> action) {
		this.beforeWrite = action;
	}

	/**
	 * Breaks a promise of this place, so that tests can show that they notice.
	 * @param promise the promise
	 */
	public synchronized void breakPromise(Promise promise) {
		this.broken = promise;
	}

	/** What a place promises, and a broken one does not keep. */
	public enum Promise {

		/** All are kept. */
		NONE,

		/** Writes before their window are refused. */
		NOT_BEFORE,

		/** Writes after their window are refused. */
		NOT_AFTER,

		/** Writes that expect a free lock have a window too. */
		WINDOW_OF_FREE,

		/** Versions are never used again. */
		VERSION,

		/** Writes that expect a free lock lose against higher tokens. */
		TOKEN_FLOOR,

		/** Versions do not repeat what was lost: a broken place counts the writes. */
		NEW_VERSION

	}

	private boolean isInTime(Change change) {
		long millis = this.clock.get().toEpochMilli();
		boolean anyTime = this.broken == Promise.WINDOW_OF_FREE && change.expected() instanceof Expected.Free;
		boolean notBefore = this.broken == Promise.NOT_BEFORE || change.notBefore() <= millis;
		boolean notAfter = this.broken == Promise.NOT_AFTER || millis <= change.notAfter();
		return anyTime || (notBefore && notAfter);
	}

	synchronized Written write(Change change, String incarnation) {
		this.beforeWrite.accept(change.key());
		boolean inTime = isInTime(change);
		boolean alive = this.traits.lifetime() == Lifetime.CLOCK || this.incarnations.contains(incarnation);
		if (!inTime || !alive || !isAsExpected(change)) {
			this.lost++;
			return new Written.Lost(alive && change.expected() instanceof Expected.Free
					? Optional.of(seen(change.key(), incarnation)) : Optional.empty());
		}
		this.writes++;
		// Like the transaction numbers of ZooKeeper, and far above the microseconds of
		// a clock.
		long tokenFloor = this.writes * 64;
		Stored before = this.stored.get(change.key());
		long version = (this.broken == Promise.NEW_VERSION) ? ((before != null) ? before.version() + 1 : 1)
				: this.writes;
		Stored record = new Stored(version, change.text(), change.idle(), change.highest(), tokenFloor);
		this.stored.put(change.key(), record);
		change.messages().forEach(this::send);
		return new Written.Done(record.version(), tokenFloor);
	}

	private boolean isAsExpected(Change change) {
		Stored record = this.stored.get(change.key());
		if (change.expected() instanceof Expected.At at) {
			return record != null && (this.broken == Promise.VERSION || at.version().equals(record.version()));
		}
		if (change.expected() instanceof Expected.Absent) {
			return record == null;
		}
		return record == null || (record.idle() && (this.traits.lifetime() == Lifetime.SESSION
				|| this.broken == Promise.TOKEN_FLOOR || record.highest() < change.tokenFloor()));
	}

	private void send(Message message) {
		MemoryLockRecords receiver = this.clients.get(message.incarnation());
		if (this.traits.notifies() && receiver != null) {
			this.messenger.execute(() -> receiver.deliver(message.text()));
		}
	}

	/**
	 * A record.
	 *
	 * @param version never used twice
	 * @param text the text
	 * @param idle whether the lock has neither holders nor waiters
	 * @param highest highest token
	 * @param tokenFloor of the write
	 */
	private record Stored(long version, String text, boolean idle, long highest, long tokenFloor) {
	}

}
