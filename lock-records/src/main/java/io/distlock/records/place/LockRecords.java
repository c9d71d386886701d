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
 * A place that keeps one small text per lock, its record, and changes it only if it is
 * still as expected. {@link io.distlock.records.RecordLockStore} makes a full store of
 * it: queue, leases, tokens, readers and permits are in the text, and no implementation
 * looks into it.
 * <p>
 * No method blocks; stages complete on any thread, with
 * {@link io.distlock.spi.TransientStoreException} if the place did not answer, so that
 * whether a write was executed may be unknown, and with
 * {@link io.distlock.LockStoreException} if repeating cannot help. An implementation may
 * repeat a write, or let a driver repeat it: a repetition of a write that won only loses.
 * <p>
 * Each implementation passes {@code LockRecordsContract} of the test kit, which spells
 * out the rest, and with it {@code LockStoreContract}.
 */
public interface LockRecords {

	/**
	 * Says what this place can do.
	 * @return the same at any time
	 */
	RecordTraits traits();

	/**
	 * Connects to the place. Called before any other method but {@link #traits()} and
	 * {@link #describe()}, and again after {@link #stop()}. Does not fail because the
	 * place is unreachable at the moment.
	 * @param engine id of the engine of this process, characters {@code [A-Za-z0-9_-]}
	 * @param events receives messages
	 */
	void start(String engine, RecordEvents events);

	/** Closes all connections that were opened. */
	void stop();

	/**
	 * Reads a record.
	 * @param key the lock, any text
	 * @return what the place had when it was asked, or later
	 */
	CompletionStage<Seen> read(String key);

	/**
	 * Writes a record if it is as expected and the place's clock is within the change's
	 * window, both decided in the same atomic step as the write. A write that is refused
	 * leaves no trace and sends nothing.
	 * @param change what to write
	 * @return whether it won
	 */
	CompletionStage<Written> write(Change change);

	/**
	 * The same as {@link #read(String)}, for a thread that waits for the answer and may
	 * read the record itself. By default it does not.
	 * @param key the lock, any text
	 * @param caller the thread; another one, or one that reads already, accepts nothing
	 * @return what the place had when it was asked, or later
	 */
	default CompletionStage<Seen> read(String key, CallingThread caller) {
		return read(key);
	}

	/**
	 * The same as {@link #write(Change)}, for a thread that waits for the answer and may
	 * write the record itself. By default it does not.
	 * @param change what to write
	 * @param caller the thread; another one, or one that writes already, accepts nothing
	 * @return whether it won
	 */
	default CompletionStage<Written> write(Change change, CallingThread caller) {
		return write(change);
	}

	/**
	 * Finds records that are not idle, page by page, in the order in which the place
	 * names them.
	 * @param prefix what the keys of the locks begin with, empty for all
	 * @param cursor where to go on: {@link Listing#next()} of the page before, empty for
	 * the first page
	 * @param most how many records at most
	 * @return some of them, perhaps none, and where to go on; fails by default
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
	 * Estimates the present moment of the place without asking it. A write that rests on
	 * a wrong estimate is refused by its window.
	 * @return the estimate, or empty if the place has not been asked lately
	 */
	Optional<StoreTime> estimate();

	/**
	 * Returns the session of an incarnation of this process, which stays the same
	 * whatever becomes of the incarnation.
	 * @param incarnation the incarnation
	 * @return the session, {@link StoreSession#NONE} where there are none
	 */
	default StoreSession session(String incarnation) {
		return StoreSession.NONE;
	}

	/**
	 * Returns how much longer than the command timeout a command may take that begins
	 * now, because the place is still connecting.
	 * @return not negative; zero by default, and always once the place was connected
	 */
	default Duration connecting() {
		return Duration.ZERO;
	}

	/**
	 * Called with each request for a lock: messages to this process are wanted from now
	 * on for a while. Returns at once. If messages arrive only after some time, the place
	 * calls {@link RecordEvents#missed()} at that time.
	 */
	default void expectMessages() {
	}

	/**
	 * Says whether messages to this process arrive at present. While they do, waiters
	 * seldom poll.
	 * @return {@link RecordTraits#notifies()} unless it changes while the place runs
	 */
	default boolean listens() {
		return traits().notifies();
	}

	/**
	 * Names the place for people, without asking it and without secrets.
	 * @return for instance {@code table distributed_lock at db-1:5432/shop}
	 */
	default String describe() {
		return getClass().getSimpleName();
	}

	/**
	 * What a place had.
	 *
	 * @param found what a change of it should expect: {@link Expected.At} its version, or
	 * {@link Expected.Absent}
	 * @param text the record, empty if it is absent
	 * @param tokenFloor the {@link Written.Done#tokenFloor()} of the write that left it
	 * there
	 * @param time when the place was asked, or later
	 */
	record Seen(Expected found, String text, long tokenFloor, StoreTime time) {
	}

	/**
	 * A moment of the place.
	 *
	 * @param now the place's clock, in milliseconds since 1970
	 * @param tokenFloor a number that grows with the place's history and is a fencing
	 * token of grants at this moment, positive and far below 2^53; 0 if only the answer
	 * of a write has it
	 * @param incarnation name of the present incarnation of this process: its engine, or,
	 * where {@link RecordTraits#lifetime()} is {@link RecordTraits.Lifetime#SESSION}, a
	 * name that is new with each session, without blanks
	 * @param gone says for incarnations of all processes whether they are over for good;
	 * never {@code true} for one that might still be relied on
	 */
	record StoreTime(long now, long tokenFloor, String incarnation, Predicate<String> gone) {
	}

	/**
	 * Some of the records.
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

	/** What must be there for a write to win. */
	sealed interface Expected {

		/**
		 * The record in this version.
		 *
		 * @param version of the kind that this place uses; no two writes of the same
		 * record ever get equal versions, even if it is deleted and created between them,
		 * or the place loses writes
		 */
		record At(Object version) implements Expected {
		}

		/** No record. */
		record Absent() implements Expected {
		}

		/**
		 * No record, or an idle one whose highest token is below the change's token
		 * floor.
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
	 * A lock for people who look into the place; no decision depends on it.
	 *
	 * @param holder one of the holders, printable ASCII of at most 200 characters, empty
	 * if it is free
	 * @param waiting how many instances wait
	 * @param until when the last hold or waiter ends by the place's clock, in
	 * milliseconds; 0 if none does, because there is none or sessions end all of them
	 */
	record Summary(String holder, int waiting, long until) {
	}

	/** The answer to a write. */
	sealed interface Written {

		/**
		 * The write won.
		 *
		 * @param version the version that it left
		 * @param tokenFloor the token floor of this very write where moments have none,
		 * otherwise anything
		 */
		record Done(Object version, long tokenFloor) implements Written {
		}

		/**
		 * The write was refused.
		 *
		 * @param now what is there, if the place has learned it in the same step
		 */
		record Lost(Optional<Seen> now) implements Written {

			/** Creates the answer of a place that only knows that the write lost. */
			public Lost() {
				this(Optional.empty());
			}

		}

	}

}
