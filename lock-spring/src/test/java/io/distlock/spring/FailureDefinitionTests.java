package io.distlock.spring;

import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.OnBusy;
import io.distlock.OnStoreFailure;

import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Definitions of what to do without a lock that are rejected at startup. */
class FailureDefinitionTests {

	@ParameterizedTest
	@MethodSource
	void refusedAtStartup(Class<?> type, String text) {
		LockedApplication.assertRefused(type, text);
	}

	static Stream<Arguments> refusedAtStartup() {
		String name = "Name one with skipValue, or return void, an Optional or a type that may be null";
		String both = " one method instead(String) or instead(String, LockBusyException)";
		return Stream.of(
				arguments(SkipInt.class,
						"onBusy is SKIP, but there is no value to return: the method returns int. " + name),
				arguments(SkipBadValue.class,
						"skipValue \"many\" cannot be converted to int. Write it as a text of that type, for instance \"false\" or \"0\""),
				arguments(SkipEmptyInt.class,
						"skipValue \"\" cannot be converted to int. Write it as a text of that type, for instance \"false\" or \"0\""),
				arguments(SkipVoidValue.class, "skipValue is \"0\", but the method returns nothing. Leave it out"),
				arguments(SkipMonoValue.class,
						"skipValue is \"a\", but the method returns Mono. Leave it out, and let the caller say what an "
								+ "empty result means"),
				arguments(OtherParameter.class,
						"fallback 'instead' has other parameters: instead(int). Give FailureDefinitionTests.OtherParameter"
								+ both),
				arguments(SkipTwoValues.class, "skipValue has 2 values. Choose one, or leave it out"),
				arguments(ValueWithoutSkip.class,
						"skipValue is \"0\", but onBusy is THROW. Set onBusy = OnBusy.SKIP, or leave the value out"),
				arguments(NoFallback.class,
						"onBusy is FALLBACK, but no fallback is named. Name a method of the same "
								+ "class with the same parameters: fallback = \"...\""),
				arguments(FallbackWithoutChoice.class,
						"fallback is 'instead', but onBusy is THROW. "
								+ "Set onBusy = OnBusy.FALLBACK, or leave the fallback out"),
				arguments(MissingFallback.class,
						"fallback 'instead' does not exist. Give FailureDefinitionTests.MissingFallback" + both),
				arguments(OtherParameters.class,
						"fallback 'instead' has other parameters: instead(), instead(String, Exception), "
								+ "instead(int). Give FailureDefinitionTests.OtherParameters" + both),
				arguments(Ambiguous.class,
						"fallback 'instead' is ambiguous: instead(String), instead(String, "
								+ "LockException). Give FailureDefinitionTests.Ambiguous" + both),
				arguments(StaticFallback.class, "fallback 'instead' is static. Make it an instance method"),
				arguments(OtherResult.class,
						"fallback 'instead' returns String, but the method returns int. "
								+ "Have both return the same type"),
				arguments(VoidResult.class,
						"fallback 'instead' returns String, but the method returns void. "
								+ "Have both return the same type"),
				arguments(Itself.class,
						"fallback 'run' is the method itself. Give FailureDefinitionTests.Itself one method "
								+ "run(String, LockBusyException)"),
				arguments(FencedAnyway.class, "it may run without its lock (onStoreFailure is RUN_WITHOUT_LOCK), but "
						+ "a parameter is annotated with @FencingToken, which only a lock has. Set onStoreFailure = "
						+ "OnStoreFailure.FAIL on the method, or remove the parameter"));
	}

	static class SkipInt {

		@DistributedLock(onBusy = OnBusy.SKIP)
		public int run() {
			return 1;
		}

	}

	static class SkipBadValue {

		@DistributedLock(onBusy = OnBusy.SKIP, skipValue = "many")
		public int run() {
			return 1;
		}

	}

	static class SkipEmptyInt {

		@DistributedLock(onBusy = OnBusy.SKIP, skipValue = "")
		public int run() {
			return 1;
		}

	}

	static class SkipVoidValue {

		@DistributedLock(onBusy = OnBusy.SKIP, skipValue = "0")
		public void run() {
		}

	}

	static class SkipMonoValue {

		@DistributedLock(onBusy = OnBusy.SKIP, skipValue = "a")
		public Mono<String> run() {
			return Mono.just("ran");
		}

	}

	static class OtherParameter {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public void run(String item) {
		}

		void instead(int item) {
		}

	}

	static class SkipTwoValues {

		@DistributedLock(onBusy = OnBusy.SKIP, skipValue = { "0", "1" })
		public int run() {
			return 1;
		}

	}

	static class ValueWithoutSkip {

		@DistributedLock(skipValue = "0")
		public int run() {
			return 1;
		}

	}

	static class NoFallback {

		@DistributedLock(onBusy = OnBusy.FALLBACK)
		public void run() {
		}

	}

	static class FallbackWithoutChoice {

		@DistributedLock(fallback = "instead")
		public void run() {
		}

		void instead() {
		}

	}

	static class MissingFallback {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public void run(String item) {
		}

	}

	static class OtherParameters {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public void run(String item) {
		}

		void instead(int item) {
		}

		void instead() {
		}

		void instead(String item, Exception reason) {
		}

	}

	static class Ambiguous {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public void run(String item) {
		}

		void instead(String item) {
		}

		void instead(String item, LockException reason) {
		}

	}

	static class StaticFallback {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public void run(String item) {
		}

		static void instead(String item) {
		}

	}

	static class OtherResult {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public int run(String item) {
			return 1;
		}

		String instead(String item) {
			return item;
		}

	}

	static class VoidResult {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public void run(String item) {
		}

		String instead(String item) {
			return item;
		}

	}

	static class Itself {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "run")
		public void run(String item) {
		}

	}

	static class FencedAnyway {

		@DistributedLock(onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public void run(@FencingToken long token) {
		}

	}

}
