package io.distlock.test.records;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.distlock.records.place.LockRecords;
import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Message;
import io.distlock.records.place.LockRecords.Seen;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.records.place.LockRecords.Summary;
import io.distlock.records.place.LockRecords.Written;
import io.distlock.records.place.RecordEvents;
import io.distlock.records.place.RecordTraits.Lifetime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what every place of records must do. Extend this class and return new clients of
 * your kind, all of them on one place. Each test uses separate keys.
 */
@SuppressWarnings("NullAway") // JUnit fills the fields
public abstract class LockRecordsContract {

	private static final long GUARD = 60_000;

	private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();

	private final List<LockRecords> started = new ArrayList<>();

	private final String key = "record:" + UUID.randomUUID();

	private LockRecords one;

	private LockRecords two;

	/**
	 * Creates a client, not started yet.
	 * @return a new client of the one place
	 */
	protected abstract LockRecords newRecords();

	/**
	 * Returns whether messages arrive, either always or as soon as they are expected.
	 * @return by default what {@link LockRecords#traits()} says
	 */
	protected boolean notifies() {
		return this.one.traits().notifies();
	}

	@BeforeEach
	void startClients() {
		this.one = start("one-" + UUID.randomUUID().toString().substring(0, 8));
		this.two = start("two-" + UUID.randomUUID().toString().substring(0, 8));
	}

	@AfterEach
	void stopClients() {
		this.started.forEach(LockRecords::stop);
	}

	private LockRecords start(String engine) {
		LockRecords records = newRecords();
		records.start(engine, new RecordEvents() {

			@Override
			public void message(String text) {
				LockRecordsContract.this.heard.add(text);
			}

			@Override
			public void missed() {
			}

		});
		this.started.add(records);
		Awaitility.await().ignoreExceptions().until(() -> get(records.read("first")) != null);
		return records;
	}

	@Test
	@DisplayName("A record that was never written is absent")
	void readWhenNeverWrittenThenAbsent() {
		Seen seen = get(this.one.read(this.key));
		assertThat(seen.found()).isInstanceOf(Expected.Absent.class);
		assertThat(seen.text()).isEmpty();
		assertThat(seen.time().incarnation()).isNotEmpty();
		assertThat(this.one.estimate()).isPresent();
	}

	@Test
	@DisplayName("What was written is read, with the version of the write")
	void writeWhenAbsentThenRead() {
		Written.Done done = won(this.one, change(this.key, new Expected.Absent(), "1|a;b|%0041", false, 1));
		Seen seen = get(this.two.read(this.key));
		assertThat(seen.text()).isEqualTo("1|a;b|%0041");
		assertThat(seen.found()).isEqualTo(new Expected.At(done.version()));
		if (isSession()) {
			assertThat(seen.tokenFloor()).isEqualTo(done.tokenFloor()).isPositive();
		}
	}

	@Test
	@DisplayName("A write that expects no record loses against one")
	void writeWhenAbsentExpectedThenLost() {
		won(this.one, change(this.key, new Expected.Absent(), "first", false, 1));
		lost(write(this.two, new Expected.Absent(), "second", false));
		assertThat(get(this.one.read(this.key)).text()).isEqualTo("first");
	}

	@Test
	@DisplayName("A write that expects a version wins once")
	void writeWhenVersionThenOnce() {
		Expected first = at(won(this.one, change(this.key, new Expected.Absent(), "first", false, 1)));
		Expected second = at(won(this.one, change(this.key, first, "second", false, 1)));
		assertThat(second).isNotEqualTo(first);
		lost(write(this.two, first, "third", false));
		lost(write(this.one, first, "third", false));
		assertThat(get(this.two.read(this.key)).text()).isEqualTo("second");
		won(this.two, change(this.key, second, "fourth", false, 1));
	}

	@Test
	@DisplayName("Of records that are written at the same time each one wins or loses for itself")
	void writeManyAtOnceThenEachForItself() {
		List<Expected> found = IntStream.range(0, 9)
			.mapToObj((i) -> at(won(this.one, change(this.key + i, new Expected.Absent(), "first", false, 1))))
			.toList();
		Expected stale = found.get(1);
		won(this.one, change(this.key + 1, stale, "of another", false, 1));
		StoreTime now = now();
		List<Change> changes = new ArrayList<>();
		for (int i = 8; i >= 0; i--) {
			changes.add(change(this.key + i, found.get(i), "second " + i, false, 1));
		}
		changes.add(change(this.key + "none", stale, "second", false, 1));
		if (!isSession()) {
			changes.set(4, late(changes.get(4), now));
		}
		List<Written> written = changes.stream()
			.map(this.one::write)
			.toList()
			.stream()
			.map(LockRecordsContract::get)
			.toList();
		assertThat(written).hasSize(10);
		for (int i = 0; i < 10; i++) {
			boolean loses = i == 7 || i == 9 || (i == 4 && !isSession());
			assertThat(written.get(i)).as("%s", i).isInstanceOf(loses ? Written.Lost.class : Written.Done.class);
			Seen left = get(this.two.read(changes.get(i).key()));
			if (!loses) {
				assertThat(left.text()).isEqualTo(changes.get(i).text());
				assertThat(left.found()).isEqualTo(new Expected.At(((Written.Done) written.get(i)).version()));
			}
			else {
				assertThat(left.text()).isNotEqualTo(changes.get(i).text());
			}
		}
	}

	@Test
	@DisplayName("Writers that write the same records at the same time, in any order, all have an answer, and one of them wins")
	void writeManyAtOnceWhenTheSameRecordsThenOneWins() {
		List<Expected> found = new ArrayList<>(IntStream.range(0, 20)
			.mapToObj((i) -> at(won(this.one, change(this.key + i, new Expected.Absent(), "first", false, 1))))
			.toList());
		for (int round = 0; round < 10; round++) {
			List<Change> rising = new ArrayList<>();
			List<Change> falling = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				rising.add(change(this.key + i, found.get(i), "one " + round, false, 1));
				falling.add(0, change(this.key + i, found.get(i), "two " + round, false, 1));
			}
			List<CompletionStage<Written>> ofOne = rising.stream().map(this.one::write).toList();
			List<CompletionStage<Written>> ofTwo = falling.stream().map(this.two::write).toList();
			for (int i = 0; i < 20; i++) {
				boolean first = get(ofOne.get(i)) instanceof Written.Done;
				boolean second = get(ofTwo.get(19 - i)) instanceof Written.Done;
				assertThat(first && second).as("both won").isFalse();
				Seen left = get(this.one.read(this.key + i));
				String expected = first ? "one " + round : "two " + round;
				assertThat(left.text().equals(expected)).as("won and written").isEqualTo(first || second);
				found.set(i, left.found());
			}
		}
	}

	private static Change late(Change change, StoreTime now) {
		return new Change(change.key(), change.expected(), change.text(), false, change.highest(), change.tokenFloor(),
				now.now() - 2 * GUARD, now.now() - GUARD, List.of(), change.summary());
	}

	@Test
	@DisplayName("A write of the same text has a new version")
	void writeWhenSameTextThenNewVersion() {
		Expected first = at(won(this.one, change(this.key, new Expected.Absent(), "same", false, 1)));
		Expected second = at(won(this.one, change(this.key, first, "same", false, 1)));
		assertThat(second).isNotEqualTo(first);
		lost(write(this.one, first, "other", false));
	}

	@Test
	@DisplayName("A version of a record that was deleted meanwhile is not used again")
	void writeWhenDeletedAndCreatedAgainThenOldVersionsLose() {
		// A place may delete an idle record. Each incarnation of the record gets the
		// same number of writes.
		List<Expected> old = new ArrayList<>();
		for (int incarnation = 0; incarnation < 3; incarnation++) {
			Expected found = get(this.one.read(this.key)).found();
			Expected first = at(won(this.one, change(this.key, found, "first of " + incarnation, false, 1)));
			Expected second = at(won(this.one, change(this.key, first, "second of " + incarnation, false, 1)));
			for (Expected late : old) {
				lost(write(this.two, late, "late", false));
				lost(write(this.two, late, "late and idle", true));
			}
			assertThat(get(this.two.read(this.key)).text()).isEqualTo("second of " + incarnation);
			Expected idle = at(won(this.one, change(this.key, second, "idle", true, 1)));
			old.addAll(List.of(first, second, idle));
		}
	}

	@Test
	@DisplayName("A write that expects a free lock wins without a record")
	void writeWhenFreeThenWins() {
		won(this.one, change(this.key, new Expected.Free(), "held", false, 1));
		Written.Lost lost = lost(write(this.two, new Expected.Free(), "mine", false));
		lost.now().ifPresent((seen) -> assertThat(seen.text()).isEqualTo("held"));
		assertThat(get(this.two.read(this.key)).text()).isEqualTo("held");
	}

	@Test
	@DisplayName("A write that expects a free lock takes an idle record with lower tokens only")
	void writeWhenIdleThenByStamp() {
		if (isSession()) {
			return;
		}
		long tokenFloor = now().tokenFloor();
		Expected held = at(won(this.one, change(this.key, new Expected.Absent(), "held", false, 1)));
		won(this.one, change(this.key, held, "idle", true, tokenFloor + 60_000_000));
		lost(write(this.two, new Expected.Free(), "early", false));
		Expected idle = get(this.one.read(this.key)).found();
		Expected late = at(won(this.one, change(this.key, idle, "idle again", true, tokenFloor - 1)));
		won(this.two, change(this.key, new Expected.Free(), "taken", false, 1));
		lost(write(this.one, late, "too late", false));
	}

	@Test
	@DisplayName("A write outside of its window loses, before and after it, whatever it expects")
	void writeWhenOutsideOfWindowThenLost() {
		if (isSession()) {
			return;
		}
		Expected found = new Expected.Absent();
		for (int round = 0; round < 3; round++) {
			Expected expected = (round == 0) ? new Expected.Free() : found;
			long now = now().now();
			lost(get(this.one.write(window(expected, now - 60_000, now - 1000))));
			lost(get(this.one.write(window(expected, now + 60_000, now + 61_000))));
			assertThat(get(this.one.read(this.key)).text()).isEqualTo((round < 2) ? "" : "0");
			if (round == 1) {
				found = at(won(this.one, change(this.key, expected, "0", false, 1)));
			}
		}
		// Writes an idle record, which an acquisition may overwrite.
		found = at(won(this.one, change(this.key, found, "idle", true, 1)));
		long now = now().now();
		lost(get(this.one.write(window(new Expected.Free(), now - 60_000, now - 1000))));
		lost(get(this.one.write(window(new Expected.Free(), now + 60_000, now + 61_000))));
		won(this.one, window(new Expected.Free(), now - 1000, now + 60_000));
	}

	@Test
	@DisplayName("The clock goes on, and the estimate with it")
	void estimateWhenLaterThenLater() {
		StoreTime before = get(this.one.read(this.key)).time();
		Awaitility.await().until(() -> now().now() > before.now() + 20);
		long earliest = now().now();
		StoreTime estimate = this.one.estimate().orElseThrow();
		assertThat(estimate.now()).isGreaterThan(before.now());
		assertThat(estimate.now()).isBetween(earliest - 1000, now().now() + 1000);
		assertThat(estimate.tokenFloor() == 0).isEqualTo(isSession());
		assertThat(before.gone().test(before.incarnation())).isFalse();
	}

	@Test
	@DisplayName("Names of locks are kept apart, whatever is in them")
	void writeWhenHostileKeysThenIndependent() {
		List<String> keys = List.of("", " ", "a", "A", "a ", "ä", "a\u0308", "\u0000", "a/b", "..", "'; DROP", "%41",
				"\uD800", "\uDC00", "\uD83D\uDE00", "x".repeat(300), "x".repeat(301), "y".repeat(20_000));
		for (String suffix : keys) {
			won(this.one, change(this.key + suffix, new Expected.Absent(), "of " + suffix.length(), false, 1));
		}
		for (String suffix : keys) {
			assertThat(get(this.two.read(this.key + suffix)).text()).isEqualTo("of " + suffix.length());
		}
	}

	@Test
	@DisplayName("A long record is kept")
	void writeWhenLongThenRead() {
		int longest = Math.min(this.one.traits().longestText(), 60_000);
		String text = "1|" + "x".repeat(longest - 2);
		won(this.one, change(this.key, new Expected.Absent(), text, false, 1));
		assertThat(get(this.two.read(this.key)).text()).isEqualTo(text);
	}

	@Test
	@DisplayName("Of many that race for a version one wins")
	void writeWhenRacingThenEachIncrementCounts() {
		int racers = 4;
		int each = 25;
		Expected start = at(won(this.one, change(this.key, new Expected.Absent(), "0", false, 1)));
		assertThat(start).isNotNull();
		List<Thread> threads = IntStream.range(0, racers).mapToObj((racer) -> {
			LockRecords client = (racer % 2 == 0) ? this.one : this.two;
			return new Thread(() -> IntStream.range(0, each).forEach((i) -> increment(client)));
		}).toList();
		threads.forEach(Thread::start);
		threads.forEach(LockRecordsContract::join);
		assertThat(get(this.one.read(this.key)).text()).isEqualTo(String.valueOf(racers * each));
	}

	private void increment(LockRecords client) {
		while (true) {
			Seen seen = get(client.read(this.key));
			Written written = get(client
				.write(change(this.key, seen.found(), String.valueOf(Integer.parseInt(seen.text()) + 1), false, 1)));
			if (written instanceof Written.Done) {
				return;
			}
		}
	}

	@Test
	@DisplayName("Messages of a write that won arrive, those of one that lost do not")
	void writeWhenMessagesThenSentByWinner() {
		if (!notifies()) {
			return;
		}
		this.two.expectMessages();
		Awaitility.await().until(this.two::listens);
		String incarnation = now(this.two).incarnation();
		String engine = incarnation.contains(".") ? incarnation.substring(0, incarnation.indexOf('.')) : incarnation;
		Expected first = at(won(this.one, change(this.key, new Expected.Absent(), "0", false, 1)));
		Expected[] last = { at(won(this.one, change(this.key, first, "1", false, 1))) };
		Awaitility.await().until(() -> {
			// Sent before the change that wins, because messages arrive in the order of
			// sending.
			Change lost = change(this.key, first, "lost", false, 1);
			lost(get(this.one.write(messages(lost, incarnation, engine, "lost"))));
			last[0] = at(
					won(this.one, messages(change(this.key, last[0], "won", false, 1), incarnation, engine, "won")));
			return this.heard.contains("won");
		});
		assertThat(this.heard).doesNotContain("lost");
	}

	private static Change messages(Change change, String incarnation, String engine, String text) {
		return new Change(change.key(), change.expected(), change.text(), change.idle(), change.highest(),
				change.tokenFloor(), change.notBefore(), change.notAfter(),
				List.of(new Message(incarnation, engine, text)), change.summary());
	}

	@Test
	@DisplayName("A stopped client can be started again")
	void startWhenStoppedThenGoesOn() {
		won(this.one, change(this.key, new Expected.Absent(), "kept", false, 1));
		this.one.stop();
		this.one.start("again-" + UUID.randomUUID().toString().substring(0, 8), new RecordEvents() {

			@Override
			public void message(String text) {
			}

			@Override
			public void missed() {
			}

		});
		Awaitility.await()
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(get(this.one.read(this.key)).text()).isEqualTo("kept"));
	}

	private boolean isSession() {
		return this.one.traits().lifetime() == Lifetime.SESSION;
	}

	private StoreTime now() {
		return now(this.one);
	}

	private StoreTime now(LockRecords client) {
		return get(client.read(this.key)).time();
	}

	private Written write(LockRecords client, Expected expected, String text, boolean idle) {
		return get(client.write(change(this.key, expected, text, idle, 1)));
	}

	private Change change(String name, Expected expected, String text, boolean idle, long highest) {
		StoreTime now = now();
		boolean timed = !isSession();
		return new Change(name, expected, text, idle, highest, now.tokenFloor(), timed ? now.now() : Long.MIN_VALUE,
				timed ? now.now() + GUARD : Long.MAX_VALUE, List.of(),
				new Summary("app@host Some.method", 0, now.now()));
	}

	private Change window(Expected expected, long notBefore, long notAfter) {
		return new Change(this.key, expected, "in window", false, 1, now().tokenFloor(), notBefore, notAfter, List.of(),
				new Summary("", 0, 0));
	}

	/**
	 * Writes until the write wins. A place may refuse a write that met a lock of another
	 * one for a moment, and then has not executed it.
	 */
	private static Written.Done won(LockRecords client, Change change) {
		return done(Awaitility.await().until(() -> get(client.write(change)), Written.Done.class::isInstance));
	}

	private static Expected at(Written written) {
		return new Expected.At(done(written).version());
	}

	private static Written.Done done(Written written) {
		assertThat(written).isInstanceOf(Written.Done.class);
		return (Written.Done) written;
	}

	private static Written.Lost lost(Written written) {
		assertThat(written).isInstanceOf(Written.Lost.class);
		return (Written.Lost) written;
	}

	private static <T> T get(CompletionStage<T> stage) {
		try {
			return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new AssertionError("The place did not answer as it should", ex);
		}
	}

	private static void join(Thread thread) {
		try {
			thread.join(TimeUnit.SECONDS.toMillis(60));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

}
