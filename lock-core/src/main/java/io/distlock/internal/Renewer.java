package io.distlock.internal;

import java.util.concurrent.TimeUnit;

import io.distlock.LockStoreException;
import io.distlock.LossReason;
import io.distlock.spi.RenewResult;
import io.distlock.text.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews what the store keeps of a key for this process, and reads the answers. When it
 * is to be renewed is the matter of {@link Renewal}. Confined to the monitor of the key.
 */
final class Renewer {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	private final StoreTime storeTime;

	private final Result result;

	/**
	 * Creates it.
	 * @param key the key
	 * @param engine what engines share
	 * @param monitor the monitor of the key
	 * @param storeTime told what the store's clock says
	 * @param result told how renewals end
	 */
	Renewer(String key, EngineContext engine, Monitor monitor, StoreTime storeTime, Result result) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
		this.storeTime = storeTime;
		this.result = result;
	}

	/**
	 * Sends a renewal.
	 * @param hold what the store keeps
	 * @param sharing those who share it, or {@code null} if one has it alone
	 */
	void renew(Hold hold, @Nullable SharedHold sharing) {
		this.engine.watch().look();
		long sentAt = this.engine.now();
		Tenure tenure = hold.tenure();
		Lease lease = tenure.renewal().lease();
		tenure.asked(lease);
		// The store will count the lease from when it gets this, be it shorter than what
		// is left.
		hold.endNoLaterThan(LocalDeadline.after(sentAt, lease.duration().toMillis()));
		if (sharing != null) {
			sharing.follow();
		}
		tenure.renewal().sent(sentAt, this.engine.timeoutNanos(), hold.deadline() - sentAt);
		this.engine.commands()
			.renew(hold, (sharing != null) ? 0 : tenure.reserve())
			.whenComplete((answer, failure) -> this.monitor
				.run(() -> answered(tenure, new Sent(lease, sentAt), answer, failure)));
	}

	/** Tells if one that is due is sent so late that locks may be lost. */
	void noteLag(Renewal renewal, long now) {
		long lag = now - renewal.nextSend();
		long lease = renewal.lease().duration().toMillis();
		if (this.engine.renewalLag().sent(renewal.nextSend(), now, renewal.lease())) {
			this.monitor.afterwards(() -> logger.warn(
					"Lock '{}': its renewal was sent {} ms late, the lease is {} ms: this process was stopped "
							+ "(garbage collection, suspended machine) or gets too little CPU, and may lose its locks",
					KeyText.of(this.key), TimeUnit.NANOSECONDS.toMillis(lag), lease));
		}
	}

	/**
	 * The answer is about the tenure; the lock may have passed to another thread since.
	 */
	private void answered(Tenure tenure, Sent sent, @Nullable RenewResult answer, @Nullable Throwable failure) {
		observeTime(answer, sent.at());
		Hold hold = this.result.holdOf(tenure);
		if (hold == null) {
			return;
		}
		if (answer instanceof RenewResult.Renewed renewed) {
			long believable = tenure.believable(sent.lease(), renewed.grant().remainingMillis());
			hold.confirmed(LocalDeadline.after(sent.at(), believable));
			tenure.confirmed(renewed.grant(), renewed.waiters(), sent.at(), this.engine.now());
			this.result.renewed(hold, sent, renewed.waiters());
		}
		else if (answer instanceof RenewResult.Gone) {
			boolean early = this.engine.watch().storeJumpedSince(hold.confirmedAt());
			this.result.gone(early ? LossReason.CLOCK_JUMP : LossReason.TAKEN);
		}
		else {
			failed(hold, failure);
		}
	}

	private void observeTime(@Nullable RenewResult answer, long sentAt) {
		if (answer instanceof RenewResult.Renewed renewed) {
			this.storeTime.observe(sentAt, renewed.grant().storeTime());
		}
		else if (answer instanceof RenewResult.Gone gone) {
			gone.storeTime().ifPresent((storeTime) -> this.storeTime.observe(sentAt, storeTime));
		}
	}

	private void failed(Hold hold, @Nullable Throwable failure) {
		hold.tenure().notConfirmed();
		// Of a minimum hold only its end is missed, if at all; that is told then.
		if (hold.renewal().failed(this.engine.clock()) && hold.state() != Hold.State.KEPT) {
			logger.warn("Lock '{}': renewal failed, repeating it for the {} ms left of the lease", KeyText.of(this.key),
					hold.remaining() / 1_000_000, failure);
		}
		this.result.failed(this.engine.failures().ofStore(this.key, failure));
	}

	/**
	 * A renewal that was sent.
	 *
	 * @param lease the lease it asked for
	 * @param at when
	 */
	record Sent(Lease lease, long at) {
	}

	/** Told how renewals end, under the monitor. */
	interface Result {

		/**
		 * What is held now, if it is still of the tenure.
		 * @param tenure what an answer is about
		 */
		@Nullable Hold holdOf(Tenure tenure);

		/**
		 * Hold and tenure know that they are confirmed.
		 * @param hold the hold
		 * @param sent what was confirmed
		 * @param waiters how many others wait
		 */
		void renewed(Hold hold, Sent sent, int waiters);

		/**
		 * The store does not know the hold any more.
		 * @param why what may have happened
		 */
		void gone(LossReason why);

		/**
		 * The outcome is unknown, and the renewal will be repeated.
		 * @param cause why
		 */
		void failed(LockStoreException cause);

	}

}
