package io.distlock.records;

import java.lang.reflect.InvocationHandler;
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
import io.distlock.internal.state.LockText;
import io.distlock.internal.state.StateRules;
import io.distlock.internal.state.UnreadableRecordException;
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

	private static final String GRANT_OF_SLOW = "G;slow;1;slow;1;1;1;2;1;" + LOCK + ";";

	private final AtomicLong millis = new AtomicLong();

	private final Queue<Runnable> scheduled = new ArrayDeque<>();

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.CLOCK, false,
			() -> START.plusMillis(this.millis.get()));

	private final RecordLockStore one = store("one", this.place.newRecords(), 100);

	private final RecordLockStore two = store("two", this.place.newRecords(), 100);

	private RecordLockStore store(String name, LockRecords records, int guardMillis) {
		return store(name, records, guardMillis, Integer.MAX_VALUE);
	}

	private RecordLockStore store(String name, LockRecords records, int guardMillis, int fewestTogether) {
		return store(name, records, guardMillis, fewestTogether, new ArrayList<>());
	}

	private RecordLockStore store(String name, LockRecords records, int guardMillis, int fewestTogether,
			List<RequestId> granted) {
		RecordSettings settings = new RecordSettings(Duration.ofMillis(50), Duration.ofSeconds(2),
				Duration.ofMillis(guardMillis));
		RecordLockStore store = new RecordLockStore(records, settings,
				RecordLockStore.rules(records.traits(), settings, () -> 0.5),
				(delay, action) -> this.scheduled.add(action), () -> this.millis.get() * 1_000_000, () -> 0.5,
				fewestTogether);
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
		return get(store.renew(new RenewCommand(LOCK, new RequestId(name, 1), LEASE, 0, false)));
	}

	private static FinishResult finish(RecordLockStore store, String name) {
		return get(store.finish(LOCK, new RequestId(name, 1)));
	}

	private static <T> T get(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

	private void runScheduled() {
		runAll(this.scheduled);
	}

	@Test
	void othersGetTheLockAGuardAfterTheEndOfItsLease() {
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
		RecordLockStore broken = store("broken", (LockRecords) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockRecords.class }, (proxy, method, arguments) -> {
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
		RecordLockStore broken = store("broken", (LockRecords) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockRecords.class }, (proxy, method, arguments) -> {
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
		RecordLockStore many = store("many", (LockRecords) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockRecords.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("read") && arguments[0].equals("a") && this.millis.get() > 0) {
						return unhandled();
					}
					// Nothing is known of the clock, so that lanes read.
					return method.getName().equals("estimate") ? Optional.empty() : method.invoke(records, arguments);
				}), 100, 1);
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
		RecordLockStore busy = store("busy", (LockRecords) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockRecords.class }, recording(this.place.newRecords(), writes, () -> {
				})), 100);
		hold(busy, "busy");
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
		assertThat(renew(busy, "busy")).as("reads what the other one has written")
			.isInstanceOf(RenewResult.Renewed.class);
		writes.clear();
		List<Runnable> ofTheCaller = new ArrayList<>();
		CompletionStage<FinishResult> released = busy.finish(LOCK, new RequestId("busy", 1), ofTheCaller::add);
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
		LockRecords slow = (LockRecords) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockRecords.class },
				recording(this.place.newRecords(), served, () -> this.millis.addAndGet(millis)));
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
	void theLongerGuardCountsWhereProcessesDiffer() {
		RecordLockStore careful = store("careful", this.place.newRecords(), 300);
		hold(careful, "careful");
		this.millis.set(1299);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
		this.millis.set(1300);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void aGuardOrAnEndThatCannotBeIsRefusedAsDamaged() {
		hold(this.one, "one");
		String text = this.place.text(LOCK);
		String[] lines = text.split("\\|", -1);
		assertThat(lines[1]).as("token, waiting, guard").endsWith("100;");
		for (String guard : List.of(String.valueOf(Long.MAX_VALUE - 1), "-1", "3600001")) {
			String damaged = text.replace(lines[1], lines[1].replaceAll("100;$", guard + ";"));
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
			guard             | 1 | 2
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
				+ "|Ec;5;RELEASED;8000;|Fd;6;8000;9000;why;";
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
				RecordSettings.POLLED, () -> 0.5);
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
		LateRecords late = new LateRecords(this.place.newRecords());
		RecordLockStore slow = store("slow", late, 100);
		late.delayNext();
		acquire(slow, "slow", false);
		this.millis.set(5);
		assertThat(finish(slow, "slow")).isEqualTo(FinishResult.UNKNOWN);
		assertThat(late.arrive()).isInstanceOf(LockRecords.Written.Lost.class);
		assertThat(attempt(this.two, "two")).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void aTakeThatArrivesAfterAnErrorAndTheEndOfItsRequestLoses() {
		LateRecords late = new LateRecords(this.place.newRecords());
		RecordLockStore slow = store("slow", late, 100);
		late.failNext();
		acquire(slow, "slow", false);
		this.millis.set(5);
		assertThat(finish(slow, "slow")).isEqualTo(FinishResult.UNKNOWN);
		assertThat(late.arrive()).isInstanceOf(LockRecords.Written.Lost.class);
		assertThat(attempt(this.two, "two")).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void aTakeOfWhichNobodyAsksAgainIsMadeSureOfAndForgotten() {
		LateRecords late = new LateRecords(this.place.newRecords());
		RecordLockStore slow = store("slow", late, 100);
		late.delayNext();
		acquire(slow, "slow", false);
		assertThat(slow.remembered()).isEqualTo(1);
		this.millis.set(5);
		runScheduled();
		assertThat(slow.remembered()).isZero();
		assertThat(late.arrive()).isInstanceOf(LockRecords.Written.Lost.class);
	}

	@Test
	void nothingIsAskedOfAPlaceAfterTheStoreHasStopped() {
		LateRecords late = new LateRecords(this.place.newRecords());
		RecordLockStore slow = store("slow", late, 100);
		late.delayNext();
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
	void aHintThatOvertakesTheAnswerToItsRequestIsNotLost() {
		List<RequestId> granted = new ArrayList<>();
		List<RecordEvents> receivers = new ArrayList<>();
		Queue<Runnable> answers = new ArrayDeque<>();
		RecordLockStore slow = store("slow", slow(this.place.newRecords(), receivers, answers), 100, Integer.MAX_VALUE,
				granted);
		hold(this.one, "one");
		CompletableFuture<AcquireResult> answer = acquire(slow, "slow", true).toCompletableFuture();
		while (this.place.text(LOCK).indexOf("slow") < 0) {
			answers.remove().run();
		}
		finish(this.one, "one");
		receivers.get(0).hint(GRANT_OF_SLOW);
		assertThat(answer).as("the hint came first").isNotDone();
		runAll(answers);
		assertThat(get(answer)).isInstanceOf(AcquireResult.Queued.class);
		assertThat(granted).containsExactly(new RequestId("slow", 1));
	}

	/** Anybody can send hints. */
	@Test
	void aHintToARequestThatWasRefusedCostsNoRead() {
		List<RecordEvents> receivers = new ArrayList<>();
		Queue<Runnable> answers = new ArrayDeque<>();
		RecordLockStore slow = store("slow", slow(this.place.newRecords(), receivers, answers), 100);
		hold(this.one, "one");
		CompletableFuture<AcquireResult> queued = acquire(slow, "slow", true).toCompletableFuture();
		runAll(answers);
		assertThat(get(queued)).isInstanceOf(AcquireResult.Queued.class);
		long before = this.place.reads();
		receivers.get(0).hint(GRANT_OF_SLOW);
		runAll(answers);
		assertThat(this.place.reads() - before).as("while it waits").isEqualTo(1);
		CompletableFuture<AcquireResult> refused = acquire(slow, "slow", false).toCompletableFuture();
		runAll(answers);
		assertThat(get(refused)).isInstanceOf(AcquireResult.Busy.class);
		before = this.place.reads();
		receivers.get(0).hint(GRANT_OF_SLOW);
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
		return (LockRecords) Proxy.newProxyInstance(RecordRulesTests.class.getClassLoader(),
				new Class<?>[] { LockRecords.class }, (proxy, method, arguments) -> {
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
		return store.renew(new RenewCommand(key, new RequestId(name, 1), LEASE, 0, false)).toCompletableFuture();
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
		RenewResult renewed = get(this.one.renew(new RenewCommand(LOCK, new RequestId("one", 1), LEASE, 64, false)));
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

	@Test
	void renewalsOfOneTickGoTogether() {
		TogetherRecords records = new TogetherRecords(this.place.newRecords());
		RecordLockStore many = store("many", records, 100, 5);
		List<String> keys = List.of("a", "b", "c", "d", "e");
		keys.forEach((key) -> hold(many, key, "many"));
		long alone = records.alone;
		this.millis.set(300);
		List<CompletableFuture<RenewResult>> renewals = keys.stream().map((key) -> renewal(many, key, "many")).toList();
		assertThat(renewals).noneMatch(CompletableFuture::isDone);
		runScheduled();
		assertThat(renewals).allMatch((renewal) -> renewal.join() instanceof RenewResult.Renewed);
		assertThat(records.together).as("at most three at a time").containsExactly(3, 2);
		assertThat(records.alone).isEqualTo(alone);
	}

	@Test
	void fewRenewalsAndOneThatIsAwaitedOrLateDoNotWaitForOthers() {
		RecordLockStore few = store("few", this.place.newRecords(), 100, 2);
		hold(few, "a", "few");
		assertThat(renewal(few, "a", "few")).isCompleted();
		hold(few, "b", "few");
		assertThat(renewal(few, "a", "few")).isNotDone();
		assertThat(
				few.renew(new RenewCommand("b", new RequestId("few", 1), LEASE, 0, false, true)).toCompletableFuture())
			.as("lets readers in")
			.isCompleted();
		assertThat(few.renew(new RenewCommand("b", new RequestId("few", 1), LEASE, 0, true)).toCompletableFuture())
			.as("the last one")
			.isCompleted();
		runScheduled();
		this.millis.set(700);
		assertThat(renewal(few, "a", "few")).as("a third of the lease is left").isCompleted();
	}

	@Test
	void aRenewalThatIsRefusedAmongOthersGoesItsOwnWay() {
		TogetherRecords records = new TogetherRecords(this.place.newRecords());
		RecordLockStore many = store("many", records, 100, 1);
		List.of("a", LOCK, "b").forEach((key) -> hold(many, key, "many"));
		// Its record is another one than this process has left.
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
		this.millis.set(500);
		List<CompletableFuture<RenewResult>> renewals = List.of(renewal(many, "a", "many"), renewal(many, LOCK, "many"),
				renewal(many, "b", "many"));
		runScheduled();
		assertThat(renewals).allMatch((renewal) -> renewal.join() instanceof RenewResult.Renewed);
		this.millis.set(1400);
		assertThat(get(acquire(this.two, "two", true))).isInstanceOf(AcquireResult.Queued.class);
	}

	/** By themselves they would be a read and a write for each lock, and later still. */
	@Test
	void renewalsThatArriveTooLateTogetherGoTogetherAgain() {
		TogetherRecords records = new TogetherRecords(this.place.newRecords());
		RecordLockStore many = store("many", records, 100, 1);
		List<String> keys = List.of("a", "b", "c");
		keys.forEach((key) -> hold(many, key, "many"));
		this.millis.set(300);
		this.place.beforeWrite((key) -> this.millis.accumulateAndGet(401, Math::max));
		long alone = records.alone;
		long reads = this.place.reads();
		List<CompletableFuture<RenewResult>> renewals = keys.stream().map((key) -> renewal(many, key, "many")).toList();
		runScheduled();
		assertThat(renewals).allMatch((renewal) -> renewal.join() instanceof RenewResult.Renewed);
		assertThat(records.together).containsExactly(3, 3);
		assertThat(records.alone).isEqualTo(alone);
		assertThat(this.place.reads()).isEqualTo(reads);
	}

	@Test
	void renewalsThatAreTooLateAgainAndAgainDoNotWaitUntilTheirLeaseIsOver() {
		TogetherRecords records = new TogetherRecords(this.place.newRecords());
		RecordLockStore many = store("many", records, 100, 1);
		List.of("a", "b").forEach((key) -> hold(many, key, "many"));
		this.millis.set(300);
		this.place.beforeWrite((key) -> this.millis.addAndGet((this.millis.get() < 660) ? 101 : 0));
		long alone = records.alone;
		List<CompletableFuture<RenewResult>> renewals = List.of(renewal(many, "a", "many"), renewal(many, "b", "many"));
		runScheduled();
		assertThat(renewals).allMatch((renewal) -> renewal.join() instanceof RenewResult.Renewed);
		assertThat(records.together).as("two writes take 202 ms").containsExactly(2, 2);
		assertThat(records.alone).isEqualTo(alone + 2);
	}

	@Test
	void aReleaseDoesNotWaitForARenewalThatArrivedTooLate() {
		RecordLockStore many = store("many", this.place.newRecords(), 100, 1);
		List.of("a", "b").forEach((key) -> hold(many, key, "many"));
		this.millis.set(300);
		List<CompletableFuture<FinishResult>> finished = new ArrayList<>();
		this.place.beforeWrite((key) -> {
			if (this.millis.get() == 300) {
				this.millis.set(401);
				finished.add(many.finish("a", new RequestId("many", 1)).toCompletableFuture());
			}
		});
		CompletableFuture<RenewResult> released = renewal(many, "a", "many");
		CompletableFuture<RenewResult> kept = renewal(many, "b", "many");
		this.scheduled.remove().run();
		assertThat(finished).hasSize(1).allMatch(CompletableFuture::isDone);
		assertThat(get(finished.get(0))).isEqualTo(FinishResult.RELEASED);
		assertThat(released.join()).as("in the order in which they came").isInstanceOf(RenewResult.Renewed.class);
		assertThat(kept).as("waits for others").isNotDone();
		runScheduled();
		assertThat(kept.join()).isInstanceOf(RenewResult.Renewed.class);
	}

	/** A slow machine computes for longer than the guard until a batch is full. */
	@Test
	void renewalsThatAreComputedDoNotWaitLongForOthers() {
		TogetherRecords records = new TogetherRecords(this.place.newRecords());
		RecordLockStore many = store("many", records, 100, 1);
		List<String> keys = List.of("a", "b", "c", "d", "e");
		keys.forEach((key) -> hold(many, key, "many"));
		this.millis.set(300);
		records.onEstimate = () -> this.millis.addAndGet(26);
		List<CompletableFuture<RenewResult>> renewals = keys.stream().map((key) -> renewal(many, key, "many")).toList();
		runScheduled();
		assertThat(renewals).allMatch((renewal) -> renewal.join() instanceof RenewResult.Renewed);
		assertThat(records.together).as("the first of each has waited for 26 ms").containsExactly(2, 2);
	}

	/** In the line of a slow place they would be too late before they are sent. */
	@Test
	void renewalsAreComputedOnlyWhenTheyCanBeSent() {
		TogetherRecords records = new TogetherRecords(this.place.newRecords());
		RecordLockStore many = store("many", records, 100, 1);
		List<String> keys = List.of("a", "b", "c", "d", "e", "f", "g", "h");
		keys.forEach((key) -> hold(many, key, "many"));
		this.millis.set(300);
		records.hold();
		List<CompletableFuture<RenewResult>> renewals = keys.stream().map((key) -> renewal(many, key, "many")).toList();
		runScheduled();
		assertThat(records.together).as("under way").containsExactly(3, 3);
		assertThat(many.finish("h", new RequestId("many", 1)).toCompletableFuture())
			.as("what waits can still be urgent")
			.isCompletedWithValue(FinishResult.RELEASED);
		this.millis.set(450);
		records.answer();
		runScheduled();
		records.answer();
		assertThat(renewals).allMatch(CompletableFuture::isDone);
		assertThat(renewals).allMatch((renewal) -> renewal.join() instanceof RenewResult.Renewed);
	}

	@Test
	void aReleaseDoesNotWaitForARenewalOfItsLockThatWaitsForOthers() {
		RecordLockStore many = store("many", this.place.newRecords(), 100, 1);
		hold(many, "a", "many");
		CompletableFuture<RenewResult> renewal = renewal(many, "a", "many");
		CompletableFuture<FinishResult> finish = many.finish("a", new RequestId("many", 1)).toCompletableFuture();
		assertThat(finish).isCompletedWithValue(FinishResult.RELEASED);
		assertThat(renewal.join()).as("in the order in which they came").isInstanceOf(RenewResult.Renewed.class);
		runScheduled();
		hold(many, LOCK, "many");
	}

	@Test
	void eachRenewalHasAnAnswerWhateverThePlaceDoes() {
		TogetherRecords records = new TogetherRecords(this.place.newRecords());
		RecordLockStore many = store("many", records, 100, 1);
		List.of("a", "b").forEach((key) -> hold(many, key, "many"));
		for (TogetherRecords.Fault fault : List.of(TogetherRecords.Fault.TOO_FEW, TogetherRecords.Fault.THROWS,
				TogetherRecords.Fault.NO_CLOCK, TogetherRecords.Fault.READING_THROWS)) {
			records.fault = fault;
			this.millis.addAndGet(100);
			List<CompletableFuture<RenewResult>> renewals = List.of(renewal(many, "a", "many"),
					renewal(many, "b", "many"));
			runScheduled();
			assertThat(renewals).as("%s", fault).allMatch(CompletableFuture::isCompletedExceptionally);
			records.fault = TogetherRecords.Fault.NONE;
			this.millis.addAndGet(100);
			List<CompletableFuture<RenewResult>> again = List.of(renewal(many, "a", "many"),
					renewal(many, "b", "many"));
			runScheduled();
			assertThat(again).allMatch((renewal) -> renewal.join() instanceof RenewResult.Renewed);
		}
		List<CompletableFuture<RenewResult>> last = List.of(renewal(many, "a", "many"), renewal(many, "b", "many"));
		many.stop();
		runScheduled();
		assertThat(last).allMatch(CompletableFuture::isDone);
	}

	@Test
	void renewalsThatGoTogetherLookAtTheClockOnce() {
		TogetherRecords records = new TogetherRecords(this.place.newRecords());
		RecordLockStore many = store("many", records, 100, 1);
		List.of("a", "b", "c").forEach((key) -> hold(many, key, "many"));
		this.millis.set(300);
		records.forgetClock();
		long before = this.place.reads();
		List<CompletableFuture<RenewResult>> renewals = List.of(renewal(many, "a", "many"), renewal(many, "b", "many"),
				renewal(many, "c", "many"));
		runScheduled();
		assertThat(renewals).allMatch((renewal) -> renewal.join() instanceof RenewResult.Renewed);
		assertThat(this.place.reads()).isEqualTo(before + 1);
		assertThat(records.together).containsExactly(3);
	}

	/** Its cause cannot be asked for. */
	@SuppressWarnings("serial")
	private static final class FailureThatFails extends CompletionException {

		@Override
		public synchronized Throwable getCause() {
			throw new StackOverflowError("made up");
		}

	}

	/** Counts what goes together, and makes mistakes with it. */
	private static final class TogetherRecords implements LockRecords {

		private final LockRecords records;

		private final List<Integer> together = new ArrayList<>();

		private long alone;

		private boolean clockKnown = true;

		private Fault fault = Fault.NONE;

		private boolean holds;

		private final List<Runnable> held = new ArrayList<>();

		private Runnable onEstimate = () -> {
		};

		private TogetherRecords(LockRecords records) {
			this.records = records;
		}

		private enum Fault {

			NONE, TOO_FEW, THROWS, NO_CLOCK, READING_THROWS

		}

		/** From now on nothing that is written together is answered. */
		void hold() {
			this.holds = true;
		}

		/** Answers what was written together. */
		void answer() {
			this.holds = false;
			this.held.forEach(Runnable::run);
		}

		void forgetClock() {
			this.clockKnown = false;
		}

		@Override
		public RecordTraits traits() {
			return this.records.traits();
		}

		@Override
		public void start(String engine, RecordEvents events) {
			this.records.start(engine, events);
		}

		@Override
		public void stop() {
			this.records.stop();
		}

		@Override
		public CompletionStage<Seen> read(String key) {
			if (this.fault == Fault.NO_CLOCK) {
				return CompletableFuture.failedFuture(new TransientStoreException("", "No answer", null));
			}
			if (this.fault == Fault.READING_THROWS) {
				throw new IllegalStateException("broken");
			}
			this.clockKnown = true;
			return this.records.read(key);
		}

		@Override
		public CompletionStage<Written> write(Change change) {
			this.alone++;
			return this.records.write(change);
		}

		@Override
		public List<CompletionStage<Written>> writeTogether(List<Change> changes) {
			this.together.add(changes.size());
			if (this.fault == Fault.THROWS) {
				throw new IllegalStateException("broken");
			}
			List<CompletionStage<Written>> written = this.records
				.writeTogether((this.fault == Fault.TOO_FEW) ? changes.subList(1, 2) : changes);
			return this.holds ? written.stream().map(this::later).toList() : written;
		}

		private CompletionStage<Written> later(CompletionStage<Written> answer) {
			CompletableFuture<Written> late = new CompletableFuture<>();
			this.held.add(() -> late.complete(get(answer)));
			return late;
		}

		@Override
		public int mostTogether() {
			return this.records.mostTogether();
		}

		@Override
		public Optional<Moment> estimate() {
			this.onEstimate.run();
			return (this.clockKnown && this.fault != Fault.NO_CLOCK && this.fault != Fault.READING_THROWS)
					? this.records.estimate() : Optional.empty();
		}

	}

	/** Loses the answer of a write, and executes it later. */
	private static final class LateRecords implements LockRecords {

		private final LockRecords records;

		private boolean delayed;

		private boolean failing;

		private @Nullable Change change;

		private LateRecords(LockRecords records) {
			this.records = records;
		}

		void delayNext() {
			this.delayed = true;
		}

		/** The next write is sent and then fails on the thread that sends it. */
		void failNext() {
			this.delayed = true;
			this.failing = true;
		}

		Written arrive() {
			Change late = this.change;
			assertThat(late).isNotNull();
			return get(this.records.write(late));
		}

		@Override
		public RecordTraits traits() {
			return this.records.traits();
		}

		@Override
		public void start(String engine, RecordEvents events) {
			this.records.start(engine, events);
		}

		@Override
		public void stop() {
			this.records.stop();
		}

		@Override
		public CompletionStage<Seen> read(String key) {
			return this.records.read(key);
		}

		@Override
		public CompletionStage<Written> write(Change toWrite) {
			if (!this.delayed) {
				return this.records.write(toWrite);
			}
			this.delayed = false;
			this.change = toWrite;
			if (this.failing) {
				this.failing = false;
				throw new InternalError("made up");
			}
			return CompletableFuture.failedFuture(new TransientStoreException("", "No answer", null));
		}

		@Override
		public Optional<Moment> estimate() {
			return this.records.estimate();
		}

	}

}
