package io.distlock.aot;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.OnBusy;
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

/**
 * Spring's agent for hints records what the library and key expressions do by reflection,
 * and which resources they read, while an application runs on what Spring generated: a
 * native image would have to be told of each.
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
			List<RecordedInvocation> needed = calls.stream().filter((call) -> !isNeedless(call)).toList();
			assertThat(needed).allMatch((call) -> call.matches(hints));
			assertThat(needed).filteredOn((call) -> !call.matches(new RuntimeHints()))
				.extracting(RecordedInvocation::toString)
				.anyMatch((call) -> call.contains(".lua"))
				.anyMatch((call) -> call.contains("Order"))
				.anyMatch((call) -> call.contains("RecordedHintsTests.Names"));
		}
	}

	/**
	 * A bean without a lock has no methods to find, and an image has no class files,
	 * which the check for calls within a bean takes for an answer.
	 */
	private static boolean isNeedless(RecordedInvocation call) {
		String caller = call.getStackFrames().findFirst().orElseThrow().getClassName();
		return caller.equals("io.distlock.spring.startup.SelfInvocationCheck")
				|| caller.equals("io.distlock.spring.definition.LockAnnotations")
						&& !call.getInstance().equals(Stock.class);
	}

	private static void sell(ApplicationContextInitializer<GenericApplicationContext> initializer, RedisServer redis) {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			TestPropertyValues.of("spring.data.redis.port=" + redis.port(), "distributed-lock.command-timeout=10s")
				.applyTo(context);
			initializer.initialize(context);
			context.refresh();
			Stock stock = context.getBean(Stock.class);
			assertThat(stock.sell(new Order("book"))).isEqualTo("stock:book");
			assertThat(stock.count("pen")).isEqualTo("count:<pen>");
			assertThat(stock.claim("cup", 0)).isPositive();
			// Of no thread, so not reentrant.
			try (LockHandle other = context.getBean(LockTemplate.class)
				.acquireAsync(LockRequest.of("stock:book"))
				.toCompletableFuture()
				.join()) {
				assertThat(stock.tryToSell(new Order("book"))).isEqualTo("none left");
			}
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

		@DistributedLock(name = "stock", key = "#order.sku", waitTime = "0s", onBusy = OnBusy.FALLBACK,
				fallback = "soldOut")
		public String tryToSell(Order order) {
			return "sold";
		}

		String soldOut(Order order) {
			return "none left";
		}

	}

}
