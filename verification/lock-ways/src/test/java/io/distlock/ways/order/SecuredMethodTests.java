package io.distlock.ways.order;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.output.DocPage;
import io.distlock.spring.ReactiveLockContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Who may not call a locked method is told so at once, whatever its lock does. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("ci")
class SecuredMethodTests {

	private static final Duration SOON = Duration.ofMinutes(1);

	private static final String WARNING = "Spring Security checks the caller after";

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withPropertyValues("distributed-lock.store=memory")
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class))
		.withBean(Accounts.class)
		.withBean(KotlinAccounts.class);

	private static void login(String role) {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("eve", "", "ROLE_" + role));
	}

	@AfterEach
	void logout() {
		SecurityContextHolder.clearContext();
	}

	private static String join(CompletableFuture<String> result) {
		return result.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
	}

	@Test
	void deniedCallerAsksForNoLock(CapturedOutput output) {
		this.application.withUserConfiguration(Security.class).run((context) -> {
			Accounts accounts = context.getBean(Accounts.class);
			login("USER");
			LockTemplate locks = context.getBean(LockTemplate.class);
			try (LockHandle held = locks.acquireAsync("account:1").toCompletableFuture().join()) {
				for (String id : new String[] { "1", "2", null }) {
					denied(() -> accounts.close(id));
					denied(() -> accounts.closeLater(id));
					denied(() -> accounts.closeReactively(id).block(SOON));
				}
			}
		});
		assertThat(output).doesNotContain(WARNING);
	}

	private static void denied(Runnable call) {
		assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(call::run);
	}

	@Test
	void permittedCallerRunsUnderTheLock() {
		this.application.withUserConfiguration(Security.class).run((context) -> {
			Accounts accounts = context.getBean(Accounts.class);
			login("ADMIN");
			assertThat(accounts.close("1")).isEqualTo("account:1");
			assertThat(join(accounts.closeLater("1"))).isEqualTo("account:1 by eve");
			assertThat(accounts.closeReactively("1").block(SOON)).isEqualTo("account:1");
		});
	}

	@Test
	void reactiveCheckIsMadeInTheContextOfTheSubscription() {
		this.application.withUserConfiguration(ReactiveSecurity.class).run((context) -> {
			Accounts accounts = context.getBean(Accounts.class);
			KotlinAccounts kotlin = context.getBean(KotlinAccounts.class);
			assertThat(as("ADMIN", accounts.closeReactively("1"))).isEqualTo("account:1");
			assertThat(as("ADMIN", KotlinCalls.close(kotlin, "1"))).isEqualTo("closed 1");
			LockTemplate locks = context.getBean(LockTemplate.class);
			try (LockHandle held = locks.acquireAsync("account:1").toCompletableFuture().join()) {
				for (String id : new String[] { "1", null }) {
					denied(() -> as("USER", accounts.closeReactively(id)));
					denied(() -> as("USER", KotlinCalls.close(kotlin, id)));
				}
			}
		});
	}

	private static String as(String role, Mono<String> call) {
		return call
			.contextWrite(ReactiveSecurityContextHolder
				.withAuthentication(new TestingAuthenticationToken("eve", "", "ROLE_" + role)))
			.block(SOON);
	}

	@Test
	void lockOutsideOfTheCheckIsWarnedOf(CapturedOutput output) {
		this.application.withUserConfiguration(Security.class)
			.withPropertyValues("distributed-lock.advice-order=50")
			.run((context) -> assertThat(context).hasNotFailed());
		String warning = output.toString()
			.lines()
			.filter((line) -> line.contains(WARNING) && line.contains(".close(String)"))
			.findFirst()
			.orElseThrow();
		DocPage.of("startup-messages.md")
			.says(warning.substring(warning.indexOf("@DistributedLock"))
				.replace("SecuredMethodTests.Accounts.close(String)", "StockService.deduct(String, int)"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity(proxyTargetClass = true)
	static class Security {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableReactiveMethodSecurity(proxyTargetClass = true)
	static class ReactiveSecurity {

	}

	static class Accounts {

		@PreAuthorize("hasRole('ADMIN')")
		@DistributedLock(name = "account", key = "#id", waitTime = "0")
		String close(String id) {
			return LockContext.current().orElseThrow().key();
		}

		@PreAuthorize("hasRole('ADMIN')")
		@DistributedLock(name = "account", key = "#id", waitTime = "0")
		CompletableFuture<String> closeLater(String id) {
			String caller = SecurityContextHolder.getContext().getAuthentication().getName();
			return CompletableFuture.completedFuture(LockContext.current().orElseThrow().key() + " by " + caller);
		}

		@PreAuthorize("hasRole('ADMIN')")
		@DistributedLock(name = "account", key = "#id", waitTime = "0")
		Mono<String> closeReactively(String id) {
			return ReactiveLockContext.current().map(LockHandle::key);
		}

	}

}
