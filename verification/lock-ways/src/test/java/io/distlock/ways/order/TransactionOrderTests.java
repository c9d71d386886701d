package io.distlock.ways.order;

import java.util.Arrays;
import java.util.List;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.output.DocPage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.Advised;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/** Transactions whose order is not the default. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("ci")
class TransactionOrderTests {

	private static final String WARNING = "begins before its lock is taken";

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withPropertyValues("distributed-lock.store=memory")
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class))
		.withUserConfiguration(EarlyTransactions.class);

	@Test
	void transactionOutsideOfTheLockIsWarnedOf(CapturedOutput output) {
		this.application.run((context) -> {
			Stock stock = context.getBean(Stock.class);
			stock.deduct();
			assertThat(stock.wasHeldAtTheEnd()).isFalse();
		});
		String warning = output.toString()
			.lines()
			.filter((line) -> line.contains(WARNING) && line.contains(".deduct()"))
			.findFirst()
			.orElseThrow();
		DocPage.of("startup-messages.md")
			.says(warning.substring(warning.indexOf("@DistributedLock"))
				.replace("TransactionOrderTests.Stock.deduct()", "StockService.deduct(String, int)"));
	}

	@Test
	void orderOfTheWarningPutsTheLockOutside(CapturedOutput output) {
		this.application.withPropertyValues("distributed-lock.advice-order=-10").run((context) -> {
			Stock stock = context.getBean(Stock.class);
			stock.deduct();
			assertThat(stock.wasHeldAtTheEnd()).isTrue();
			List<String> advice = Arrays.stream(((Advised) stock).getAdvisors())
				.map((advisor) -> advisor.getClass().getSimpleName())
				.filter((name) -> name.matches("LockAdvisor|ReactiveCommitGuard|.*Transaction.*"))
				.toList();
			assertThat(advice).hasSize(3).startsWith("LockAdvisor", "ReactiveCommitGuard");
		});
		assertThat(output).doesNotContain(WARNING);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true, order = 0)
	static class EarlyTransactions {

		@Bean
		PlatformTransactionManager transactionManager() {
			return new DataSourceTransactionManager(
					new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build());
		}

		@Bean
		Stock stock() {
			return new Stock();
		}

	}

	static class Stock {

		private boolean held;

		@Transactional
		@DistributedLock(name = "stock")
		void deduct() {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					Stock.this.held = LockContext.current().isPresent();
				}

			});
		}

		boolean wasHeldAtTheEnd() {
			return this.held;
		}

		@Transactional
		@DistributedLock(name = "stock")
		Mono<String> deductLater() {
			return Mono.empty();
		}

	}

}
