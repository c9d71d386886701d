package io.distlock.spring;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.OnBusy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Fallbacks of all kinds of methods. */
class FallbackMethodTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final LockedApplication APPLICATION = LockedApplication.of(Application.class);

	private LockHandle elsewhere;

	@BeforeEach
	void takeElsewhere() {
		this.elsewhere = APPLICATION.other().acquire("busy");
	}

	@AfterEach
	void giveBack() {
		this.elsewhere.close();
	}

	@AfterAll
	static void close() {
		APPLICATION.close();
	}

	@Test
	void fallbackIsChosenByAllOfItsParameters() {
		assertThat(APPLICATION.get(Jobs.class).overloaded("a")).isEqualTo("text a");
		assertThat(APPLICATION.get(Jobs.class).overloaded(7)).isEqualTo("number 7");
	}

	@Test
	void fallbackMayReturnASubtypeAndStandForAnyValue() {
		assertThat(APPLICATION.get(Jobs.class).numbers()).isEqualTo(7);
		assertThat(APPLICATION.get(Jobs.class).list()).hasToString("[a]");
		assertThat(APPLICATION.get(Jobs.class).primitive()).isEqualTo(3);
	}

	@Test
	void fallbackOfALaterResultIsFollowed() {
		assertThat(APPLICATION.get(Jobs.class).mono("a").block(SOON)).isEqualTo("instead of a, busy is busy");
		assertThat(APPLICATION.get(Jobs.class).flux("a").collectList().block(SOON)).containsExactly("a", "instead");
		assertThat(APPLICATION.get(Jobs.class).stage("a")).succeedsWithin(SOON).isEqualTo("instead of a");
		assertThat(APPLICATION.get(Jobs.class).async("a")).succeedsWithin(SOON).isEqualTo("instead of a without null");
	}

	@Test
	void fallbackThatThrowsIsTheFailureOfTheResult() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> APPLICATION.get(Jobs.class).throwing())
			.withMessage("full");
		assertThat(APPLICATION.get(Jobs.class).throwingStage()).failsWithin(SOON)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(IOException.class);
		assertThat(APPLICATION.get(Jobs.class).throwingMono().toFuture()).failsWithin(SOON)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(IOException.class);
	}

	@Test
	void fallbackOfAGenericSuperclassIsFound() {
		assertThat(APPLICATION.get(Books.class).write("a")).isEqualTo("not written: a");
		assertThat(APPLICATION.get(Journals.class).write("a")).isEqualTo("kept: a");
	}

	@Test
	void fallbackOfAClassIsThatOfItsMethods() {
		assertThat(APPLICATION.get(Shelf.class).add("a")).isEqualTo("later: a");
		assertThat(APPLICATION.get(Shelf.class).remove("a")).isEqualTo("later: a");
		assertThat(APPLICATION.get(SubDesk.class).sort("a")).isEqualTo("later: a");
	}

	@Test
	void fallbackOfASemaphore() {
		try (LockHandle other = APPLICATION.other().acquire(LockRequest.of("gate").permits(1))) {
			assertThat(APPLICATION.get(Jobs.class).limited("a")).isEqualTo("instead of a, " + other.key() + " is busy");
		}
	}

	@Test
	void fallbackRunsUnderNoLockButItsCallersOne() {
		try (LockedApplication application = LockedApplication.withInterfaceProxies(Sorter.class)) {
			assertThat(application.get(Sorting.class).sort("a")).isEqualTo("sorted a");
			LockHandle other = application.other().acquire("sorting");
			assertThat(application.get(Sorting.class).sort("a")).isEqualTo("unsorted a under 0");
			other.close();
		}
	}

	@Test
	void adviceOfAnAspectSeesTheBodyButNotTheFallback() {
		assertThat(APPLICATION.get(Jobs.class).stage("a")).succeedsWithin(SOON);
		this.elsewhere.close();
		int before = Counting.calls;
		assertThat(APPLICATION.get(Jobs.class).stage("a")).succeedsWithin(SOON).isEqualTo("ran a");
		assertThat(Counting.calls).isEqualTo(before + 1);
	}

	@ParameterizedTest
	@MethodSource
	void refusedAtStartup(Class<?> type, String text) {
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> new LockedApplication(true, Map.of(), Map.of(), type).close())
			.havingRootCause()
			.isInstanceOf(InvalidLockDefinitionException.class)
			.withMessageContaining(": " + text);
	}

	static Stream<Arguments> refusedAtStartup() {
		String locked = " is locked itself, but would be called without its lock. ";
		return Stream.of(
				arguments(LockedFallback.class,
						"fallback 'instead'" + locked + "Remove its annotation, and take a lock in its body with "
								+ "LockTemplate if it needs one"),
				arguments(FallbackWithPermit.class,
						"fallback 'instead'" + locked + "Remove its annotation, and take a lock in its body with "
								+ "LockTemplate if it needs one"),
				arguments(PublicInLockedClass.class,
						"fallback 'later'" + locked + "It is by the annotation of its class, which does not count for "
								+ "methods that are not public: make it private"),
				arguments(OtherElements.class,
						"fallback 'instead' returns List<Integer>, but the method returns List<String>. "
								+ "Have both return the same type"),
				arguments(OtherSignal.class,
						"fallback 'instead' returns Mono<Integer>, but the method returns Mono<String>. "
								+ "Have both return the same type"),
				arguments(Misspelt.class, "fallback 'instaed' does not exist. Did you mean instead? Give "
						+ "FallbackMethodTests.Misspelt one method instaed(String) or instaed(String, LockBusyException)"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	@EnableAspectJAutoProxy(proxyTargetClass = true)
	@Import({ Jobs.class, Books.class, Journals.class, Shelf.class, SubDesk.class, Counting.class })
	static class Application {

	}

	@Aspect
	static class Counting {

		static volatile int calls;

		@Before("execution(* io.distlock.spring.FallbackMethodTests.Jobs.stage(..)) && args(item)")
		public void count(String item) {
			calls++;
		}

	}

	static class Jobs {

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "other")
		public String overloaded(String item) {
			return "ran";
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "other")
		public String overloaded(int item) {
			return "ran";
		}

		private String other(String item) {
			return "text " + item;
		}

		private String other(int item) {
			return "number " + item;
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "seven")
		public Number numbers() {
			return 1L;
		}

		private Integer seven() {
			return 7;
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "knownList")
		public <T> List<? extends CharSequence> list() {
			return List.of();
		}

		private List<String> knownList() {
			return List.of("a");
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "three")
		public int primitive() {
			return 1;
		}

		private Integer three() {
			return 3;
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "knownMono")
		public Mono<String> mono(String item) {
			return Mono.just("ran");
		}

		private Mono<String> knownMono(String item, LockBusyException busy) {
			return Mono.just("instead of " + item + ", " + busy.key() + " is busy");
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "knownFlux")
		public Flux<String> flux(String item) {
			return Flux.just("ran");
		}

		private Flux<String> knownFlux(String item) {
			return Flux.just(item, "instead");
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "knownStage")
		public CompletableFuture<String> stage(String item) {
			return CompletableFuture.completedFuture("ran " + item);
		}

		private CompletableFuture<String> knownStage(String item) {
			return CompletableFuture.supplyAsync(() -> "instead of " + item);
		}

		@Async
		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "knownAsync")
		public CompletableFuture<String> async(String item) {
			return CompletableFuture.completedFuture("ran");
		}

		private CompletableFuture<String> knownAsync(String item) {
			return CompletableFuture
				.completedFuture("instead of " + item + " without " + LockContext.current().orElse(null));
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "fail")
		public String throwing() throws IOException {
			return "ran";
		}

		private String fail() throws IOException {
			throw new IOException("full");
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "failStage")
		public CompletableFuture<String> throwingStage() {
			return CompletableFuture.completedFuture("ran");
		}

		private CompletableFuture<String> failStage() throws IOException {
			throw new IOException("full");
		}

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "failMono")
		public Mono<String> throwingMono() {
			return Mono.just("ran");
		}

		private Mono<String> failMono() throws IOException {
			throw new IOException("full");
		}

		@DistributedSemaphore(name = "gate", permits = "1", waitTime = "0", onBusy = OnBusy.FALLBACK,
				fallback = "unlimited")
		public String limited(String item) {
			return "ran";
		}

		private String unlimited(String item, LockBusyException busy) {
			return "instead of " + item + ", " + busy.key() + " is busy";
		}

	}

	abstract static class Records<T> {

		@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "instead")
		public String write(T item) {
			return "ran";
		}

		protected String instead(T item) {
			return "not written: " + item;
		}

	}

	static class Books extends Records<String> {

	}

	/** Overrides the fallback with the real type, so that there is a bridge. */
	static class Journals extends Records<String> {

		@Override
		protected String instead(String item) {
			return "kept: " + item;
		}

	}

	@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "later")
	static class Shelf {

		public String add(String item) {
			return "ran";
		}

		public String remove(String item) {
			return "ran";
		}

		private String later(String item) {
			return "later: " + item;
		}

	}

	@DistributedLock(name = "busy", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "later")
	static class Desk {

		private String later(String item) {
			return "later: " + item;
		}

	}

	static class SubDesk extends Desk {

		public String sort(String item) {
			return "ran";
		}

	}

	interface Sorting {

		@DistributedLock(name = "sorting", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "unsorted")
		String sort(String item);

	}

	static class Sorter implements Sorting {

		@Override
		public String sort(String item) {
			return "sorted " + item;
		}

		private String unsorted(String item) {
			return "unsorted " + item + " under " + LockContext.all().size();
		}

	}

	static class Misspelt {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instaed")
		public void run(String item) {
		}

		void instead(String item) {
		}

	}

	static class LockedFallback {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public void run() {
		}

		@DistributedLock(name = "other")
		public void instead() {
		}

	}

	static class FallbackWithPermit {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public void run() {
		}

		@DistributedSemaphore(name = "other", permits = "1")
		public void instead() {
		}

	}

	@DistributedLock(name = "x", onBusy = OnBusy.FALLBACK, fallback = "later")
	static class PublicInLockedClass {

		public void run(String item) {
		}

		public void later(String item) {
		}

	}

	static class OtherElements {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public List<String> run() {
			return List.of();
		}

		List<Integer> instead() {
			return List.of();
		}

	}

	static class OtherSignal {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "instead")
		public Mono<String> run() {
			return Mono.empty();
		}

		Mono<Integer> instead() {
			return Mono.empty();
		}

	}

}
