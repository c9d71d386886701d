package io.distlock.aot;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockContext;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.redis.RedisLockAutoConfiguration;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.aot.agent.RecordedInvocation;
import org.springframework.aot.agent.RecordedInvocationsListener;
import org.springframework.aot.agent.RecordedInvocationsPublisher;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Spring's agent for hints records what the library, key expressions and annotations do
 * by reflection, and as which resources, while an application runs on what Spring
 * generated: a native image would have to be told of each.
 */
@CompileWithForkedClassLoader
class RecordedHintsTests {

	private static final AutoConfigurations LOCKS = AutoConfigurations.of(AopAutoConfiguration.class,
			PropertyPlaceholderAutoConfiguration.class, DataRedisAutoConfiguration.class, LockAutoConfiguration.class,
			LockAnnotationAutoConfiguration.class, RedisLockAutoConfiguration.class);

	@Test
	void whatRunsByReflectionHasAHint() {
		TestGenerationContext generated = new TestGenerationContext();
		try (RedisServer redis = RedisServer.start();
				AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext()) {
			TestPropertyValues.of("spring.data.redis.port=" + redis.port()).applyTo(source);
			source.register(AutoConfigurations.getClasses(LOCKS));
			source.register(Names.class, Stock.class);
			new ApplicationContextAotGenerator().processAheadOfTime(source, generated);
			generated.writeGeneratedContent();
			Queue<RecordedInvocation> calls = new ConcurrentLinkedQueue<>();
			TestCompiler.forSystem().with(generated).compile((compiled) -> {
				ApplicationContextInitializer<GenericApplicationContext> initializer = compiled
					.getInstance(ApplicationContextInitializer.class);
				RecordedInvocationsListener listener = calls::add;
				RecordedInvocationsPublisher.addListener(listener);
				try {
					sell(initializer, redis);
				}
				finally {
					RecordedInvocationsPublisher.removeListener(listener);
				}
			});
			RuntimeHints hints = generated.getRuntimeHints();
			assertThat(calls.stream().filter((call) -> !call.matches(hints))).isEmpty();
			assertThat(calls.stream()
				.filter((call) -> !call.matches(new RuntimeHints()))
				.map(RecordedInvocation::toString)).anyMatch((call) -> call.contains(".lua"))
				.anyMatch((call) -> call.contains("Order"))
				.anyMatch((call) -> call.contains("soldOut"));
		}
	}

	private static void sell(ApplicationContextInitializer<GenericApplicationContext> initializer, RedisServer redis) {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			TestPropertyValues.of("spring.data.redis.port=" + redis.port()).applyTo(context);
			initializer.initialize(context);
			context.refresh();
			Stock stock = context.getBean(Stock.class);
			assertThat(stock.sell(new Order("book"))).isEqualTo("stock:book");
			assertThat(stock.count("pen")).isEqualTo("count:<pen>");
			assertThat(stock.claim("cup", 0)).isPositive();
			context.getBean(LockTemplate.class).executeAsync("stock:book", (lock) -> {
				assertThat(stock.tryToSell(new Order("book"))).isEqualTo("none left");
				return java.util.concurrent.CompletableFuture.completedStage(null);
			}).toCompletableFuture().join();
		}
	}

	public record Order(String sku) {

	}

	public static class Names {

		public String of(String text) {
			return "<" + text + ">";
		}

	}

	public static class Stock {

		@DistributedLock(name = "stock", key = "#order.sku")
		public String sell(Order order) {
			return LockContext.current().orElseThrow().key();
		}

		@DistributedLock(name = "count", key = "@'recordedHintsTests.Names'.of(#sku)")
		public String count(String sku) {
			return LockContext.current().orElseThrow().key();
		}

		@DistributedLock(name = "claim", key = "#sku")
		public long claim(String sku, @FencingToken long token) {
			return token;
		}

		@DistributedLock(name = "stock", key = "#order.sku", waitTime = "0s", fallback = "soldOut")
		public String tryToSell(Order order) {
			return "sold";
		}

		String soldOut(Order order) {
			return "none left";
		}

	}

}
