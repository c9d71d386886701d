package io.distlock.spi;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Keeps locks for all instances of a fleet. Contention is a value; a store that cannot
 * answer completes the stage with {@link io.distlock.LockStoreException}, with
 * {@link TransientStoreException} if repeating the same command may help.
 * <p>
 * {@link AcquireCommand} says which holds may exist at the same time. Each hold has its
 * own lease, fencing token and metadata, and ends by itself; fencing tokens rise from one
 * grant of a key to the next, whatever the kind of the hold. Whenever a hold ends, the
 * first request in the queue is granted if it may be, then the one after it, and so on:
 * one end admits all shared requests that are next to each other. The engine of each gets
 * a separate message. A store that cannot keep holds of some kind says so by
 * {@link #unsupported()} and refuses such a command with
 * {@link io.distlock.LockStoreException}.
 * <p>
 * No method blocks; stages complete on any thread. A command that a thread waits for may
 * be executed by that thread, see {@link CallingThread}. Every command may be executed
 * any number of times, at any later time, without harm. The store does not retry a
 * command whose outcome is unknown: the engine repeats, times out and ends requests. A
 * composite store, such as one that asks a majority of servers, keeps time for its
 * members: it ends what a member did not confirm, and gives up members that do not
 * answer.
 * <p>
 * Each store passes {@code LockStoreContract} of the test kit, which spells out the rest.
 */
public interface LockStore {

	/**
	 * Connects the store to its only engine. Called before any other method, and again
	 * after {@link #stop()} if the application goes on, with a new engine. Does not fail
	 * because the store is unreachable at the moment.
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
	 * The same, for a thread that waits for the answer and may execute the command
	 * itself. By default it does not.
	 * @param command what to acquire
	 * @param caller the thread that calls this method
	 * @return the answer
	 */
	default CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		return acquire(command);
	}

	/**
	 * Ends a request in whatever state it is: releases its hold, leaves the queue, or
	 * makes sure that a copy still under way cannot win. Queued requests are granted as
	 * far as they may be now. Older requests of the same instance are ended too. A
	 * repetition gives the first answer, and changes nothing.
	 * <p>
	 * With {@code keepFor} a valid hold is released, and the store keeps it for that long
	 * under {@link RequestId#kept()}, with its fencing token: it keeps out the same
	 * requests as before, and no command ends or extends it but
	 * {@link #forceRelease(ForceReleaseCommand)}. It ends as a lease does, whatever
	 * becomes of the process.
	 * @param key the lock
	 * @param request what to end
	 * @param keepFor how long the store keeps a valid hold from now on; zero to release
	 * it
	 * @return what was ended
	 */
	CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor);

	/**
	 * The same, for a thread that waits for the answer and may execute the command
	 * itself. By default it does not.
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
	 * Extends a hold. No renewal ever shortens a lease, not even that of a grant which it
	 * confirms: a late copy of one does no harm.
	 * @param command what to extend
	 * @return the answer
	 */
	CompletionStage<RenewResult> renew(RenewCommand command);

	/**
	 * Reads a lock without changing it.
	 * @param key the lock
	 * @return its state; a lock never used is free
	 */
	CompletionStage<LockSnapshot> inspect(String key);

	/**
	 * Ends the given holds if their leases are not over, without their owners' consent.
	 * Queued requests are granted as far as they may be now. The former holders are
	 * notified by {@link StoreListener#revoked} where the store sends messages; their
	 * next renewal is answered by {@link RenewResult.Gone} as forced, as long as the
	 * store remembers it: at least until the lease would have ended, unless the lock was
	 * granted again and its record cleared since. A repetition ends nothing more.
	 * @param command which holds
	 * @return the requests whose holds this command, or an earlier copy of it, has ended
	 */
	CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command);

	/**
	 * Finds locks that are held or waited for, page by page. No page makes the store
	 * pause others: it looks at a bounded number of locks.
	 * @param command which locks
	 * @return some of them, perhaps none, and where to go on
	 */
	CompletionStage<LockPage> list(ListCommand command);

	/**
	 * Returns how much longer than the command timeout an answer may take at the moment,
	 * because the store connects for the first time.
	 * @return not negative; zero by default, and always once the store was connected
	 */
	default Duration connecting() {
		return Duration.ZERO;
	}

	/**
	 * Returns how long the store keeps a queued request and then its unconfirmed grant
	 * after their instance has stopped sending.
	 * @return the time, always the same; 10 s by default
	 */
	default Duration waiterLifetime() {
		return Duration.ofSeconds(10);
	}

	/**
	 * Returns what this store cannot do. The engine refuses requests that need it, before
	 * any command is sent.
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
	 * Closes the connections that the store has opened. Called when the engine sends no
	 * more commands.
	 */
	void stop();

}
