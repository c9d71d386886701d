package io.distlock.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Keeps locks for all instances of a fleet. A store reports contention as a result. A
 * store that cannot answer completes the stage with
 * {@link io.distlock.LockStoreException}, with {@link TransientStoreException} if
 * repeating the same command may help.
 * <p>
 * {@link AcquireCommand} says which holds may exist at the same time. Each hold has a
 * separate lease, fencing token and metadata, and ends without the other holds. Fencing
 * tokens rise from one grant of a key to the next, whatever the kind of the hold.
 * Whenever a hold ends, the store grants the first request in the queue if the request
 * may be granted, then the next one, and so on. The end of one hold thus admits all
 * shared requests that follow each other in the queue. The engine of each request gets a
 * separate message. A store that cannot keep holds of some kind reports this by
 * {@link #unsupported()} and refuses such a command with
 * {@link io.distlock.LockStoreException}.
 * <p>
 * No method blocks. Stages complete on any thread. A command that a thread waits for may
 * be executed by that thread; see {@link CallingThread}. Every command may be executed
 * any number of times, at any later time, without harm. The store does not retry a
 * command whose outcome is unknown: the engine repeats, times out and ends requests. A
 * composite store, for instance a store that asks a majority of servers, does this for
 * its members. It ends what a member did not confirm, and does not wait for members that
 * do not answer in time.
 * <p>
 * Each store must pass {@code LockStoreContract} of the test kit. That contract describes
 * the other rules.
 */
public interface LockStore {

	/**
	 * Connects the store to its only engine. Called before any other method. If the
	 * application goes on after {@link #stop()}, this method is called again with a new
	 * engine. Does not fail if the store cannot be reached at the moment.
	 * @param instance id of the engine, without a dot
	 * @param listener receives grants and other messages
	 */
	void start(String instance, StoreListener listener);

	/**
	 * Tries once to acquire a lock.
	 * @param command what to acquire
	 * @return the answer
	 */
	CompletionStage<AcquireResult> acquire(AcquireCommand command);

	/**
	 * Tries once to acquire a lock, for a thread that waits for the answer and may
	 * execute the command itself. By default that thread does not execute it.
	 * @param command what to acquire
	 * @param caller the thread that calls this method
	 * @return the answer
	 */
	default CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		return acquire(command);
	}

	/**
	 * Ends a request in whatever state it is. It releases the hold of the request, leaves
	 * the queue, or makes sure that a copy that is still under way cannot acquire the
	 * lock. Queued requests that may now be granted are granted. Older requests of the
	 * same instance are ended too. A repetition gives the first answer and changes
	 * nothing.
	 * <p>
	 * With {@code keepFor} a valid hold is released, but the store keeps it for that long
	 * under {@link RequestId#kept()}, with its fencing token. The kept hold keeps out the
	 * same requests as before. Only {@link #forceRelease(ForceReleaseCommand)} ends it
	 * early, and no command extends it. It ends as a lease does, whatever becomes of the
	 * process.
	 * @param key the lock
	 * @param request what to end
	 * @param keepFor how long the store keeps a valid hold from now on; zero to release
	 * it
	 * @return what was ended
	 */
	CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor);

	/**
	 * Ends a request, for a thread that waits for the answer and may execute the command
	 * itself. By default that thread does not execute it.
	 * @param key the lock
	 * @param request what to end
	 * @param keepFor how long the store keeps a valid hold
	 * @param caller the thread that calls this method
	 * @return what was ended
	 */
	default CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor,
			CallingThread caller) {
		return finish(key, request, keepFor);
	}

	/**
	 * Extends a hold. A renewal never shortens a lease, not even the lease of a grant
	 * that it confirms. A late copy of a renewal therefore does no harm.
	 * @param command what to extend
	 * @return the answer
	 */
	CompletionStage<RenewResult> renew(RenewCommand command);

	/**
	 * Reads a lock without changing it.
	 * @param key the lock
	 * @return its state; a lock that was never used is free
	 */
	CompletionStage<LockSnapshot> inspect(String key);

	/**
	 * Ends the given holds if their leases are not over, without their owners' consent.
	 * Queued requests that may now be granted are granted. If the store sends messages,
	 * {@link StoreListener#revoked} notifies the former holders. The store answers their
	 * next renewal with {@link RenewResult.Gone} as forced, as long as it remembers the
	 * forced release. It remembers it at least until the lease would have ended, unless
	 * the lock was granted again and its record was cleared since. A repetition ends
	 * nothing more.
	 * @param command which holds
	 * @return the requests whose holds this command, or an earlier copy of it, has ended
	 */
	CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command);

	/**
	 * Finds locks that are held or waited for, page by page. A page never makes the store
	 * delay other commands, because it covers a bounded number of locks.
	 * @param command which locks
	 * @return some of them, perhaps none, and where to go on
	 */
	CompletionStage<LockPage> list(ListCommand command);

	/**
	 * Returns how much longer than the command timeout an answer may take at the moment,
	 * because the store connects for the first time.
	 * @return a time that is not negative; zero by default, and always zero after the
	 * store was connected
	 */
	default Duration connecting() {
		return Duration.ZERO;
	}

	/**
	 * Returns how long the store keeps a queued request, and then its unconfirmed grant,
	 * after the instance has stopped sending commands.
	 * @return the time, always the same; 10 s by default
	 */
	default Duration waiterLifetime() {
		return Duration.ofSeconds(10);
	}

	/**
	 * Returns what this store cannot do. If a request needs a missing capability, the
	 * engine refuses it without sending a command.
	 * @return the missing capabilities, the same at any time; empty by default
	 */
	default Set<Capability> unsupported() {
		return Set.of();
	}

	/**
	 * Names this store and its place for people, without asking it and without secrets.
	 * @return for instance {@code Redis at redis-1:6379}
	 */
	default String describe() {
		return getClass().getSimpleName();
	}

	/**
	 * Returns the servers without which the store goes on at the moment. Meters and
	 * health show them, as one failure less is tolerated. Does not ask the servers.
	 * @return one text for each lost server, with the reason; empty by default
	 */
	default List<String> lostNodes() {
		return List.of();
	}

	/**
	 * Closes the connections that the store has opened. Called when the engine will send
	 * no more commands.
	 */
	void stop();

}
