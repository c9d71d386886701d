package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import io.distlock.text.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What of a key is over here and still to be ended in the store. */
final class Withdrawals {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private final List<Withdrawal> pending = new ArrayList<>(1);

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	Withdrawals(String key, EngineContext engine, Monitor monitor) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
	}

	boolean isEmpty() {
		return this.pending.isEmpty();
	}

	/**
	 * Ends a request in the store, in whatever state it is there.
	 * @param request the request
	 * @param lease what it may hold at the most
	 */
	void begin(RequestId request, Lease lease) {
		begin(request, lease, Ending.UNHEARD);
	}

	/**
	 * Ends a request for somebody who wants to know how.
	 * @param request the request
	 * @param lease what it may hold at the most
	 * @param ending told
	 */
	void begin(RequestId request, Lease lease, Ending ending) {
		Withdrawal withdrawal = new Withdrawal(request, this.engine.overInStore(lease), ending,
				this.engine.newBackoff());
		// Ending a request ends older ones too, so a store that is away collects no
		// backlog.
		this.pending.removeIf((older) -> older.replacedBy(withdrawal));
		this.pending.add(withdrawal);
		send(withdrawal);
	}

	/**
	 * A newer request is sent; it ends what is pending, and may be executed before it.
	 */
	void supersede() {
		this.pending.forEach(Withdrawal::supersede);
	}

	void beginUnlessPending(RequestId request, Lease lease) {
		if (this.pending.stream().noneMatch((known) -> known.request().equals(request))) {
			begin(request, lease);
		}
	}

	private void send(Withdrawal withdrawal) {
		withdrawal.sent(this.engine.now(), this.engine.timeoutNanos());
		this.engine.commands()
			.finish(this.key, withdrawal.request())
			.whenComplete((result, failure) -> this.monitor.run(() -> answered(withdrawal, result, failure)));
	}

	private void answered(Withdrawal withdrawal, @Nullable FinishResult result, @Nullable Throwable failure) {
		if (result != null) {
			this.pending.remove(withdrawal);
			this.monitor.afterwards(withdrawal.confirmed(result));
		}
		else {
			logger.debug("Lock '{}': repeating a failed release", KeyText.of(this.key), failure);
			withdrawal.failed(this.engine.now());
			if (this.engine.finished()) {
				abandonAll();
			}
		}
	}

	void tick(long now) {
		abandonIf((withdrawal) -> withdrawal.pointless(now));
		for (Withdrawal withdrawal : List.copyOf(this.pending)) {
			if (withdrawal.sendDue(now)) {
				withdrawal.supersede();
				send(withdrawal);
			}
		}
	}

	/** The store will not be asked any more. */
	void abandonAll() {
		abandonIf((withdrawal) -> true);
	}

	private void abandonIf(Predicate<Withdrawal> condition) {
		this.pending.removeIf((withdrawal) -> {
			boolean over = condition.test(withdrawal);
			if (over) {
				this.monitor.afterwards(withdrawal.abandoned());
			}
			return over;
		});
	}

	long dueBy(long latest) {
		long next = latest;
		for (Withdrawal withdrawal : this.pending) {
			next = LocalDeadline.earlier(next, withdrawal.due());
		}
		return next;
	}

}
