package io.distlock.test.records;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordEvents;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.StoreSession;
import org.jspecify.annotations.Nullable;

/** A client of a {@link MemoryPlace}; answers at once. */
public final class MemoryLockRecords implements LockRecords {

	private final AtomicLong sessions = new AtomicLong();

	private final MemoryPlace place;

	private volatile @Nullable RecordEvents events;

	private volatile String engine = "";

	private volatile String incarnation = "";

	/** Until when this client is sure of its session. */
	private volatile StoreSession sure = StoreSession.NONE;

	private volatile boolean estimates = true;

	MemoryLockRecords(MemoryPlace place) {
		this.place = place;
	}

	@Override
	public RecordTraits traits() {
		return this.place.traits();
	}

	@Override
	public void start(String engine, RecordEvents events) {
		this.engine = engine;
		this.events = events;
		beginSession();
	}

	private void beginSession() {
		boolean session = traits().lifetime() == RecordTraits.Lifetime.SESSION;
		this.incarnation = session ? this.engine + "." + this.sessions.incrementAndGet() : this.engine;
		this.place.begin(this.incarnation, this);
	}

	/** Ends the session of this client, as a long pause does, and begins the next one. */
	public void loseSession() {
		this.place.end(this.incarnation);
		beginSession();
	}

	/**
	 * From now on this client does not estimate the place's clock, so each command reads
	 * first.
	 * @return this client
	 */
	public MemoryLockRecords withoutEstimate() {
		this.estimates = false;
		return this;
	}

	/** From now on this client cannot be sure of its session. */
	public void doubtSession() {
		surelyLasts(StoreSession.OVER);
	}

	/**
	 * Says until when this client is sure of its session from now on.
	 * @param until asked each time
	 */
	public void surelyLasts(StoreSession until) {
		this.sure = until;
	}

	@Override
	public void stop() {
		this.place.end(this.incarnation);
		this.events = null;
	}

	@Override
	public CompletionStage<Seen> read(String key) {
		return CompletableFuture.completedFuture(this.place.read(key, this.incarnation));
	}

	@Override
	public CompletionStage<Written> write(Change change) {
		return CompletableFuture.completedFuture(this.place.write(change, this.incarnation));
	}

	@Override
	public boolean lists() {
		return true;
	}

	@Override
	public CompletionStage<Listing> list(String prefix, String cursor, int most) {
		return CompletableFuture.completedFuture(this.place.list(prefix, cursor, most, this.incarnation));
	}

	@Override
	public Optional<StoreTime> estimate() {
		return this.estimates ? Optional.of(this.place.time(this.incarnation)) : Optional.empty();
	}

	@Override
	public StoreSession session(String other) {
		if (traits().lifetime() == RecordTraits.Lifetime.CLOCK) {
			return StoreSession.NONE;
		}
		return () -> (other.equals(this.incarnation) ? this.sure : StoreSession.OVER).sureUntil();
	}

	@Override
	public String describe() {
		return "a place in memory";
	}

	void deliver(String text) {
		RecordEvents receiver = this.events;
		if (receiver != null) {
			receiver.message(text);
		}
	}

}
