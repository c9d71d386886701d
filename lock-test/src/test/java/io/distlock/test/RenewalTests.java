package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Renewal of many locks by one thread. */
@SuppressWarnings("resource")
class RenewalTests extends AbstractVirtualTimeTests {

	private static final int LOCKS = 10_000;

	RenewalTests() {
		super(LockSettings.DEFAULTS, LockSettings.DEFAULTS);
	}

	@Test
	void acquireWhenTenThousandAreHeldThenAllAreRenewedByOneThread() {
		int threads = Thread.activeCount();
		List<LockHandle> handles = IntStream.range(0, LOCKS)
			.mapToObj((number) -> this.template.acquireAsync("lock:" + number).toCompletableFuture().join())
			.toList();
		this.clock.advance(Duration.ofSeconds(35));
		assertThat(handles).allMatch(LockHandle::isHeld);
		assertThat(handles).allMatch((handle) -> handle.remaining().compareTo(Duration.ofSeconds(19)) > 0);
		assertThat(this.store.count(Verb.RENEW)).as("three each").isEqualTo(3 * LOCKS);
		assertThat(Thread.activeCount() - threads).as("callback threads only").isLessThan(LOCKS / 100);
		assertThat(this.template.renewalLag()).isLessThan(Duration.ofMillis(10));
		int sent = this.store.count(Verb.RENEW);
		handles.forEach(LockHandle::close);
		this.clock.advance(Duration.ofSeconds(35));
		assertThat(this.store.count(Verb.RENEW)).as("nothing is renewed after its release").isEqualTo(sent);
		assertThat(this.template.isIdle()).isTrue();
	}

	@Test
	void acquireWhenAcquiredOneAfterAnotherThenRenewedInStep() {
		for (int i = 0; i < 200; i++) {
			this.template.acquire(LockRequest.of("lock:" + i));
			this.clock.advance(Duration.ofMillis(1));
		}
		int[] rounds = new int[1];
		int before = this.store.count(Verb.RENEW);
		for (int millis = 0; millis < 12_000; millis += 10) {
			this.clock.advance(Duration.ofMillis(10));
			int now = this.store.count(Verb.RENEW);
			rounds[0] += (now > before) ? 1 : 0;
			before = now;
		}
		assertThat(before).isEqualTo(200);
		assertThat(rounds[0]).isLessThanOrEqualTo(2);
	}

	@Test
	void renewalLagWhenTheProcessWasStoppedThenShownForAWhile() {
		LockHandle lock = this.template.acquire("stock:42");
		assertThat(this.template.renewalLag()).isZero();
		this.clock.jump(Duration.ofSeconds(18));
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.template.renewalLag()).isBetween(Duration.ofSeconds(8), Duration.ofMillis(8300));
		this.clock.advance(Duration.ofSeconds(61));
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.template.renewalLag()).isLessThan(Duration.ofMillis(10));
	}

}
