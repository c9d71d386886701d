package io.distlock.spring;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;
import reactor.core.publisher.Mono;

import org.springframework.core.NestedExceptionUtils;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.FencingToken;
import io.distlock.LockMode;
import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The pages of the documentation quote refusals in the words that are thrown. What is
 * thrown for which mistake is the subject of other tests, whose texts are used here.
 */
class RefusalPagesTests {

	private static Set<String> textsOf(Stream<Arguments> cases) {
		return cases.map((each) -> ((String) each.get()[1]).replaceAll("(FailureDefinition|FallbackMethod)Tests\\.\\w+",
				"Prices"))
			.collect(Collectors.toSet());
	}

	@Test
	void failureHandlingAtStartup() {
		Set<String> thrown = textsOf(
				Stream.concat(FailureDefinitionTests.refusedAtStartup(), FallbackMethodTests.refusedAtStartup()));
		assertThat(DocPage.of("startup-messages.md").block("## Busy and fallback")).hasSizeGreaterThan(15)
			.isSubsetOf(thrown);
	}

	@Test
	void keysAtStartup() {
		assertThat(DocPage.of("startup-messages.md").block("## Keys")).hasSize(6)
			.isSubsetOf(textsOf(SeveralKeysTests.refusedAtStartup()));
	}

	@Test
	void keysAtTheCall() {
		try (LockedApplication application = LockedApplication.of(Calls.class, Tenants.class)) {
			Calls calls = application.get(Calls.class);
			List<String> thrown = Stream
				.<Runnable>of(() -> calls.transfer("a", null), () -> calls.close(new ArrayList<>()),
						() -> calls.close(new ArrayList<>(List.of("a", " "))), () -> calls.order(null),
						() -> calls.order(" "), () -> calls.joined(null), () -> calls.at(new Date(0)), calls::ofTenant,
						() -> calls.fenced(List.of("a", "b"), 0))
				.map((call) -> catchThrowable(call::run))
				.map((failure) -> {
					assertThat(failure).isInstanceOf(LockKeyException.class);
					return failure.getMessage()
						.replaceFirst("^@DistributedLock on RefusalPagesTests.Calls[^:]*: ", "")
						.replace("@'refusalPagesTests.Tenants'", "@tenants");
				})
				.toList();
			assertThat(DocPage.of("startup-messages.md").block("At the call, as `LockKeyException`"))
				.containsExactlyElementsOf(thrown);
		}
	}

	private static String refused(Class<?> type, Map<String, Object> properties) {
		Throwable failure = catchThrowable(() -> new LockedApplication(true, Map.of(), properties, type).close());
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		assertThat(cause).isInstanceOf(InvalidLockDefinitionException.class);
		return cause.getMessage().replaceFirst("^Bean '[^']*': ", "").replace("RefusalPagesTests.", "");
	}

	@Test
	void sharing() {
		DocPage page = DocPage.of("startup-messages.md");
		page.says(refused(TaxOffice.class, Map.of("tax.permits", "0")));
		page.says(refused(TaxOffice.class, Map.of("tax.permits", "many")));
		page.says(refused(PriceList.class, Map.of()));
	}

	@Test
	void returnTypes() {
		DocPage page = DocPage.of("startup-messages.md");
		page.says(refused(Later.class, Map.of()).replaceFirst("^.*\\): ", ""));
		try (LockedApplication application = LockedApplication.of(Mixed.class)) {
			Mixed mixed = application.get(Mixed.class);
			page.says(catchThrowable(() -> mixed.any(CompletableFuture.completedFuture(1))).getMessage()
				.replaceFirst("^.*\\): ", ""));
			Throwable held = catchThrowable(() -> mixed.run(() -> mixed.mono().block()));
			page.says(held.getMessage()
				.replaceFirst("^.*\\(\\): ", "")
				.replaceFirst("'mixed'", "'…'")
				.replaceFirst("thread '[^']*'", "thread '…'"));
		}
	}

	static class Calls {

		@DistributedLock(keys = { "#from", "#to" })
		public void transfer(String from, @Nullable String to) {
		}

		@DistributedLock(key = "#numbers")
		public void close(ArrayList<String> numbers) {
		}

		@DistributedLock(key = "'order:' + #note")
		public void order(@Nullable String note) {
		}

		@DistributedLock(key = "'order:'.concat(#note)")
		public void joined(@Nullable String note) {
		}

		@DistributedLock(key = "#day")
		public void at(Date day) {
		}

		@DistributedLock(key = "@'refusalPagesTests.Tenants'.current()")
		public void ofTenant() {
		}

		@DistributedLock(key = "#numbers")
		public void fenced(List<String> numbers, @FencingToken long token) {
		}

	}

	static class Tenants {

		public String current() {
			throw new IllegalStateException("no tenant");
		}

	}

	static class TaxOffice {

		@DistributedSemaphore(name = "tax-office", key = "#country", permits = "${tax.permits:3}", waitTime = "20s")
		public void ask(String country) {
		}

	}

	static class PriceList {

		@DistributedLock(mode = LockMode.SHARED, minHold = "1s")
		public String price(String country, String sku) {
			return country + sku;
		}

	}

	static class Later {

		@DistributedLock
		public Future<String> run() {
			return CompletableFuture.completedFuture("later");
		}

	}

	static class Mixed {

		@DistributedLock
		public Object any(Object result) {
			return result;
		}

		@DistributedLock(name = "mixed")
		public void run(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "mixed")
		public Mono<String> mono() {
			return Mono.just("mono");
		}

	}

}
