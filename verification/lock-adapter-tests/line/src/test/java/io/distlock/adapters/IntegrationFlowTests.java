package io.distlock.adapters;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

import io.distlock.LockTemplate;
import io.distlock.spring.integration.LockTemplateLockRegistry;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessagingException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Flows of Spring Integration in two instances that share messages and locks. */
class IntegrationFlowTests {

	private static final int PARTS = 20;

	/** As a store in a database, but in this process. It has no locks of its own. */
	private static final SimpleMessageStore MESSAGES = new SimpleMessageStore();

	private static final Queue<List<?>> COMPLETE = new ConcurrentLinkedQueue<>();

	private static final Account ACCOUNT = new Account();

	private static ConfigurableApplicationContext one;

	private static ConfigurableApplicationContext two;

	@BeforeAll
	static void start() {
		one = AdapterContract.start(Orders.class);
		two = AdapterContract.start(Orders.class);
	}

	@AfterAll
	static void stop() {
		two.close();
		one.close();
	}

	@Test
	void partsOfOneGroupAtTwoInstancesThenReleasedOnceWithAll() throws Exception {
		List<TestThreads.Task<Void>> all = Stream.of(one, two, one, two)
			.map((instance) -> TestThreads.runInThread(() -> {
				for (int part = 0; part < PARTS / 4; part++) {
					send(instance, "parts", "part");
				}
			}))
			.toList();
		for (TestThreads.Task<Void> task : all) {
			TestThreads.get(task);
		}
		assertThat(COMPLETE).extracting(List::size).containsExactly(PARTS);
	}

	private static void send(ConfigurableApplicationContext instance, String channel, Object payload) {
		Message<?> message = MessageBuilder.withPayload(payload).setHeader("order", "42").build();
		instance.getBean(channel, MessageChannel.class).send(message);
	}

	@Test
	void handlersOfTwoInstancesWithAdviceThenOneAtATime() throws Exception {
		int before = ACCOUNT.amount();
		List<TestThreads.Task<Void>> all = Stream.of(one, two, one, two)
			.map((instance) -> TestThreads.runInThread(() -> {
				for (int i = 0; i < 10; i++) {
					send(instance, "deposits", "one");
				}
			}))
			.toList();
		for (TestThreads.Task<Void> task : all) {
			TestThreads.get(task);
		}
		assertThat(ACCOUNT.amount() - before).isEqualTo(40);
	}

	@Test
	void handlerWithAdviceWhenTheKeyIsNoTextThenItDoesNotRun() {
		int before = ACCOUNT.amount();
		assertThatExceptionOfType(MessagingException.class)
			.isThrownBy(() -> one.getBean("numbered", MessageChannel.class)
				.send(MessageBuilder.withPayload("one").setHeader("order", 42).build()))
			.withStackTraceContaining("must be a String that is not blank, was a java.lang.Integer");
		assertThat(ACCOUNT.amount()).isEqualTo(before);
	}

	@Test
	void registryOfTheApplicationThenIsKept() {
		try (ConfigurableApplicationContext own = AdapterContract.start(OwnRegistry.class)) {
			assertThat(own.getBean(LockRegistry.class)).isInstanceOf(DefaultLockRegistry.class);
		}
	}

	@Test
	void registriesWithOtherNamesThenOtherLocks() {
		LockTemplate locks = one.getBean(LockTemplate.class);
		Lock lock = new LockTemplateLockRegistry(locks, "files").obtain("42");
		lock.lock();
		assertThat(locks.isLocked("files:42")).isTrue();
		assertThat(locks.isLocked("integration:42")).isFalse();
		lock.unlock();
	}

	@Import({ AdapterContract.Application.class, SharedMemory.class })
	@EnableIntegration
	static class Orders {

		@Bean
		IntegrationFlow aggregation(LockRegistry registry) {
			return IntegrationFlow.from("parts")
				.aggregate((aggregator) -> aggregator.messageStore(MESSAGES)
					.lockRegistry(registry)
					.expireGroupsUponCompletion(true)
					.correlationStrategy((message) -> message.getHeaders().get("order"))
					.releaseStrategy((group) -> group.size() == PARTS))
				.handle((message) -> COMPLETE.add((List<?>) message.getPayload()))
				.get();
		}

		// tag::advice[]
		@Bean
		IntegrationFlow depositing(LockRegistry registry) {
			return IntegrationFlow.from("deposits")
				.handle((message) -> ACCOUNT.add(),
						(endpoint) -> endpoint.advice(new LockRequestHandlerAdvice(registry,
								(Message<?> message) -> message.getHeaders().get("order", String.class))))
				.get();
		}
		// end::advice[]

		@Bean
		IntegrationFlow numbering(LockRegistry registry) {
			return IntegrationFlow.from("numbered")
				.handle((message) -> ACCOUNT.add(),
						(endpoint) -> endpoint.advice(new LockRequestHandlerAdvice(registry,
								(Message<?> message) -> message.getHeaders().get("order"))))
				.get();
		}

	}

	@Import({ AdapterContract.Application.class, SharedMemory.class })
	static class OwnRegistry {

		@Bean
		LockRegistry ownRegistry() {
			return new DefaultLockRegistry();
		}

	}

}
