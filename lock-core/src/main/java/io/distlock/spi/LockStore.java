package io.distlock.spi;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Keeps locks for all instances of a fleet. Contention is a value; a store that cannot
 * answer completes the stage with {@link io.distlock.LockStoreException}, with
 * {@link TransientStoreException} if repeating the same command may help.
 * <p>
 * Who may hold a lock together is said at {@link AcquireCommand}. Each hold has a lease,
 * a fencing token and metadata of its own and ends by itself; fencing tokens rise from
 * one grant of a key to the next, whatever kind of hold it is for. Whenever a hold ends,
 * the first in the queue is granted if it may be, then the one after it, and so on: an
 * end lets all sharers in that are next to each other. Each is told by a message of its
 * own. A store that cannot keep holds of some kind refuses such a command with
 * {@link io.distlock.LockStoreException}.
 * <p>
 * No method blocks; stages complete on any thread. Every command may be executed any
 * number of times, at any later time, without harm. The store does not retry a command
 * whose outcome is unknown and keeps no timers: the engine repeats, times out and ends
 * requests.
 * <p>
 * Each store passes {@code LockStoreContract} of the test kit, which spells out the rest.
 */
public interface LockStore {

	/**
	 * Connects the store to its only engine. Called before any other method, and again
	 * after {@link #stop()} if the application goes on, with a new engine. Does not fail
	 * because the store is unreachable at the moment.
	 * @param instance id of the engine, without a dot
	 * @param listener told about grants
	 */
	void start(String instance, StoreListener listener);

	/**
	 * Tries once to acquire a lock.
	 * @param command what to acquire
	 * @return the answer
	 */
	CompletionStage<AcquireResult> acquire(AcquireCommand command);

	/**
	 * Ends a request in whatever state it is: releases its hold, leaves the queue, or
	 * makes sure that a copy still under way cannot win. Queued requests are granted as
	 * far as they may be now. Whatever older requests of the same instance left is ended
	 * too. A repetition gives the first answer.
	 * @param key the lock
	 * @param request what to end
	 * @return what was ended
	 */
	CompletionStage<FinishResult> finish(String key, RequestId request);

	/**
	 * Extends a hold.
	 * @param command what to extend
	 * @return the answer
	 */
	CompletionStage<RenewResult> renew(RenewCommand command);

	/**
	 * Looks at a lock without changing it.
	 * @param key the lock
	 * @return its state; a lock never used is free
	 */
	CompletionStage<LockSnapshot> inspect(String key);

	/**
	 * Says why this store cannot keep permits, for messages. It is asked before any
	 * request for a permit.
	 * @return half a sentence, or empty if it can
	 */
	default Optional<String> whyNoPermits() {
		return Optional.empty();
	}

	/**
	 * Says for people what this store is and where, without asking it and without
	 * secrets.
	 * @return for instance {@code Redis at redis-1:6379}
	 */
	default String describe() {
		return getClass().getSimpleName();
	}

	/**
	 * Closes connections of the store's own. Called when no command of the engine is
	 * wanted any more.
	 */
	void stop();

}
