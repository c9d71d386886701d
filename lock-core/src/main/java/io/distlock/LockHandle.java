package io.distlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * One acquisition of a lock. A nested acquisition by the same owner gets a handle of its
 * own on the same hold; the lock is released when the last of them is closed.
 * <p>
 * A handle is valid until its local deadline, measured on this machine's monotonic clock
 * from before the request was sent, whatever the store says later. Once lost it stays
 * lost. Thread-safe; a handle may be closed by another thread than the one that acquired
 * it, but the lock is renewed only while the thread that acquired it is alive. One that
 * was acquired asynchronously is renewed until it is closed.
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * The lock's identity.
	 * @return the key; of several locks all keys, for messages
	 */
	String key();

	/**
	 * The locks that this handle stands for: of a request with several keys one handle
	 * each, in the order of their acquisition. They are closed together, by closing this
	 * handle. It is held as long as all of them are, and lost with the first.
	 * @return this handle itself, if there is only one lock
	 */
	default List<LockHandle> parts() {
		return List.of(this);
	}

	/**
	 * The fencing token: strictly increasing in grant order for one key. Pass it to a
	 * resource that remembers the highest token seen and refuses lower ones.
	 * @return a positive number below 2^53
	 * @throws IllegalStateException if there are several locks: each of {@link #parts()}
	 * has its own
	 */
	long fencingToken();

	/**
	 * Whether the lock is held right now, by the local deadline. Asks no server. It may
	 * be lost the moment after: use the fencing token where that matters.
	 * @return {@code false} once lost or closed, and then for ever
	 */
	boolean isHeld();

	/**
	 * What is left until the local deadline if no further renewal succeeds.
	 * @return zero once lost or closed
	 */
	Duration remaining();

	/**
	 * Throws unless {@link #isHeld()}. Call it before a step that must not happen without
	 * the lock.
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalStateException if this handle was closed
	 */
	void ensureHeld();

	/**
	 * Throws unless the lock is held, and for some time more even if no further renewal
	 * succeeds. Asks no server and waits for nothing. Call it before a step that takes
	 * its time and must not outlive the lock.
	 * @param atLeast what must be left until the local deadline
	 * @throws LockLostException if the lock was lost
	 * @throws LockExpiringException if it is held, but less than that is left
	 * @throws IllegalStateException if this handle was closed
	 */
	default void ensureHeld(Duration atLeast) {
		Duration remaining = remaining();
		ensureHeld();
		if (remaining.compareTo(atLeast) < 0) {
			throw new LockExpiringException(key(), remaining, atLeast);
		}
	}

	/**
	 * One handle of several locks: held while all are, lost when one is, and closed last
	 * first.
	 * @param parts the locks, at least one
	 * @return a handle of all; the part itself if there is but one
	 */
	static LockHandle together(List<? extends LockHandle> parts) {
		return (parts.size() == 1) ? parts.get(0) : new SeveralHandles(parts);
	}

	/**
	 * Whether the loss of the lock interrupted the thread that acquired it, as
	 * {@link OnLost#INTERRUPT} asks for.
	 * @return {@code true} from the interrupt on, also once closed
	 */
	default boolean isInterruptedByLoss() {
		return false;
	}

	/**
	 * What is done about the hold if it goes wrong: what its request said, and for the
	 * rest the template's default. For those who run bodies that no thread stands for,
	 * which therefore nobody else can interrupt.
	 * @return the policy
	 */
	default LockOptions policy() {
		return LockOptions.NONE;
	}

	/**
	 * Registers a callback for the loss of the lock. It runs once, on a thread of the
	 * engine, at the latest shortly after the local deadline; at once if already lost;
	 * never after a release. What it throws is logged.
	 * @param callback told the handle that was lost
	 */
	void onLost(Consumer<LockHandle> callback);

	/**
	 * Ends this acquisition; the last one of a hold releases the lock, or leaves it taken
	 * for the rest of its minimum hold and returns at once. Waits for the store's
	 * confirmation, at most the command timeout; if none comes, a warning is logged and
	 * the release goes on in the background until confirmed or the lease is over. With
	 * {@link ReleaseMode#SENT} it does not wait. Closing twice does nothing. Not
	 * interruptible; the interrupt flag is kept.
	 * @throws LockLostException if the lock was lost before this call
	 */
	@Override
	void close();

	/**
	 * Like {@link #close()}, but never blocks the calling thread.
	 * @return completed when the store has confirmed the release, with
	 * {@link ReleaseMode#SENT} at once; also when the lease ended, or the template was
	 * shut down, before a confirmation; failed with {@link LockLostException} if the lock
	 * was lost before
	 */
	default CompletionStage<@Nullable Void> closeAsync() {
		try {
			close();
			return CompletableFuture.completedFuture(null);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}
