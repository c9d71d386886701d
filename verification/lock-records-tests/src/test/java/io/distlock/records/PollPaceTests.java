package io.distlock.records;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.distlock.records.place.RecordTraits.Lifetime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often waiters ask a place that sends no messages, on virtual time: rarely while
 * nothing happens, and often enough for what happens.
 */
class PollPaceTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final VirtualFleet fleet = new VirtualFleet(Lifetime.CLOCK, false, 1);

	private final VirtualFleet.Member holder = this.fleet.join();

	private List<VirtualFleet.Member> waiters(int count, Duration work) {
		if (!this.holder.holds()) {
			this.holder.ask();
		}
		this.fleet.pass(Duration.ofSeconds(1));
		assertThat(this.holder.holds()).isTrue();
		return Stream.generate(this.fleet::join).limit(count).map((member) -> member.askToWork(work)).toList();
	}

	@Test
	void aCandidateCostsTwoCallsASecond() {
		whoHasWaitedForAMinuteCostsTwoCallsASecond(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 20 })
	void whoHasWaitedForAMinuteCostsTwoCallsASecond(int waiting) {
		waiters(0, MINUTE);
		long alone = this.fleet.calls();
		this.fleet.pass(MINUTE);
		alone = this.fleet.calls() - alone;
		waiters(waiting, MINUTE);
		this.fleet.pass(MINUTE);
		long before = this.fleet.calls();
		this.fleet.pass(MINUTE);
		assertThat(this.fleet.calls() - before - alone).isLessThanOrEqualTo(2L * waiting * MINUTE.toSeconds());
		assertThat(this.fleet.failures()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(longs = { 10, 100, 1000, 10_000, 60_000 })
	void aHandOverComesSoonComparedToTheWait(long waited) {
		VirtualFleet.Member waiter = waiters(1, MINUTE).get(0);
		this.fleet.pass(Duration.ofMillis(waited));
		this.holder.release();
		Instant released = this.fleet.now();
		this.fleet.pass(Duration.ofSeconds(5));
		// Three calls of up to two milliseconds, there and back.
		assertThat(waiter.grantedAt()).isBefore(released.plusMillis(20 + Math.min(waited / 20, 1500)));
	}

	@Test
	void aLineThatMovesAfterALongTimeIsServedOneAfterTheOther() {
		List<VirtualFleet.Member> waiters = waiters(20, Duration.ofMillis(1));
		this.fleet.pass(MINUTE);
		this.holder.release();
		// All have seen within this time that the line moves.
		this.fleet.pass(Duration.ofMillis(1500).plusMillis(20 * 60));
		assertThat(waiters).allMatch(VirtualFleet.Member::served);
		assertThat(this.fleet.failures()).isEmpty();
	}

	/** Looks as often as a fast line needs take 1,850 calls a second. */
	@Test
	void aLongLineThatMovesSlowlyAsksSeldom() {
		List<VirtualFleet.Member> waiters = waiters(150, Duration.ofMillis(100));
		this.holder.release();
		this.fleet.pass(Duration.ofSeconds(3));
		long served = served(waiters);
		long before = this.fleet.calls();
		this.fleet.pass(Duration.ofSeconds(5));
		assertThat(this.fleet.calls() - before).isLessThan(5 * 900);
		assertThat(served(waiters) - served).as("served meanwhile").isGreaterThan(5 * 8);
	}

	private static long served(List<VirtualFleet.Member> waiters) {
		return waiters.stream().filter(VirtualFleet.Member::served).count();
	}

	/** Turns are slow enough for long pauses, and no waiter may lose its place by one. */
	@Test
	void aLongPollIntervalDelaysASlowLineLittle() {
		this.fleet.pollEvery(Duration.ofHours(1));
		Duration work = Duration.ofSeconds(20);
		List<VirtualFleet.Member> waiters = waiters(12, work);
		this.holder.release();
		this.fleet.pass(work.plusMillis(1000).multipliedBy(12));
		assertThat(waiters).allMatch(VirtualFleet.Member::served);
		assertThat(this.fleet.failures()).isEmpty();
	}

	@Test
	void aLeaseThatEndsIsNoticedWhenItEnds() {
		VirtualFleet.Member waiter = waiters(1, MINUTE).get(0);
		this.fleet.pass(MINUTE);
		this.holder.die();
		Instant died = this.fleet.now();
		this.fleet.pass(MINUTE);
		assertThat(waiter.grantedAt()).isBefore(died.plus(VirtualFleet.LEASE).plusMillis(1700));
	}

}
