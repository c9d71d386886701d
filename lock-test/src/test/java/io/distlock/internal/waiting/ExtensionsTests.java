package io.distlock.internal.waiting;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockOptions;
import io.distlock.LockSettings;
import io.distlock.internal.ModelClock;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.time.Backoff;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which extensions wait, and for which answers of the store. */
class ExtensionsTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final LeaseTerm TERM = new LeaseTerm(Duration.ofSeconds(30), true);

	private final ModelClock clock = new ModelClock();

	private final EngineContext engine = new EngineContext(new InMemoryLockStore(), LockSettings.DEFAULTS, this.clock,
			"one", LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5);

	private final AsyncWaiter waiter = new AsyncWaiter(
			new AcquireOptions(TERM, Sharing.EXCLUSIVE, SECOND, "", LockOptions.NONE), 0, (waiter, outcome) -> {
			});

	private final Hold hold = new Hold("stock:42", new StoreLease(new RequestId("one", 1), new Grant(7, 1, 30_000, 0),
			TERM, 0, 20 * SECOND, 0, this.engine.clock(), new Backoff(() -> 0.5)), this.waiter.owner(),
			this.engine.clock());

	/** Waits for the command timeout of a second. */
	private Extension extension(long from) {
		this.clock.moveTo(from);
		return new Extension(this.hold, TERM.duration(), null, this.engine);
	}

	@Test
	void dueByThenWhenTheTimeOfTheFirstIsOver() {
		assertThat(Extensions.none().dueBy(5 * SECOND)).isEqualTo(5 * SECOND);
		Extensions both = Extensions.none().with(extension(2 * SECOND)).with(extension(3 * SECOND));
		assertThat(both.dueBy(5 * SECOND)).isEqualTo(3 * SECOND);
		assertThat(both.dueBy(2 * SECOND)).isEqualTo(2 * SECOND);
	}

	@Test
	void answeredByThenOnlyWhatCameBeforeTheCommand() {
		Extension first = extension(SECOND);
		Extension second = extension(2 * SECOND);
		Extensions both = Extensions.none().with(first).with(second);
		assertThat(Extensions.none().answeredBy(0, TERM.duration())).isEmpty();
		assertThat(both.answeredBy(SECOND - 1, TERM.duration())).isEmpty();
		assertThat(both.answeredBy(SECOND, TERM.duration())).containsExactly(first);
		assertThat(both.answeredBy(2 * SECOND, TERM.duration())).containsExactly(first, second);
		assertThat(both.without(first).answeredBy(2 * SECOND, TERM.duration())).containsExactly(second);
		assertThat(both.without(first).without(second).isEmpty()).isTrue();
	}

	@Test
	void answeredByWhenSentForAShorterLeaseThenNot() {
		Extensions one = Extensions.none().with(extension(SECOND));
		assertThat(one.answeredBy(SECOND, Duration.ofSeconds(29))).isEmpty();
	}

	@Test
	void overdueThenEachInItsTime() {
		Extension first = extension(0);
		Extension second = extension(SECOND / 2);
		Extensions both = Extensions.none().with(first).with(second);
		assertThat(both.waiting()).containsExactly(first, second);
		assertThat(both.overdue(SECOND - 1)).isEmpty();
		assertThat(both.overdue(SECOND)).containsExactly(first);
		assertThat(both.overdue(2 * SECOND)).containsExactly(first, second);
	}

	@Test
	void ofThenThoseOfOneHold() {
		Extension one = extension(0);
		assertThat(Extensions.none().with(one).of(this.hold)).containsExactly(one);
		Hold other = this.hold.handOffTo(this.waiter.owner());
		assertThat(Extensions.none().with(one).of(other)).isEmpty();
	}

}
