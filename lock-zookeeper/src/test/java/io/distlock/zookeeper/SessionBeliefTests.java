package io.distlock.zookeeper;

import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SessionBeliefTests {

	private static final long TIMEOUT = 30_000;

	private static final long BEAT = TIMEOUT / 6;

	@Test
	void nothingIsBelievedBeforeTheFirstCommittedWrite() {
		assertThat(new SessionBelief(1000).remaining(1000)).isZero();
	}

	@Test
	void aNewSessionIsCountedFromBeforeItsCreation() {
		SessionBelief belief = new SessionBelief(1000);
		belief.committed(1500, 1600, TIMEOUT);
		assertThat(belief.remaining(1600)).isEqualTo(1000 + TIMEOUT - 2 * (TIMEOUT / 1000) - 1600);
	}

	@Test
	void whatIsBelievedOfASessionThatMayBeHalfOverIsNotLostAgain() {
		for (long age = 0; age < TIMEOUT; age += TIMEOUT / 100) {
			SessionBelief belief = new SessionBelief(-age);
			boolean believed = false;
			for (long now = 0; now < TIMEOUT; now += TIMEOUT / 600) {
				if (Math.floorMod(now, BEAT) < TIMEOUT / 600) {
					belief.committed(now, now + TIMEOUT / 1000, TIMEOUT);
				}
				believed |= belief.remaining(now + TIMEOUT / 1000) > 0;
				assertThat(belief.remaining(now) > 0 || !believed || now < BEAT / 10).as("age %s, after %s", age, now)
					.isTrue();
			}
			assertThat(believed).isTrue();
		}
	}

	@Test
	void anOldSessionIsBelievedInOnceTwoWritesProveIt() {
		SessionBelief belief = new SessionBelief(-10 * TIMEOUT);
		belief.committed(0, 10, TIMEOUT);
		assertThat(belief.remaining(10)).isZero();
		belief.committed(BEAT, BEAT + 10, TIMEOUT);
		assertThat(belief.remaining(BEAT + 10)).as("too close for a ping of the leader").isZero();
		belief.committed(2 * BEAT, 2 * BEAT + 10, TIMEOUT);
		assertThat(belief.remaining(2 * BEAT + 10)).isBetween(TIMEOUT * 6 / 10, TIMEOUT * 2 / 3);
	}

	@Test
	void aWriteAfterALongPauseProvesOnlyTheOnesBeforeThePause() {
		SessionBelief belief = new SessionBelief(0);
		belief.committed(0, 10, TIMEOUT);
		long late = TIMEOUT * 9 / 10;
		belief.committed(late, late + 10, TIMEOUT);
		assertThat(belief.remaining(late + 10)).isLessThan(TIMEOUT / 10);
	}

	@Test
	void aHeartbeatKeepsBetweenHalfAndTwoThirdsOfTheTimeout() {
		SessionBelief belief = new SessionBelief(0);
		for (int i = 0; i < 100; i++) {
			long sent = i * BEAT;
			if (i > 2) {
				assertThat(belief.remaining(sent)).isGreaterThan(TIMEOUT * 45 / 100);
			}
			belief.committed(sent, sent + 50, TIMEOUT);
			if (i > 1) {
				assertThat(belief.remaining(sent + 50)).isLessThanOrEqualTo(TIMEOUT * 2 / 3);
			}
		}
	}

	@Test
	void anEndedSessionIsNotBelievedIn() {
		SessionBelief belief = new SessionBelief(0);
		belief.committed(0, 10, TIMEOUT);
		belief.end();
		belief.committed(20, 30, TIMEOUT);
		assertThat(belief.remaining(30)).isZero();
	}

	/**
	 * A follower learns of writes when they are sent, and reports them at each ping of
	 * the leader; at some moment it is cut off. Whatever committed until then, the belief
	 * ends before the leader expires the session.
	 */
	@Test
	void theBeliefEndsBeforeTheLeaderExpiresTheSession() {
		for (int seed = 0; seed < 20_000; seed++) {
			Random random = new Random(seed);
			long tick = TIMEOUT / (2 + random.nextInt(8));
			long nextPing = random.nextLong(tick / 2 + 1);
			long cut = TIMEOUT + random.nextLong(3 * TIMEOUT);
			SessionBelief belief = new SessionBelief(0);
			long touched = 0;
			long heard = 0;
			long now = 0;
			while (now < cut && now - touched < TIMEOUT) {
				long sent = now;
				long answered = sent + 1 + random.nextLong(200);
				// What the follower heard before a ping is reported with it.
				while (nextPing <= answered && nextPing < cut) {
					touched = (nextPing >= sent) ? sent : heard;
					nextPing += tick / 2;
				}
				heard = sent;
				if (answered < cut) {
					belief.committed(sent, answered, TIMEOUT);
				}
				// Heartbeats, writes in quick succession, and pauses.
				long pause = switch (random.nextInt(3)) {
					case 0 -> BEAT;
					case 1 -> random.nextLong(100);
					default -> random.nextLong(TIMEOUT);
				};
				while (nextPing <= answered + pause && nextPing < cut) {
					touched = heard;
					nextPing += tick / 2;
				}
				now = answered + pause;
			}
			assertThat(belief.remaining(touched + TIMEOUT)).as("seed " + seed).isZero();
		}
	}

}
