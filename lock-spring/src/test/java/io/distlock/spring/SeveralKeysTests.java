package io.distlock.spring;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.test.FaultyLockStore.Verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Methods with several locks at once. */
@ExtendWith(OutputCaptureExtension.class)
class SeveralKeysTests {

	private final LockedApplication application = LockedApplication.of(SaleDatabase.class, Bank.class);

	private final Bank bank = this.application.get(Bank.class);

	private final Bank target = (Bank) Objects.requireNonNull(AopProxyUtils.getSingletonTarget(this.bank));

	@AfterEach
	void stop() {
		this.application.close();
	}

	@Test
	void keysThenAllAreHeldWhileTheMethodRunsAndReleasedAfterwards() {
		this.target.body = () -> {
			assertThat(heldKeys()).containsExactly("account:a", "account:b");
			assertThat(this.application.isBusy("account:a")).isTrue();
			assertThat(this.application.isBusy("account:b")).isTrue();
			assertThat(LockContext.current().orElseThrow().parts()).hasSize(2);
		};
		this.bank.transfer("b", "a");
		assertThat(this.target.runs).isOne();
		assertThat(this.application.isBusy("account:a")).isFalse();
		assertThat(this.application.isBusy("account:b")).isFalse();
	}

	@Test
	void keysWhenEqualThenOneLock() {
		this.target.body = () -> assertThat(heldKeys()).containsExactly("account:a");
		this.bank.transfer("a", "a");
		assertThat(this.target.runs).isOne();
		assertThat(this.application.store().count(Verb.ACQUIRE)).isOne();
	}

	@Test
	void keysWhenOneIsBusyThenNamesItAndHoldsNone() {
		try (LockHandle other = this.application.other().acquire("account:b")) {
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.bank.transfer("a", "b"))
				.satisfies((ex) -> assertThat(ex.key()).isEqualTo(other.key()));
		}
		assertThat(this.target.runs).isZero();
		assertThat(this.application.isBusy("account:a")).isFalse();
	}

	@Test
	void keyWhenItGivesSeveralThenOneLockEach() {
		this.target.body = () -> assertThat(heldKeys()).containsExactly("account:a", "account:b", "account:c");
		this.bank.close(List.of("c", "a", "b", "a"));
		this.bank.closeArray(new String[] { "b", "c", "a" });
		this.bank.closeOptional(Optional.of(List.of("b", "c", "a")));
		this.bank.mixed("b", List.of("a", "c"));
		assertThat(this.target.runs).isEqualTo(4);
	}

	@Test
	void keyWhenItGivesOneThenTheSameLockAsASingleKey() {
		this.target.body = () -> {
			this.target.body = () -> assertThat(heldKeys()).containsExactly("account:a", "account:a");
			this.bank.single("a");
		};
		this.bank.close(List.of("a"));
		assertThat(this.target.runs).isEqualTo(2);
		assertThat(this.application.store().count(Verb.ACQUIRE)).as("reentrant").isOne();
	}

	@Test
	void tokenWhenTheKeyGivesSeveralThenRefusedBeforeTheLockIsTaken() {
		assertRefused(() -> this.bank.fenced(List.of("a", "b"), 0),
				"fenced(List, long): key '#numbers' gave 2 locks, so there is no one fencing token for the parameter "
						+ "annotated with @FencingToken");
		assertThat(this.application.store().count()).isZero();
		assertThat(this.bank.fenced(List.of("a", "a"), 0)).isPositive();
	}

	@Test
	void transactionWhenOpenThenReleasesAllAtItsEndAndWarnsUnlessAllAreNested(CapturedOutput output) {
		TransactionTemplate transaction = this.application.get(TransactionTemplate.class);
		this.target.body = () -> transaction.executeWithoutResult((status) -> this.bank.transferInside("a", "b"));
		this.bank.transfer("a", "b");
		assertThat(output).doesNotContain("inside the open transaction");
		this.target.body = () -> {
		};
		transaction.executeWithoutResult((status) -> {
			this.bank.transfer("a", "b");
			assertThat(this.application.isBusy("account:a")).isTrue();
			assertThat(this.application.isBusy("account:b")).isTrue();
		});
		assertThat(output).containsOnlyOnce("inside the open transaction");
		assertThat(this.application.isBusy("account:a")).isFalse();
		assertThat(this.application.isBusy("account:b")).isFalse();
	}

	@Test
	void keysWhenLostThenTheCallerIsTold() {
		this.target.body = this.application::outliveLeases;
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.bank.brief("a", "b"));
	}

	private void assertRefused(Runnable call, String text) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(call::run)
			.withMessage("@DistributedLock on SeveralKeysTests.Bank." + text);
	}

	private static List<String> heldKeys() {
		return LockContext.all().stream().map(LockHandle::key).toList();
	}

	@ParameterizedTest
	@MethodSource
	void refusedAtStartup(Class<?> type, String text) {
		LockedApplication.assertRefused(type, text);
	}

	static Stream<Arguments> refusedAtStartup() {
		return Stream.of(arguments(Both.class, "it has both key '#from' and keys. Write all of them into keys"),
				arguments(Blank.class,
						"key ' ' is not a valid expression: 'expressionString' must not be null or blank. Write a SpEL "
								+ "expression such as #order.id, or a text in single quotes"),
				arguments(Unknown.class,
						"key '#too' uses the unknown variable #too. Did you mean #to? The parameters are #from, #to, "
								+ "by position #p0, #p1"),
				arguments(Fenced.class, "it has several keys, so there is no one fencing token for the parameter "
						+ "annotated with @FencingToken. Use one key, or take the tokens of LockContext.all() in the "
						+ "method"),
				arguments(Concatenated.class,
						"key 'T(String).valueOf('x:' + #from)' concatenates ('x:' + #from) inside of valueOf(('x:' + "
								+ "#from)), where a null part would become the text null. Concatenate last: 'x:' + "
								+ "#name.trim(), or do it in a method of a bean: @bean.method(#p0)"),
				arguments(Named.class,
						"name 'job-#{#from}' is an expression, but a name is a fixed text. Write the expression into the "
								+ "key, and a name without it: name = \"job\", key = \"#tenant\""));
	}

	static class Concatenated {

		@DistributedLock(name = "account", key = "T(String).valueOf('x:' + #from)")
		public void transfer(String from) {
		}

	}

	static class Named {

		@DistributedLock(name = "job-#{#from}")
		public void transfer(String from) {
		}

	}

	static class Bank {

		Runnable body = () -> {
		};

		int runs;

		void run() {
			this.runs++;
			this.body.run();
		}

		@DistributedLock(name = "account", keys = { "#from", "#to" }, waitTime = "0")
		public void transfer(String from, @Nullable String to) {
			run();
		}

		@DistributedLock(name = "account", keys = { "#to", "#from" })
		public void transferInside(String from, String to) {
		}

		@DistributedLock(name = "account", key = "#numbers")
		public void close(Collection<String> numbers) {
			run();
		}

		@DistributedLock(name = "account", key = "#numbers")
		public void closeArray(String[] numbers) {
			run();
		}

		@DistributedLock(name = "account", key = "#numbers")
		public void closeOptional(Optional<List<String>> numbers) {
			run();
		}

		@DistributedLock(name = "account", keys = { "#one", "#others" })
		public void mixed(String one, List<String> others) {
			run();
		}

		@DistributedLock(name = "account", key = "#number")
		public void single(String number) {
			run();
		}

		@DistributedLock(name = "account", key = "#numbers")
		public long fenced(List<String> numbers, @FencingToken long token) {
			return token;
		}

		@DistributedLock(name = "account", keys = { "#from", "#to" }, leaseTime = "20s")
		public void brief(String from, String to) {
			run();
		}

	}

	static class Both {

		@DistributedLock(key = "#from", keys = "#to")
		public void transfer(String from, String to) {
		}

	}

	static class Blank {

		@DistributedLock(keys = { "#from", " " })
		public void transfer(String from, String to) {
		}

	}

	static class Unknown {

		@DistributedLock(keys = { "#from", "#too" })
		public void transfer(String from, String to) {
		}

	}

	static class Fenced {

		@DistributedLock(keys = { "#from", "#to" })
		public void transfer(String from, String to, @FencingToken long token) {
		}

	}

}
