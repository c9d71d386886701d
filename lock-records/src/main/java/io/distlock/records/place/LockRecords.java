package io.distlock.records.place;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import io.distlock.LockStoreException;
import io.distlock.spi.CallingThread;
import io.distlock.spi.StoreSession;
import io.distlock.support.KeyText;

/**
 * A place that keeps one small text per lock, its record. The place changes a record only
 * if the record is still as expected. {@link io.distlock.records.RecordLockStore} makes a
 * full store of the place. The record contains queue, leases, tokens, readers and
 * permits, and no implementation reads its content.
 * <p>
 * No method blocks, and stages complete on any thread. A stage fails with
 * {@link io.distlock.spi.TransientStoreException} if the place did not answer. Then it
 * may be unknown whether a write was executed. A stage fails with
 * {@link io.distlock.LockStoreException} if repeating cannot help. An implementation may
 * repeat a write, or let a driver repeat it. If the write has won, its repetition loses.
 * <p>
 * Each implementation passes {@code LockRecordsContract} and {@code LockStoreContract} of
 * the test kit. The former defines the remaining rules.
 */
public interface LockRecords {

	/**
	 * Returns what this place can do.
	 * @return the same at any time
	 */
	RecordTraits traits();

	/**
	 * Connects to the place. The store calls this method before any other method except
	 * {@link #traits()} and {@link #describe()}, and may call it again after
	 * {@link #stop()}. An unreachable place is no reason to fail.
	 * @param engine id of the engine of this process, characters {@code [A-Za-z0-9_-]}
	 * @param events receives messages
	 */
	void start(String engine, RecordEvents events);

	/** Closes all connections that this object opened. */
	void stop();

	/**
	 * Reads a record.
	 * @param key the lock, any text
	 * @return what the place had when it was asked, or later
	 */
	CompletionStage<Seen> read(String key);

	/**
	 * Writes a record if it is as expected and the place's clock is within the change's
	 * window. The place checks both in the same atomic step as the write. A write that is
	 * refused leaves no trace and sends nothing.
	 * @param change what to write
	 * @return whether it won
	 */
	CompletionStage<Written> write(Change change);

	/**
	 * Reads a record like {@link #read(String)}, for a thread that waits for the answer
	 * and may read the record itself. By default the thread does not read it.
	 * @param key the lock, any text
	 * @param caller the waiting thread; it accepts work only on itself, and only if it
	 * does not read already
	 * @return what the place had when it was asked, or later
	 */
	default CompletionStage<Seen> read(String key, CallingThread caller) {
		return read(key);
	}

	/**
	 * Writes a record like {@link #write(Change)}, for a thread that waits for the answer
	 * and may write the record itself. By default the thread does not write it.
	 * @param change what to write
	 * @param caller the waiting thread; it accepts work only on itself, and only if it
	 * does not write already
	 * @return whether it won
	 */
	default CompletionStage<Written> write(Change change, CallingThread caller) {
		return write(change);
	}

	/**
	 * Finds records that are not idle, page by page, in the order of the place.
	 * @param prefix the start of the keys of the locks, empty for all locks
	 * @param cursor {@link Listing#next()} of the previous page, empty for the first page
	 * @param most the highest number of records
	 * @return some records, perhaps none, and the next cursor; fails by default
	 */
	default CompletionStage<Listing> list(String prefix, String cursor, int most) {
		return CompletableFuture.failedFuture(new LockStoreException("", describe() + " cannot list its locks", null));
	}

	/**
	 * Returns whether this place can {@link #list} its records.
	 * @return {@code false} by default
	 */
	default boolean lists() {
		return false;
	}

	/**
	 * Estimates the present moment of the place without asking it. The window of a write
	 * makes the place refuse it if the estimate was wrong.
	 * @return the estimate, or empty if the place has not been asked lately
	 */
	Optional<StoreTime> estimate();

	/**
	 * Returns the session of an incarnation of this process. The session of an
	 * incarnation never changes.
	 * @param incarnation the incarnation
	 * @return the session, or {@link StoreSession#NONE} if the place has no sessions
	 */
	default StoreSession session(String incarnation) {
		return StoreSession.NONE;
	}

	/**
	 * Returns by how much a command that begins now may exceed the command timeout,
	 * because the place is still connecting.
	 * @return the extra time, not negative; zero by default, and always zero after the
	 * first connection
	 */
	default Duration connecting() {
		return Duration.ZERO;
	}

	/**
	 * Asks the place to deliver messages to this process for a while. The store calls
	 * this method with each request for a lock. It returns at once. If messages arrive
	 * only after some time, the place calls {@link RecordEvents#missed()} at that time.
	 */
	default void expectMessages() {
	}

	/**
	 * Returns whether messages to this process arrive at present. While they do, waiters
	 * seldom poll.
	 * @return {@link RecordTraits#notifies()} unless it changes while the place runs
	 */
	default boolean listens() {
		return traits().notifies();
	}

	/**
	 * Describes the place for people, without a request to the place and without secrets.
	 * @return for instance {@code table distributed_lock at db-1:5432/shop}
	 */
	default String describe() {
		return getClass().getSimpleName();
	}

	/**
	 * The content of a place at a moment.
	 *
	 * @param found what a change of the record should expect: {@link Expected.At} its
	 * version, or {@link Expected.Absent}
	 * @param text the record, empty if it is absent
	 * @param tokenFloor the {@link Written.Done#tokenFloor()} of the write that stored
	 * the record
	 * @param time when the place was asked, or later
	 */
	record Seen(Expected found, String text, long tokenFloor, StoreTime time) {
	}

	/**
	 * A moment in the history of the place.
	 *
	 * @param now the place's clock, in milliseconds since 1970
	 * @param tokenFloor a number that grows with the place's history and serves as
	 * fencing token of grants at this moment, positive and far below 2^53; 0 if only the
	 * answer to a write contains it
	 * @param incarnation name of the present incarnation of this process: its engine, or,
	 * where {@link RecordTraits#lifetime()} is {@link RecordTraits.Lifetime#SESSION}, a
	 * name that is new with each session, without blanks
	 * @param gone returns for an incarnation of any process whether it is over for good;
	 * never {@code true} for an incarnation that its process might still rely on
	 */
	record StoreTime(long now, long tokenFloor, String incarnation, Predicate<String> gone) {
	}

	/**
	 * One page of records.
	 *
	 * @param records the records
	 * @param next where to go on, empty if there are no more
	 */
	record Listing(List<Named> records, String next) {

		/**
		 * Creates a listing with a copy of the list.
		 * @param records the records
		 * @param next where to go on, empty if there are no more
		 */
		public Listing {
			records = List.copyOf(records);
		}

	}

	/**
	 * A record that was found.
	 *
	 * @param key the lock; of a key that is too long for a name, the name
	 * @param seen the record
	 */
	record Named(String key, Seen seen) {

		@Override
		public String toString() {
			return "Named[key=" + KeyText.of(this.key) + ", seen=" + this.seen + "]";
		}

	}

	/**
	 * A conditional write.
	 *
	 * @param key the lock
	 * @param expected what must be there
	 * @param text the new record, printable ASCII in one line
	 * @param idle whether the lock has neither holders nor waiters, so that the record
	 * only remembers the past
	 * @param highest the highest fencing token up to this change
	 * @param tokenFloor the token floor of the moment for which the change was computed
	 * @param notBefore the write is refused if the place's clock is before this,
	 * {@link Long#MIN_VALUE} for no bound; milliseconds
	 * @param notAfter the write is refused if the place's clock is a millisecond or more
	 * after this, {@link Long#MAX_VALUE} for no bound
	 * @param messages to be sent if the write wins; one that gets lost costs a poll
	 * @param summary the lock for people who look into the place
	 */
	record Change(String key, Expected expected, String text, boolean idle, long highest, long tokenFloor,
			long notBefore, long notAfter, List<Message> messages, Summary summary) {

		/**
		 * Creates a change with a copy of the messages.
		 * @param key the lock
		 * @param expected what must be there
		 * @param text the new record
		 * @param idle whether the lock has neither holders nor waiters
		 * @param highest the highest fencing token up to this change
		 * @param tokenFloor the token floor of the moment for which the change was
		 * computed
		 * @param notBefore the write is refused if the place's clock is before this
		 * @param notAfter the write is refused if the place's clock is a millisecond or
		 * more after this
		 * @param messages to be sent if the write wins
		 * @param summary the lock for people who look into the place
		 */
		public Change {
			messages = List.copyOf(messages);
		}

		@Override
		public String toString() {
			return "Change[key=" + KeyText.of(this.key) + ", expected=" + this.expected + ", text=" + this.text
					+ ", notBefore=" + this.notBefore + ", notAfter=" + this.notAfter + "]";
		}

	}

	/** Describes the record that lets a write win. */
	sealed interface Expected {

		/**
		 * Expects the record in this version.
		 *
		 * @param version the version, of a type that this place chooses; no two writes of
		 * the same record ever get equal versions, even if the record is deleted and
		 * created between them, or the place loses writes
		 */
		record At(Object version) implements Expected {
		}

		/** Expects no record. */
		record Absent() implements Expected {
		}

		/**
		 * Expects no record, or an idle record whose highest token is below the change's
		 * token floor.
		 */
		record Free() implements Expected {
		}

	}

	/**
	 * A message to another process, or to this one.
	 *
	 * @param incarnation the receiver's incarnation
	 * @param engine the receiver's engine
	 * @param text printable ASCII
	 */
	record Message(String incarnation, String engine, String text) {
	}

	/**
	 * Describes a lock for people who look into the place. No decision depends on it.
	 *
	 * @param holder one of the holders, printable ASCII of at most 200 characters, empty
	 * if the lock is free
	 * @param waiting how many instances wait
	 * @param until the end of the last hold or waiter by the place's clock, in
	 * milliseconds; 0 if there is none, or if sessions end all of them
	 */
	record Summary(String holder, int waiting, long until) {
	}

	/** The answer to a write. */
	sealed interface Written {

		/**
		 * The write won.
		 *
		 * @param version the version of the stored record
		 * @param tokenFloor the token floor of this write if the moments of the place
		 * have none; otherwise any number
		 */
		record Done(Object version, long tokenFloor) implements Written {
		}

		/**
		 * The write was refused.
		 *
		 * @param now the present record, if the place has read it in the same step
		 */
		record Lost(Optional<Seen> now) implements Written {

			/** Creates the answer of a place that has not read the present record. */
			public Lost() {
				this(Optional.empty());
			}

		}

	}

}
