package io.distlock.internal.request;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.distlock.internal.context.EngineContext;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.CallingThread;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of a key that are over in this process but not yet ended in the store. The
 * command that ends a request is repeated until the store confirms it or can no longer
 * act on the request. So a lost answer cannot orphan a hold. Confined to the monitor of
 * the key.
 */
public final class Finisher {

	private static final Logger logger = LoggerFactory.getLogger(Finisher.class);

	/**
	 * The longest pause of a release that a slow store failed. A store that was not slow
	 * but hung gets the release this much later.
	 */
	private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	/**
	 * The requests still to be ended. Each change replaces the list, which almost always
	 * has at most one element.
	 */
	private List<Finish> pending = List.of();

	/**
	 * Creates a finisher that has nothing to end.
	 * @param key the key
	 * @param engine what all keys share
	 * @param monitor the monitor of the key
	 */
	public Finisher(String key, EngineContext engine, Monitor monitor) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
	}

	/** Returns whether the store has confirmed the end of each request. */
	public boolean isEmpty() {
		return this.pending.isEmpty();
	}

	/**
	 * Ends a request in the store, in any state.
	 * @param request the request
	 * @param longest the longest term it requested
	 */
	public void begin(RequestId request, LeaseTerm longest) {
		begin(request, longest, null);
	}

	/**
	 * Ends a request for a caller. The command ends older requests too, so no backlog
	 * grows while the store is unreachable.
	 * @param request the request
	 * @param longest the longest term it requested
	 * @param release completed with the answer, or {@code null} if no caller is
	 * interested
	 */
	public void begin(RequestId request, LeaseTerm longest, @Nullable Release release) {
		Finish finish = new Finish(request, this.engine.overInStore(longest), release, this.engine.backoff());
		this.pending = this.pending.isEmpty() ? List.of(finish)
				: Stream.concat(this.pending.stream().filter((older) -> !older.replacedBy(finish)), Stream.of(finish))
					.toList();
		send(finish);
	}

	/** Ends a request in the store, unless that is under way. */
	public void beginUnlessPending(RequestId request, LeaseTerm longest) {
		if (this.pending.stream().noneMatch((known) -> known.request.equals(request))) {
			begin(request, longest);
		}
	}

	/** Returns whether the store has yet to confirm that it keeps the lock. */
	public boolean isKeeping() {
		return !this.pending.isEmpty() && this.pending.stream().anyMatch(Finish::keeps);
	}

	/**
	 * Notes that a newer request is sent. The newer request ends the pending requests of
	 * the same participant, and the store may execute it before them.
	 */
	void supersede(RequestId newer) {
		if (!this.pending.isEmpty()) {
			this.pending.forEach((finish) -> finish.supersede(newer));
		}
	}

	private void send(Finish finish) {
		long sentAt = this.engine.now();
		finish.sent(sentAt, this.engine.timeoutNanos());
		this.engine.commands()
			.finish(this.key, finish.request, finish.keepFor(sentAt), finish.callingThread())
			.whenComplete((result, failure) -> {
				this.engine.commandEnded(StoreCommand.RELEASE, sentAt, failure, this.monitor);
				this.monitor.enter();
				try {
					answered(finish, sentAt, result, failure);
				}
				finally {
					this.monitor.leave();
				}
			});
	}

	private void answered(Finish finish, long sentAt, @Nullable FinishResult result, @Nullable Throwable failure) {
		if (result != null) {
			if (this.pending.contains(finish)) {
				// Planned first: after an error the command is repeated.
				finish.confirmed(result, this.monitor);
				remove(finish);
			}
		}
		else {
			logger.debug("Lock '{}': repeating a failed release", KeyText.of(this.key), failure);
			finish.failed(this.engine.now(), sentAt);
			if (this.engine.stopped()) {
				abandonAll();
			}
		}
	}

	private void remove(Finish finish) {
		this.pending = (this.pending.size() == 1) ? List.of()
				: this.pending.stream().filter((other) -> other != finish).toList();
	}

	/** Sends the commands that are due, and drops those that have no use any more. */
	public void tick(long now) {
		abandonIf((finish) -> finish.pointless(now));
		for (Finish finish : this.pending) {
			finish.giveUp(now, this.monitor);
			if (finish.sendDue(now)) {
				repeat(finish, now);
			}
		}
	}

	private void repeat(Finish finish, long now) {
		long moment = finish.hasCaller() ? now : this.engine.commands().claimEnd(now);
		if (moment - now > 0) {
			finish.holdBack(moment);
		}
		else {
			finish.supersede();
			send(finish);
		}
	}

	/** Gives up, because the engine sends no more commands. */
	public void abandonAll() {
		abandonIf((finish) -> true);
	}

	private void abandonIf(Predicate<Finish> condition) {
		for (Finish finish : this.pending) {
			if (condition.test(finish)) {
				finish.abandoned(this.monitor);
				remove(finish);
			}
		}
	}

	/** Returns when a command is due, but no later than the given moment. */
	public long dueBy(long latest) {
		// The usual case, checked after each event of the key.
		if (this.pending.isEmpty()) {
			return latest;
		}
		long next = latest;
		for (Finish finish : this.pending) {
			next = LocalDeadline.earlier(next, finish.due());
		}
		return next;
	}

	/** The end of one request. */
	static final class Finish {

		private final RequestId request;

		private final @Nullable Release release;

		private Backoff backoff;

		private long pointlessAt;

		private long nextSend;

		private long lastSent;

		/** Whether the last command asked the store to keep the hold. */
		private boolean keeps;

		private boolean conclusive = true;

		Finish(RequestId request, long pointlessAt, @Nullable Release release, Backoff backoff) {
			this.request = request;
			this.pointlessAt = pointlessAt;
			this.release = release;
			this.backoff = backoff;
		}

		/**
		 * Returns the thread that may execute the command. A repetition is sent from
		 * another thread, and the caller accepts no command from there.
		 */
		CallingThread callingThread() {
			return (this.release != null) ? this.release.callingThread() : CallingThread.NONE;
		}

		/**
		 * Returns how long the store must keep the hold. The time is rounded up to whole
		 * milliseconds, because the store counts in milliseconds.
		 */
		Duration keepFor(long now) {
			Release asking = this.release;
			long left = (asking != null) ? asking.keepUntil() - now : 0;
			this.keeps = left > 0;
			return this.keeps ? Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(left - 1) + 1) : Duration.ZERO;
		}

		boolean keeps() {
			return this.keeps;
		}

		/** Completes the release once the monitor has been left. */
		void confirmed(FinishResult result, Monitor monitor) {
			Release completed = this.release;
			boolean proof = this.conclusive;
			if (completed != null) {
				monitor.afterwards(() -> completed.confirmed(result, proof));
			}
		}

		void abandoned(Monitor monitor) {
			if (this.release != null) {
				monitor.afterwards(this.release::abandoned);
			}
		}

		/** Completes a stage that has waited for the command timeout. */
		void giveUp(long now, Monitor monitor) {
			Release waiting = this.release;
			if (waiting != null && waiting.givesUp(now)) {
				monitor.afterwards(waiting::unconfirmed);
			}
		}

		void sent(long now, long timeoutNanos) {
			this.lastSent = now;
			this.nextSend = now + timeoutNanos;
		}

		/**
		 * Plans the repetition, unless a later copy of the command is still under way. A
		 * store that needs long until it fails may have too much to do: thousands of
		 * releases that are repeated soon would never let it catch up.
		 */
		void failed(long now, long sentAt) {
			this.conclusive = false;
			if (sentAt == this.lastSent) {
				long slowness = Math.min((now - sentAt) * this.backoff.failures(), LONGEST_PAUSE_NANOS);
				this.nextSend = now + Math.max(this.backoff.delay(), slowness);
				this.backoff = this.backoff.next();
			}
		}

		/** Returns whether a caller has released a lock, for which others may wait. */
		boolean hasCaller() {
			return this.release != null;
		}

		/**
		 * Delays the repetition until another command has shown whether the store answers
		 * again.
		 */
		void holdBack(long until) {
			this.nextSend = until;
		}

		boolean pointless(long now) {
			return now - this.pointlessAt >= 0;
		}

		/**
		 * Returns whether a command is due. An unanswered command is repeated too,
		 * because the connection may have lost it.
		 */
		boolean sendDue(long now) {
			return now - this.nextSend >= 0;
		}

		long due() {
			long next = LocalDeadline.earlier(this.nextSend, this.pointlessAt);
			return (this.release != null) ? this.release.dueBy(next) : next;
		}

		/** Notes that from now on the answer "unknown" proves no loss. */
		void supersede() {
			this.conclusive = false;
		}

		/** Notes that a newer request is sent, which may end this one. */
		void supersede(RequestId newer) {
			if (this.request.isSameParticipant(newer)) {
				supersede();
			}
		}

		/**
		 * Lets a newer finish end this request too, unless a caller waits for the answer.
		 * @param newer the newer finish, which takes over how long this request may last
		 * in the store
		 * @return whether the newer finish ends this request too
		 */
		boolean replacedBy(Finish newer) {
			boolean awaited = this.release != null && this.release.awaited();
			boolean replaced = this.request.isSameParticipant(newer.request) && !awaited
					&& this.request.number() < newer.request.number();
			if (replaced && this.pointlessAt - newer.pointlessAt > 0) {
				newer.pointlessAt = this.pointlessAt;
			}
			return replaced;
		}

	}

}
