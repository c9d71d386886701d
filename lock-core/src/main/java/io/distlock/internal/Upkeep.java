package io.distlock.internal;

import io.distlock.LockStoreException;
import io.distlock.LossReason;
import io.distlock.spi.TransientStoreException;
import io.distlock.text.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what is held alive for as long as somebody wants it: sends renewals when they are
 * due, takes in their answers, and notices when it is over. Confined to the monitor of
 * the key.
 */
final class Upkeep implements Renewer.Result {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final String key;

	private final EngineContext engine;

	private final Events events;

	private final Renewer renewer;

	private final Holding holding;

	/**
	 * Creates it, with nothing held yet.
	 * @param key the key
	 * @param engine what engines share
	 * @param monitor the monitor of the key
	 * @param storeTime told what the store's clock says
	 * @param events told what others may wait for
	 */
	Upkeep(String key, EngineContext engine, Monitor monitor, StoreTime storeTime, Events events) {
		this.key = key;
		this.engine = engine;
		this.events = events;
		this.renewer = new Renewer(key, engine, monitor, storeTime, this);
		this.holding = new Holding(engine, monitor, this.renewer);
	}

	/** What is kept alive. */
	Holding holding() {
		return this.holding;
	}

	void tick(long now) {
		this.holding.lost().removeOrphans();
		if (this.holding.isOwned()) {
			this.holding.forEach((taken) -> {
				if (taken.becomesLong(now)) {
					this.engine.announcer().heldTooLong(taken);
				}
			});
		}
		SharedHold sharing = this.holding.sharing();
		if (sharing != null && sharing.look().missesAnswer(now, this.engine.timeoutNanos())) {
			this.events.lookFailed(this.engine.failures().unanswered(this.key, null));
		}
		Hold hold = this.holding.current();
		if (hold != null && hold.renewal().due(now) && !this.engine.finished()) {
			renewalDue(hold, now);
		}
	}

	private void renewalDue(Hold hold, long now) {
		this.holding.forEach((taken) -> this.holding.nesting().failUnanswered(taken, now));
		hold.tenure().notConfirmed();
		MinimumHold minimum = this.holding.minimum();
		if (minimum.keeps(hold)) {
			if (minimum.mayStillBeTold(now)) {
				this.renewer.renew(hold, null);
			}
		}
		else if (this.holding.isOrphaned()) {
			hold.renewal().stop();
			logger.warn("Lock '{}': thread '{}' ended without releasing it; it is not renewed any more",
					KeyText.of(this.key), hold.taker().ownerName());
		}
		else {
			this.renewer.noteLag(hold.renewal(), now);
			this.renewer.renew(hold, this.holding.sharing());
		}
	}

	/** A clock jumped: renews what can be renewed, to know where it stands. */
	void suspect(long now) {
		loseIfExpired(now);
		Hold hold = this.holding.current();
		if (hold != null && hold.renewal().lease().renewed() && hold.renewal().scheduled()) {
			hold.renewal().hurry(now);
		}
	}

	long dueBy(long latest) {
		long next = latest;
		Hold hold = this.holding.current();
		MinimumHold minimum = this.holding.minimum();
		if (hold != null && !minimum.keeps(hold)) {
			SharedHold sharing = this.holding.sharing();
			next = (sharing != null) ? sharing.dueBy(next) : hold.dueBy(next);
		}
		if (hold != null && !this.engine.finished()) {
			next = minimum.dueBy(hold.renewal().dueBy(next));
		}
		return this.holding.lost().isEmpty() ? next
				: LocalDeadline.earlier(next, this.engine.now() + EngineContext.ORPHAN_CHECK_NANOS);
	}

	void loseIfExpired(long now) {
		Hold hold = this.holding.current();
		SharedHold sharing = this.holding.sharing();
		if (sharing != null) {
			sharing.readers().expired(now).forEach((reader) -> lose(reader, reader.whyExpired(now)));
		}
		else if (hold != null && !this.holding.minimum().keeps(hold) && hold.deadline() - now <= 0) {
			lose(hold, hold.whyExpired(now));
		}
	}

	private void lose(Hold hold, LossReason why) {
		this.holding.lose(hold, why);
		if (this.holding.isFree()) {
			this.events.freed(hold);
		}
	}

	@Override
	public @Nullable Hold holdOf(Tenure tenure) {
		loseIfExpired(this.engine.now());
		Hold hold = this.holding.current();
		return (hold != null && hold.tenure() == tenure) ? hold : null;
	}

	@Override
	public void renewed(Hold hold, Renewer.Sent sent, int waiters) {
		SharedHold sharing = this.holding.sharing();
		Nesting nesting = this.holding.nesting();
		if (sharing != null) {
			boolean looked = sharing.confirmed(sent.at(), waiters);
			sharing.readers().all().forEach((reader) -> nesting.confirmed(reader, sent.at(), sharing));
			if (looked) {
				this.events.looked();
			}
			return;
		}
		boolean untold = this.holding.minimum().keeps(hold) && !sent.lease().equals(hold.renewal().lease());
		if (!hold.extensions().begunAfter(sent.at()) && !untold) {
			hold.renewal().confirmed(this.engine.now(), hold.remaining());
		}
		nesting.confirmed(hold, sent.at(), null);
	}

	@Override
	public void gone(LossReason why) {
		this.holding.forEach((hold) -> lose(hold, why));
	}

	@Override
	public void failed(LockStoreException cause) {
		if (!(cause instanceof TransientStoreException)) {
			this.holding.forEach((hold) -> this.holding.nesting().fail(hold, cause));
		}
		if (this.holding.answerOwed()) {
			this.events.lookFailed(cause);
		}
	}

	/** Told, under the monitor, what others may wait for. */
	interface Events {

		/**
		 * The last hold was lost, and the next one may contend.
		 * @param lost the hold
		 */
		void freed(Hold lost);

		/** The store has answered what was asked for the first reader in line. */
		void looked();

		/**
		 * It has not; it is asked again.
		 * @param cause why
		 */
		void lookFailed(LockStoreException cause);

	}

}
