package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.spi.LockSnapshot;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Defects that were found in other locks, as far as no other test would find them. */
@SuppressWarnings("resource")
class PeerDefectTests extends AbstractVirtualTimeTests {

	private static final LockRequest REQUEST = LockRequest.of("stock:42").waitAtMost(Duration.ZERO);

	PeerDefectTests() {
		super(LockSettings.builder().leaseTime(Duration.ofSeconds(30)).build(), LockSettings.DEFAULTS);
	}

	/** A task of a nested acquisition that outlives its unlock renews for ever. */
	@Test
	void closeWhenReentrantCyclesAreOverThenNoRenewalNorEntryIsLeft() {
		for (int cycle = 0; cycle < 100; cycle++) {
			LockHandle outer = this.template.acquire(REQUEST);
			LockHandle inner = this.template.acquire(REQUEST);
			this.clock.advance(Duration.ofSeconds(11));
			inner.close();
			outer.close();
		}
		int renewals = this.store.count(Verb.RENEW);
		assertThat(renewals).isBetween(100, 110);
		this.clock.advance(Duration.ofMinutes(5));
		assertThat(this.store.count(Verb.RENEW)).isEqualTo(renewals);
		assertThat(this.template.isIdle()).isTrue();
	}

	/** A command that is executed twice must not count as two holds. */
	@Test
	void acquireWhenTheCommandIsExecutedTwiceThenOneCloseReleases() throws Exception {
		this.store.inject(Verb.ACQUIRE, Fault.COPY_LATER);
		LockHandle held = this.template.acquire(REQUEST);
		held.close();
		this.store.executeLateCopies();
		assertThat(snapshot(REQUEST.key()).owner()).isNull();
	}

	/** Arithmetic on leases, of attempts that were refused before. */
	@Test
	void acquireWhenRefusedManyTimesThenTheLeaseIsTheOneAskedFor() throws Exception {
		LockHandle other = this.elsewhere.acquire(REQUEST);
		LockRequest fixed = REQUEST.leaseFor(Duration.ofSeconds(10));
		for (int attempt = 0; attempt < 10; attempt++) {
			assertThat(this.template.tryAcquire(fixed)).isEmpty();
		}
		other.close();
		LockHandle held = this.template.acquire(fixed);
		assertThat(held.fencingToken()).isGreaterThan(other.fencingToken());
		assertThat(held.remaining()).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
		assertThat(snapshot(REQUEST.key()).remaining()).isBetween(Duration.ofMillis(9900), Duration.ofSeconds(10));
		held.close();
	}

	/** As keys they differ, as buckets of a hash table they do not. */
	@Test
	void acquireWhenKeysHaveTheSameHashThenIndependent() throws Exception {
		String one = "stock:AaAa";
		String two = "stock:BBBB";
		assertThat(one).hasSameHashCodeAs(two);
		LockHandle first = this.template.acquire(LockRequest.of(one));
		LockHandle second = this.template.acquire(LockRequest.of(two));
		first.close();
		assertThat(second.isHeld()).isTrue();
		assertThat(snapshot(one).owner()).isNull();
		assertThat(snapshot(two).owner()).isNotNull();
		second.close();
		assertThat(snapshot(two).owner()).isNull();
		assertThat(this.template.isIdle()).isTrue();
	}

	private LockSnapshot snapshot(String key) throws Exception {
		return this.store.inspect(key).toCompletableFuture().get(10, TimeUnit.SECONDS);
	}

}
