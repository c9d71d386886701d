package io.distlock.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockStoreException;
import io.distlock.OnBusy;
import io.distlock.OnStoreFailure;
import io.distlock.output.LogLines;
import io.distlock.test.FaultyLockStore.Fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** What methods do that get no lock. */
@ExtendWith(OutputCaptureExtension.class)
class FailureHandlingTests {

	private final LockedApplication application = LockedApplication.of(Jobs.class);

	private final Jobs jobs = this.application.get(Jobs.class);

	private LockHandle elsewhere;

	@BeforeEach
	void takeElsewhere() {
		Jobs.BODIES.clear();
		this.elsewhere = this.application.other().acquire("job");
	}

	@AfterEach
	void stop() {
		this.elsewhere.close();
		this.application.close();
	}

	@Test
	void skipThenNothingIsReturned() {
		this.jobs.skip();
		assertThat(this.jobs.skipText()).isNull();
		assertThat(this.jobs.skipOptional()).isEmpty();
		assertThat(this.jobs.skipNumber()).isEqualTo(-1);
		assertThat(this.jobs.skipFlag()).isFalse();
		assertThat(this.jobs.skipEnum()).isEqualTo(TimeUnit.DAYS);
		assertThat(this.jobs.skipEmptyText()).isEmpty();
		assertThat(this.jobs.skipGivenOptional()).contains(7);
		assertThat(Jobs.BODIES).isEmpty();
	}

	@Test
	void skipThenLoggedOnceForDebuggingOnly() {
		LogLines log = LogLines.of("io.distlock.spring", Level.DEBUG);
		try (log) {
			this.jobs.skip();
		}
		assertThat(log.events()).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.DEBUG);
			assertThat(event.getFormattedMessage())
				.startsWith("@DistributedLock on FailureHandlingTests.Jobs.skip(): the call is skipped. "
						+ "Lock 'job' is busy: not acquired within 0");
		});
	}

	@Test
	void skipWhenTheLockIsFreeThenTheBodyRuns() {
		this.elsewhere.close();
		assertThat(this.jobs.skipText()).isEqualTo("done");
		assertThat(this.jobs.skipNumber()).isEqualTo(1);
		assertThat(Jobs.BODIES).containsExactly("skipText", "skipNumber");
	}

	@Test
	void skipWhenTheStoreFailsThenThrows() {
		this.application.store().injectAll(Fault.REFUSE);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(this.jobs::skipText);
		this.application.store().heal();
	}

	@Test
	void fallbackThenIsCalledOnTheTargetWithTheArguments() {
		assertThat(this.jobs.order("book", 2)).isEqualTo("private queue: 2 book");
		assertThat(this.jobs.orderTold("book")).isEqualTo("busy job: book");
		assertThat(this.jobs.orderToldAny("book")).isEqualTo("LockBusyException: book");
		assertThat(this.jobs.orderInherited("book")).isEqualTo("inherited: book");
		assertThat(this.jobs.sameName("book")).isEqualTo("overloaded: book");
		assertThat(Jobs.BODIES).isEmpty();
	}

	@Test
	void fallbackWhenTheStoreFailsThenThrows() {
		this.application.store().injectAll(Fault.REFUSE);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.jobs.orderTold("book"));
		this.application.store().heal();
	}

	@Test
	void throwWhenThereIsNoHandlerThenTheException() {
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.jobs.plain("a"));
	}

	@Test
	void handlerThenDecidesForThrowAndForFailuresOfTheStore() {
		try (LockedApplication handled = LockedApplication.of(Jobs.class, Handler.class);
				LockHandle taken = handled.other().acquire("job")) {
			Jobs other = handled.get(Jobs.class);
			Handler handler = handled.get(Handler.class);
			handler.answer = "handled";
			assertThat(other.plain("a")).isEqualTo("handled");
			LockFailure busy = handler.failures.get(0);
			assertThat(busy.method().getName()).isEqualTo("plain");
			assertThat(busy.target()).isExactlyInstanceOf(Jobs.class);
			assertThat(busy.arguments()).containsExactly("a");
			assertThat(busy.keys()).containsExactly(taken.key());
			assertThat(busy.exception()).isInstanceOf(LockBusyException.class);
			assertThat(busy.isBusy()).isTrue();
			assertThat(other.skipText()).as("the method says it itself").isNull();
			assertThat(other.orderTold("book")).isEqualTo("busy job: book");
			assertThat(handler.failures).hasSize(1);
			handled.store().injectAll(Fault.REFUSE);
			assertThat(other.skipText()).isEqualTo("handled");
			assertThat(handler.failures.get(1).isBusy()).isFalse();
			assertThat(handler.failures.get(1).exception()).isInstanceOf(LockStoreException.class);
			handled.store().heal();
		}
		assertThat(Jobs.BODIES).isEmpty();
	}

	@Test
	void handlerWhenItThrowsThenTheCallerGetsThat() {
		try (LockedApplication handled = LockedApplication.of(Jobs.class, Handler.class);
				LockHandle taken = handled.other().acquire("job")) {
			handled.get(Handler.class).failure = new IllegalStateException(taken.key());
			assertThatIllegalStateException().isThrownBy(() -> handled.get(Jobs.class).plain("a")).withMessage("job");
		}
	}

	@Test
	void handlerWhenItAnswersAnotherTypeThenRefusedNamingBoth() {
		try (LockedApplication handled = LockedApplication.of(Jobs.class, Handler.class);
				LockHandle taken = handled.other().acquire("job")) {
			handled.get(Handler.class).answer = 7L;
			String handler = "LockFailureHandler " + Handler.class.getName();
			assertThatIllegalStateException().isThrownBy(() -> handled.get(Jobs.class).plain("a"))
				.withMessage(handler + " returned a java.lang.Long for FailureHandlingTests.Jobs.plain(String), which "
						+ "returns String")
				.withCauseInstanceOf(LockBusyException.class);
			handled.get(Handler.class).answer = null;
			assertThat(handled.get(Jobs.class).plain("a")).isNull();
			assertThatIllegalStateException().isThrownBy(() -> handled.get(Jobs.class).number())
				.withMessage(handler + " returned null for FailureHandlingTests.Jobs.number(), which returns int");
			assertThat(taken.isHeld()).isTrue();
		}
	}

	@Test
	void runWithoutLockWhenTheStoreFailsThenRunsAndWarns(CapturedOutput output) {
		this.application.store().injectAll(Fault.REFUSE);
		assertThat(this.jobs.anyway()).isEqualTo(Optional.empty());
		assertThat(this.jobs.anyway()).isEqualTo(Optional.empty());
		this.application.store().heal();
		assertThat(output).containsOnlyOnce("runs WITHOUT its lock");
		assertThat(output).contains("@DistributedLock on FailureHandlingTests.Jobs.anyway(): runs WITHOUT its lock, "
				+ "1 time(s) since the last warning (onStoreFailure is RUN_WITHOUT_LOCK): ");
		assertThat(Jobs.BODIES).containsExactly("anyway", "anyway");
	}

	@Test
	void runWithoutLockWhenBusyThenThrowsAndWhenFreeThenHasTheLock() {
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(this.jobs::anyway);
		this.elsewhere.close();
		assertThat(this.jobs.anyway()).contains("job");
	}

	@Test
	void runWithoutLockWhenInterruptedThenThrows() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockException.class).isThrownBy(this.jobs::anyway);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(Jobs.BODIES).isEmpty();
	}

	static class Inherited {

		private String inherited(String item) {
			return "inherited: " + item;
		}

	}

	static class Jobs extends Inherited {

		static final List<String> BODIES = new ArrayList<>();

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public void skip() {
			BODIES.add("skip");
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public @Nullable String skipText() {
			BODIES.add("skipText");
			return "done";
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP)
		public Optional<String> skipOptional() {
			BODIES.add("skipOptional");
			return Optional.of("done");
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "-1")
		public int skipNumber() {
			BODIES.add("skipNumber");
			return 1;
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "false")
		public boolean skipFlag() {
			return true;
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "DAYS")
		public TimeUnit skipEnum() {
			return TimeUnit.HOURS;
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "")
		public String skipEmptyText() {
			return "done";
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "7")
		public Optional<Integer> skipGivenOptional() {
			return Optional.of(1);
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "queue")
		public String order(String item, int count) {
			BODIES.add("order");
			return "ordered";
		}

		private String queue(String item, int count) {
			return "private queue: " + count + " " + item;
		}

		private String queue(String item) {
			return "another overload";
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "told")
		public Object orderTold(String item) {
			BODIES.add("orderTold");
			return "ordered";
		}

		String told(String item, LockBusyException busy) {
			return "busy " + busy.key() + ": " + item;
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "toldAny")
		public String orderToldAny(String item) {
			return "ordered";
		}

		protected String toldAny(String item, LockException reason) {
			return reason.getClass().getSimpleName() + ": " + item;
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "inherited")
		public String orderInherited(String item) {
			return "ordered";
		}

		@DistributedLock(name = "job", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "sameName")
		public String sameName(String item) {
			return "ordered";
		}

		public String sameName(String item, LockBusyException busy) {
			return "overloaded: " + item;
		}

		@DistributedLock(name = "job", waitTime = "0")
		public @Nullable String plain(String argument) {
			BODIES.add("plain");
			return argument;
		}

		@DistributedLock(name = "job", waitTime = "0")
		public int number() {
			return 1;
		}

		@DistributedLock(name = "job", waitTime = "0", onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public Optional<String> anyway() {
			BODIES.add("anyway");
			return LockContext.current().map(LockHandle::key);
		}

	}

	static class Handler implements LockFailureHandler {

		final List<LockFailure> failures = new ArrayList<>();

		@Nullable Object answer;

		@Nullable RuntimeException failure;

		@Override
		public @Nullable Object handle(LockFailure failure) {
			this.failures.add(failure);
			if (this.failure != null) {
				throw this.failure;
			}
			return this.answer;
		}

	}

}
