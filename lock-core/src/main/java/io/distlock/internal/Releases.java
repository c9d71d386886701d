package io.distlock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockLostException;
import io.distlock.ReleaseMode;
import org.jspecify.annotations.Nullable;

/** Gives acquisitions back, and waits for as much of it as the settings say. */
final class Releases {

	private final EngineContext context;

	private final boolean confirmed;

	Releases(EngineContext context) {
		this.context = context;
		this.confirmed = context.settings().release() != ReleaseMode.SENT;
	}

	/**
	 * Gives back one acquisition. If it was the last, waits for the confirmation, unless
	 * the settings say otherwise.
	 * @param hold the hold
	 * @param shared whether it was a shared one
	 * @throws LockLostException if it was lost
	 */
	void release(Hold hold, boolean shared) {
		if (!this.confirmed) {
			release(hold, shared, new SentRelease(hold, this.context));
			return;
		}
		AwaitedRelease release = new AwaitedRelease(hold, this.context);
		if (release(hold, shared, release)) {
			release.await();
		}
	}

	/** The same, for callers that must not block. */
	CompletionStage<@Nullable Void> releaseAsync(Hold hold, boolean shared) {
		AsyncRelease release = new AsyncRelease(hold, this.context);
		try {
			if (release(hold, shared, this.confirmed ? release : new SentRelease(hold, this.context))
					&& this.confirmed) {
				return release.done();
			}
			return CompletableFuture.completedFuture(null);
		}
		catch (LockLostException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private boolean release(Hold hold, boolean shared, Ending ending) {
		LockTable table = this.context.table();
		Semaphore semaphore = hold.taker().nests() ? null : table.semaphore(hold.key());
		if (semaphore != null) {
			semaphore.passOn(hold);
		}
		LockEntry entry = table.of(hold);
		Release release = (entry != null) ? entry.release(hold, shared, ending) : null;
		if (release == null) {
			// Lost, and nothing else kept the entry. The store may know the hold longer.
			table.with(hold.key(), hold.request(), (candidate) -> candidate.endLost(hold));
			throw hold.lostException();
		}
		if (release instanceof Release.Lost lost) {
			throw lost.loss();
		}
		return release instanceof Release.Sent;
	}

}
