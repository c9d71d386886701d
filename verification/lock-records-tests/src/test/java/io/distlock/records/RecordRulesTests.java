package io.distlock.records;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordEvents;
import io.distlock.records.place.RecordTraits;
import io.distlock.records.state.LockText;
import io.distlock.records.state.StateRules;
import io.distlock.records.state.UnreadableRecordException;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.records.MemoryPlace;
import io.distlock.test.records.MemoryPlace.Promise;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Each rule of a store on records that a network or a clock can put to the test, alone,
 * and step by step.
 */
class RecordRulesTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final String LOCK = "stock";

	private static final String GRANT_OF_SLOW = "G;slow;1;" + LOCK + ";";

	private final AtomicLong millis = new AtomicLong();

	private final Queue<Runnable> scheduled = new ArrayDeque<>();

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.CLOCK, false,
			() -> START.plusMillis(this.millis.get()));

	private final RecordLockStore one = store("one", this.place.newRecords(), 100);

	private final RecordLockStore two = store("two", this.place.newRecords(), 100);

	private RecordLockStore store(String name, LockRecords records, int graceMillis) {
		return store(name, records, graceMillis, new ArrayList<>());
	}

	private RecordLockStore store(String name, LockRecords records, int graceMillis, List<RequestId> granted) {
		RecordSettings settings = new RecordSettings(Duration.ofMillis(50), Duration.ofSeconds(2),
				Duration.ofMillis(graceMillis));
		RecordLockStore store = new RecordLockStore(records, settings,
				RecordLockStore.rules(records.traits(), settings), this::schedule, () -> this.millis.get() * 1_000_000,
				() -> 0.5);
		store.start(name, new StoreListener() {

			@Override
			public void granted(String key, RequestId request, Grant grant) {
				granted.add(request);
			}

			@Override
			public void contended(String key) {
			}

			@Override
			public void reconnected() {
			}

		});
		return store;
	}

	/** A sweep comes again and again, and here no time passes. */
	private void schedule(Duration delay, Runnable action) {
		if (delay.compareTo(Sweep.INTERVAL) < 0) {
			this.scheduled.add(action);
		}
	}

	private static LockRecords records(InvocationHandler calls) {
		return (LockRecords) Proxy.newProxyInstance(RecordRulesTests.class.getClassLoader(),
				new Class<?>[] { LockRecords.class }, calls);
	}

	private static CompletionStage<AcquireResult> acquire(RecordLockStore store, String name, boolean queue) {
		return store.acquire(command(name, queue));
	}

	private static AcquireCommand command(String name, boolean queue) {
		return new AcquireCommand(LOCK, new RequestId(name, 1), LEASE, Sharing.EXCLUSIVE, queue, 1,
				Duration.ofSeconds(1), new Holder("app", "host", name, "", "", Instant.EPOCH));
	}

	private static AcquireResult attempt(RecordLockStore store, String name) {
		return get(acquire(store, name, false));
	}

	private static void hold(RecordLockStore store, String name) {
		assertThat(attempt(store, name)).isInstanceOf(AcquireResult.Granted.class);
	}

	private static RenewResult renew(RecordLockStore store, String name) {
		return get(store.renew(new RenewCommand(LOCK, new RequestId(name, 1), LEASE, 0)));
	}

	private static FinishResult finish(RecordLockStore store, String name) {
		return get(store.finish(LOCK, new RequestId(name, 1), Duration.ZERO));
	}

	private static <T> T get(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

	private void runScheduled() {
		runAll(this.scheduled);
	}

	@Test
	void othersGetTheLockAGraceAfterTheEndOfItsLease() {
		hold(this.one, "one");
		this.millis.set(1099);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
		this.millis.set(1100);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void anErrorOfThePlaceLeavesTheLockUsable() {
		LockRecords records = this.place.newRecords();
		AtomicLong calls = new AtomicLong();
		RecordLockStore broken = store("broken", records((proxy, method, arguments) -> {
			if (method.getName().equals("write") && calls.getAndIncrement() == 0) {
				throw new InternalError("made up");
			}
			return method.invoke(records, arguments);
		}), 100);
		assertThat(acquire(broken, "broken", false).toCompletableFuture()).isCompletedExceptionally();
		assertThat(attempt(broken, "broken")).isInstanceOf(AcquireResult.Granted.class);
	}

	/** As near the end of the stack: the lock is not stuck until a restart. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anErrorThatEndsTheHandlingOfAFailureLeavesTheLockUsable(boolean late) {
		LockRecords records = this.place.newRecords();
		List<CompletableFuture<Object>> failing = new ArrayList<>();
		RecordLockStore broken = store("broken", records((proxy, method, arguments) -> {
			if (!method.getName().equals("write") || !failing.isEmpty()) {
				return method.invoke(records, arguments);
			}
			failing.add(late ? new CompletableFuture<>() : unhandled());
			return failing.get(0);
		}), 100);
		assertThat(acquire(broken, "broken", false).toCompletableFuture()).isNotDone();
		failing.get(0).completeExceptionally(new FailureThatFails());
		assertThat(acquire(broken, "broken", false)).succeedsWithin(Duration.ZERO)
			.isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void anErrorThatEndsTheHandlingOfAFailureDoesNotHoldUpRenewalsOfOtherLocks() {
		LockRecords records = this.place.newRecords();
		RecordLockStore many = store("many", records((proxy, method, arguments) -> {
			if (method.getName().equals("read") && arguments[0].equals("a") && this.millis.get() > 0) {
				return unhandled();
			}
			// Nothing is known of the clock, so that pipelines read.
			return method.getName().equals("estimate") ? Optional.empty() : method.invoke(records, arguments);
		}), 100);
		List<String> others = List.of("b", "c", "d", "e");
		hold(many, "a", "many");
		others.forEach((key) -> hold(many, key, "many"));
		this.millis.set(300);
		CompletableFuture<RenewResult> lost = renewal(many, "a", "many");
		List<CompletableFuture<RenewResult>> renewals = others.stream()
			.map((key) -> renewal(many, key, "many"))
			.toList();
		runScheduled();
		assertThat(lost).as("the one whose failure could not be handled").isNotDone();
		assertThat(renewals).allSatisfy((renewal) -> assertThat(renewal)
			.isCompletedWithValueMatching((result) -> result instanceof RenewResult.Renewed));
	}

	private static CompletableFuture<Object> unhandled() {
		return CompletableFuture.failedFuture(new FailureThatFails());
	}

	/** Two writes would be one more for others to race with. */
	@Test
	void aReleaseAndTheNextRequestOfItsProcessAreOneChange() {
		List<Boolean> writes = new ArrayList<>();
		RecordLockStore busy = store("busy", records(recording(this.place.newRecords(), writes, () -> {
		})), 100);
		hold(busy, "busy");
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
		assertThat(renew(busy, "busy")).as("reads what the other one has written")
			.isInstanceOf(RenewResult.Renewed.class);
		writes.clear();
		List<Runnable> ofTheCaller = new ArrayList<>();
		CompletionStage<FinishResult> released = busy.finish(LOCK, new RequestId("busy", 1), Duration.ZERO,
				ofTheCaller::add);
		CompletionStage<AcquireResult> next = busy.acquire(new AcquireCommand(LOCK, new RequestId("busy", 2), LEASE,
				Sharing.EXCLUSIVE, true, 1, Duration.ofSeconds(1), new Holder("", "", "busy", "", "", Instant.EPOCH)));
		assertThat(writes).isEmpty();
		ofTheCaller.forEach(Runnable::run);
		assertThat(get(released)).isEqualTo(FinishResult.RELEASED);
		assertThat(get(next)).isInstanceOf(AcquireResult.Queued.class);
		assertThat(writes).hasSize(1);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Granted.class);
	}

	/** Its next answer may take as long, and the caller waits for one command timeout. */
	@Test
	void aCallerExecutesNothingAfterALateAnswer() {
		assertThat(servedWhenTheFirstAnswerTakes(201)).containsExactly(true, false);
	}

	@Test
	void aCallerExecutesTheNextChangeAfterAPromptAnswer() {
		assertThat(servedWhenTheFirstAnswerTakes(200)).containsExactly(true, true);
	}

	private List<Boolean> servedWhenTheFirstAnswerTakes(long millis) {
		List<Boolean> served = new ArrayList<>();
		LockRecords slow = records(recording(this.place.newRecords(), served, () -> this.millis.addAndGet(millis)));
		// The place's clock has moved on when the change arrives, so it is written again.
		CompletionStage<AcquireResult> answer = store("slow", slow, 100).acquire(command("slow", true),
				(task) -> false);
		assertThat(get(answer)).isInstanceOf(AcquireResult.Granted.class);
		return served;
	}

	/** The first call of all takes its time. */
	private static InvocationHandler recording(LockRecords records, List<Boolean> served, Runnable first) {
		return (proxy, method, arguments) -> {
			if (method.getParameterCount() == 2 && method.getParameterTypes()[1] == CallingThread.class) {
				if (served.isEmpty()) {
					first.run();
				}
				served.add(arguments[1] != CallingThread.NONE);
			}
			return method.invoke(records, arguments);
		};
	}

	@Test
	void theLongerGraceCountsWhereProcessesDiffer() {
		RecordLockStore careful = store("careful", this.place.newRecords(), 300);
		hold(careful, "careful");
		this.millis.set(1299);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
		this.millis.set(1300);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void aGraceOrAnEndThatCannotBeIsRefusedAsDamaged() {
		hold(this.one, "one");
		String text = this.place.text(LOCK);
		String[] lines = text.split("\\|", -1);
		assertThat(lines[1]).as("token, waiting, grace").endsWith("100;");
		for (String grace : List.of(String.valueOf(Long.MAX_VALUE - 1), "-1", "60001")) {
			String damaged = text.replace(lines[1], lines[1].replaceAll("100;$", grace + ";"));
			assertThatExceptionOfType(UnreadableRecordException.class)
				.isThrownBy(() -> LockText.read(damaged, LOCK, rules()));
		}
		String end = String.valueOf(START.toEpochMilli() + LEASE.toMillis());
		assertThat(text).contains(end);
		assertThatExceptionOfType(UnreadableRecordException.class)
			.isThrownBy(() -> LockText.read(text.replace(end, String.valueOf(Long.MAX_VALUE - 1)), LOCK, rules()));
	}

	/** Each part of a record that is a number, by its line and its place there. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			highest token     | 1 | 0
			waiting tokens    | 1 | 1
			grace             | 1 | 2
			request of a hold | 2 | 1
			token             | 2 | 4
			tokens            | 2 | 5
			end               | 2 | 6
			lease             | 2 | 7
			since             | 2 | 9
			request           | 3 | 1
			wanted tokens     | 3 | 4
			wanted lease      | 3 | 5
			alive until       | 3 | 6
			ended request     | 4 | 1
			ended at          | 4 | 3
			forced request    | 5 | 1
			forced at         | 5 | 2
			forced until      | 5 | 3
			""")
	void aNumberThatCannotBeIsRefusedAsDamaged(String what, int line, int part) {
		String record = "1|7;0;100;|Ha;3;;E;5;1;9000;1000;0;8000;app;host;;;;|Wb;4;;E;1;1000;9000;app;host;;;;"
				+ "|Ec;5;RELEASED;8000;|Fd;6;8000;9000;";
		assertThat(LockText.write(LockText.read(record, LOCK, rules()))).startsWith("1|7;0;100;|Ha;3;;E;5;1;9000;");
		for (String number : List.of("-1", String.valueOf(Long.MIN_VALUE), String.valueOf(Long.MAX_VALUE - 1))) {
			String[] lines = record.split("\\|", -1);
			String[] parts = lines[line].split(";", -1);
			parts[part] = number;
			lines[line] = String.join(";", parts);
			assertThatExceptionOfType(UnreadableRecordException.class).as("%s is %s", what, number)
				.isThrownBy(() -> LockText.read(String.join("|", lines), LOCK, rules()));
		}
	}

	/** Or else the lock could not be used any more, not even released. */
	@Test
	void aTokenThatCouldNotBeReadAgainIsNotGranted() {
		assertThatExceptionOfType(UnreadableRecordException.class)
			.isThrownBy(() -> LockText.read("1|" + (Long.MAX_VALUE / 2) + ";0;100;", LOCK, rules()));
		LockRecords byHand = this.place.newRecords();
		byHand.start("hand", null);
		get(byHand.write(new LockRecords.Change(LOCK, new LockRecords.Expected.Absent(), "1|8999999999999999;0;100;",
				false, 1, 1, Long.MIN_VALUE, Long.MAX_VALUE, List.of(), new LockRecords.Summary("", 0, 0))));
		assertThat(get(acquire(this.one, "one", false))).isInstanceOf(AcquireResult.Granted.class);
		assertThat(renew(this.one, "one")).isInstanceOf(RenewResult.Renewed.class);
		assertThat(get(this.one.finish(LOCK, new RequestId("one", 1), Duration.ZERO))).isEqualTo(FinishResult.RELEASED);
		assertThat(acquire(this.two, "two", false)).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingRootCause()
			.withMessage("there is no higher fencing token");
		assertThat(this.place.text(LOCK)).startsWith("1|9000000000000000;");
	}

	@Test
	void aRecordOfAnotherFormatIsRefusedWithWhatItBeginsWith() {
		assertThatExceptionOfType(UnreadableRecordException.class).isThrownBy(() -> LockText.read("2|", LOCK, rules()))
			.withMessage("it begins with \"2\", and this version reads format 1 only");
		assertThatExceptionOfType(UnreadableRecordException.class)
			.isThrownBy(() -> LockText.read("\u0007|", LOCK, rules()))
			.withMessageStartingWith("it begins with \"\\u0007\"");
	}

	private static StateRules rules() {
		return RecordLockStore.rules(
				new MemoryPlace(RecordTraits.Lifetime.CLOCK, false, () -> START).newRecords().traits(),
				RecordSettings.POLLED);
	}

	@Test
	void aHoldThatWasLostIsNotMistakenForThatOfAnother() {
		assertThat(isMistaken()).isFalse();
	}

	@Test
	void versionsThatCountWritesWouldBeMistaken() {
		this.place.breakPromise(Promise.NEW_VERSION);
		assertThat(isMistaken()).isTrue();
	}

	/** Whether a holder renews after its grant was lost and given to another one. */
	private boolean isMistaken() {
		Runnable standby = this.place.backup();
		hold(this.one, "one");
		standby.run();
		hold(this.two, "two");
		this.millis.set(100);
		boolean renewed = renew(this.one, "one") instanceof RenewResult.Renewed;
		assertThat(renew(this.two, "two")).isInstanceOf(renewed ? RenewResult.Gone.class : RenewResult.Renewed.class);
		return renewed;
	}

	@Test
	void aHoldThatAnOperatorHasDeletedIsNotRenewedFromMemory() {
		hold(this.one, "one");
		this.place.delete(LOCK);
		assertThat(renew(this.one, "one")).isInstanceOf(RenewResult.Gone.class);
	}

	@Test
	void aHoldIsNotCalledLostFromMemory() {
		hold(this.one, "one");
		this.millis.set(1001);
		long reads = this.place.reads();
		assertThat(renew(this.one, "one")).isInstanceOf(RenewResult.Gone.class);
		assertThat(this.place.reads()).isEqualTo(reads + 1);
	}

	@Test
	void aRenewalThatArrivesAfterTheEndOfItsHoldIsRefused() {
		hold(this.one, "one");
		this.millis.set(990);
		this.place.beforeWrite((key) -> this.millis.set(1020));
		assertThat(renew(this.one, "one")).isInstanceOf(RenewResult.Gone.class);
	}

	@Test
	void aTakeThatArrivesAfterItsRequestHasEndedLoses() {
		assertLateTakeLoses(false);
	}

	/** The error does not prove that nothing was sent. */
	@Test
	void aTakeThatArrivesAfterAnErrorAndTheEndOfItsRequestLoses() {
		assertLateTakeLoses(true);
	}

	private void assertLateTakeLoses(boolean error) {
		LateWrite late = new LateWrite(this.place.newRecords(), error);
		RecordLockStore slow = store("slow", records(late), 100);
		acquire(slow, "slow", false);
		this.millis.set(5);
		assertThat(finish(slow, "slow")).isEqualTo(FinishResult.UNKNOWN);
		assertThat(late.arrive()).isInstanceOf(LockRecords.Written.Lost.class);
		assertThat(attempt(this.two, "two")).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void aTakeOfWhichNobodyAsksAgainIsMadeSureOfAndForgotten() {
		LateWrite late = new LateWrite(this.place.newRecords(), false);
		RecordLockStore slow = store("slow", records(late), 100);
		acquire(slow, "slow", false);
		assertThat(slow.remembered()).isEqualTo(1);
		this.millis.set(5);
		runScheduled();
		assertThat(slow.remembered()).isZero();
		assertThat(late.arrive()).isInstanceOf(LockRecords.Written.Lost.class);
	}

	@Test
	void nothingIsAskedOfAPlaceAfterTheStoreHasStopped() {
		LateWrite late = new LateWrite(this.place.newRecords(), false);
		RecordLockStore slow = store("slow", records(late), 100);
		acquire(slow, "slow", false);
		slow.stop();
		long before = this.place.reads() + this.place.writes();
		runScheduled();
		assertThat(this.place.reads() + this.place.writes()).isEqualTo(before);
	}

	@Test
	void aWaiterThatKeepsAskingKeepsItsPlace() {
		hold(this.one, "one");
		for (int round = 0; round < 10; round++) {
			assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
			this.millis.addAndGet(400);
			assertThat(renew(this.one, "one")).isInstanceOf(RenewResult.Renewed.class);
		}
		RecordLockStore third = store("third", this.place.newRecords(), 100);
		assertThat(get(acquire(third, "third", true))).isInstanceOf(AcquireResult.Queued.class);
		finish(this.one, "one");
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Granted.class);
	}

	/** The holder released the lock before this process knew that it is in the queue. */
	@Test
	void aMessageThatOvertakesTheAnswerToItsRequestIsNotLost() {
		List<RequestId> granted = new ArrayList<>();
		List<RecordEvents> receivers = new ArrayList<>();
		Queue<Runnable> answers = new ArrayDeque<>();
		RecordLockStore slow = store("slow", slow(this.place.newRecords(), receivers, answers), 100, granted);
		hold(this.one, "one");
		CompletableFuture<AcquireResult> answer = acquire(slow, "slow", true).toCompletableFuture();
		while (this.place.text(LOCK).indexOf("slow") < 0) {
			answers.remove().run();
		}
		finish(this.one, "one");
		receivers.get(0).message(GRANT_OF_SLOW);
		assertThat(answer).as("the message came first").isNotDone();
		runAll(answers);
		assertThat(get(answer)).isInstanceOf(AcquireResult.Queued.class);
		assertThat(granted).containsExactly(new RequestId("slow", 1));
	}

	/** Anybody can send messages. */
	@Test
	void aMessageToARequestThatWasRefusedCostsNoRead() {
		List<RecordEvents> receivers = new ArrayList<>();
		Queue<Runnable> answers = new ArrayDeque<>();
		RecordLockStore slow = store("slow", slow(this.place.newRecords(), receivers, answers), 100);
		hold(this.one, "one");
		CompletableFuture<AcquireResult> queued = acquire(slow, "slow", true).toCompletableFuture();
		runAll(answers);
		assertThat(get(queued)).isInstanceOf(AcquireResult.Queued.class);
		long before = this.place.reads();
		receivers.get(0).message(GRANT_OF_SLOW);
		runAll(answers);
		assertThat(this.place.reads() - before).as("while it waits").isEqualTo(1);
		CompletableFuture<AcquireResult> refused = acquire(slow, "slow", false).toCompletableFuture();
		runAll(answers);
		assertThat(get(refused)).isInstanceOf(AcquireResult.Busy.class);
		before = this.place.reads();
		receivers.get(0).message(GRANT_OF_SLOW);
		runAll(answers);
		assertThat(this.place.reads() - before).as("once it is refused").isZero();
	}

	private static void runAll(Queue<Runnable> tasks) {
		while (!tasks.isEmpty()) {
			tasks.remove().run();
		}
	}

	/**
	 * Executes each command at once; its answer waits in a queue until the test runs it.
	 */
	private static LockRecords slow(LockRecords records, List<RecordEvents> receivers, Queue<Runnable> answers) {
		return records((proxy, method, arguments) -> {
			if (method.getName().equals("start")) {
				receivers.add((RecordEvents) arguments[1]);
			}
			Object result = method.invoke(records, arguments);
			if (!(result instanceof CompletionStage<?> stage)) {
				return result;
			}
			CompletableFuture<Object> late = new CompletableFuture<>();
			answers.add(() -> late.complete(get(stage)));
			return late;
		});
	}

	private static void hold(RecordLockStore store, String key, String name) {
		assertThat(get(store.acquire(new AcquireCommand(key, new RequestId(name, 1), LEASE, Sharing.EXCLUSIVE, false, 1,
				Duration.ofSeconds(1), new Holder("app", "host", name, "", "", Instant.EPOCH)))))
			.isInstanceOf(AcquireResult.Granted.class);
	}

	private static CompletableFuture<RenewResult> renewal(RecordLockStore store, String key, String name) {
		return store.renew(new RenewCommand(key, new RequestId(name, 1), LEASE, 0)).toCompletableFuture();
	}

	@Test
	void aRecordHasAHoldOfThisProcessOnlyWithItsToken() {
		AcquireResult first = attempt(this.one, "one");
		long token = ((AcquireResult.Granted) first).grant().fencingToken();
		String text = this.place.text(LOCK);
		this.millis.set(5000);
		assertThat(this.one.isHeldHere(LOCK, text, token)).as("whatever the time").isTrue();
		assertThat(this.two.isHeldHere(LOCK, text, token)).as("of another process").isFalse();
		assertThat(this.one.isHeldHere(LOCK, "", token)).as("no record").isFalse();
		AcquireCommand again = new AcquireCommand(LOCK, new RequestId("one", 2), LEASE, Sharing.EXCLUSIVE, false, 1,
				Duration.ofSeconds(1), new Holder("app", "host", "one", "", "", Instant.EPOCH));
		assertThat(get(this.one.acquire(again))).isInstanceOf(AcquireResult.Granted.class);
		assertThat(this.one.isHeldHere(LOCK, this.place.text(LOCK), token)).as("a later hold").isFalse();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.one.isHeldHere(LOCK, "9|?", token))
			.withMessageContaining("cannot be read");
	}

	/** The thread that had the first token may still be inside. */
	@Test
	void aRecordHasAHoldWhoseRenewalReservedTokens() {
		long token = ((AcquireResult.Granted) attempt(this.one, "one")).grant().fencingToken();
		RenewResult renewed = get(this.one.renew(new RenewCommand(LOCK, new RequestId("one", 1), LEASE, 64)));
		assertThat(renewed).isInstanceOfSatisfying(RenewResult.Renewed.class,
				(more) -> assertThat(more.grant().fencingToken()).isGreaterThan(token));
		assertThat(this.one.isHeldHere(LOCK, this.place.text(LOCK), token)).isTrue();
		assertThat(this.one.isHeldHere(LOCK, this.place.text(LOCK), token - 1)).as("an earlier hold").isFalse();
	}

	/** Any permit of the process would pass for the one that was lost. */
	@Test
	void aRecordDoesNotSayWhichPermitIsMeant() {
		AcquireCommand permit = new AcquireCommand(LOCK, new RequestId("one", 1), LEASE, new Sharing.Permit(2), false,
				1, Duration.ofSeconds(1), new Holder("app", "host", "one", "", "", Instant.EPOCH));
		long token = ((AcquireResult.Granted) get(this.one.acquire(permit))).grant().fencingToken();
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.one.isHeldHere(LOCK, this.place.text(LOCK), token))
			.withMessageContaining("is a semaphore");
	}

	/** Without a read it would lose again and again as long as the place is slow. */
	@Test
	void aChangeThatArrivedTooLateIsComputedFromWhatIsThere() {
		LockRecords records = this.place.newRecords();
		RecordLockStore slow = store("slow", records((proxy, method, arguments) -> {
			Object answer = method.invoke(records, arguments);
			if (method.getName().equals("write")) {
				// The way back takes longer than the grace.
				this.millis.addAndGet(150);
			}
			return answer;
		}), 100);
		hold(slow, "slow");
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
		assertThat(renew(slow, "slow")).isInstanceOf(RenewResult.Renewed.class);
	}

	/** Its cause cannot be asked for. */
	@SuppressWarnings("serial")
	private static final class FailureThatFails extends CompletionException {

		@Override
		public synchronized Throwable getCause() {
			throw new StackOverflowError("made up");
		}

	}

	/** Loses the answer of the first write, and executes it later. */
	private static final class LateWrite implements InvocationHandler {

		private final LockRecords records;

		private final boolean failing;

		private LockRecords.@Nullable Change change;

		private LateWrite(LockRecords records, boolean failing) {
			this.records = records;
			this.failing = failing;
		}

		LockRecords.Written arrive() {
			LockRecords.Change late = this.change;
			assertThat(late).isNotNull();
			return get(this.records.write(late));
		}

		@Override
		public Object invoke(Object proxy, Method method, Object[] arguments) throws ReflectiveOperationException {
			if (!method.getName().equals("write") || this.change != null) {
				return method.invoke(this.records, arguments);
			}
			this.change = (LockRecords.Change) arguments[0];
			if (this.failing) {
				throw new InternalError("made up");
			}
			return CompletableFuture.failedFuture(new TransientStoreException("", "No answer", null));
		}

	}

}
