package io.distlock.spring.startup;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

import io.distlock.spring.CommitCheck;
import io.distlock.spring.intercept.CommitGuard;
import io.distlock.spring.intercept.ReactiveCommitGuard;

/** Registers the beans for transactions if Spring's transactions are present. */
final class TransactionRegistrar implements ImportBeanDefinitionRegistrar {

	private static final String TRANSACTIONS = "org.springframework.transaction.TransactionExecutionListener";

	private static final List<String> REACTIVE = List
		.of("org.springframework.transaction.reactive.TransactionalOperator", "reactor.core.publisher.Flux");

	private final ClassLoader classLoader;

	TransactionRegistrar(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
		if (isPresent(TRANSACTIONS)) {
			register(registry, "distributedLockCommitGuard", Blocking.class);
			if (REACTIVE.stream().allMatch(this::isPresent)) {
				register(registry, "distributedLockReactiveCommitGuard", Reactive.class);
			}
		}
	}

	private boolean isPresent(String type) {
		return ClassUtils.isPresent(type, this.classLoader);
	}

	private static void register(BeanDefinitionRegistry registry, String bean, Class<?> factory) {
		registry.registerBeanDefinition(bean,
				BeanDefinitionBuilder.rootBeanDefinition(factory, "guard")
					.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR)
					.setRole(BeanDefinition.ROLE_INFRASTRUCTURE)
					.getBeanDefinition());
	}

	/** Creates the guard of transactions that belong to a thread. */
	static final class Blocking {

		private Blocking() {
		}

		static CommitGuard guard(AnnotationSettings settings, ObjectProvider<CommitCheck> checks) {
			return new CommitGuard(settings.commitGuard(), () -> checks.orderedStream().toList());
		}

	}

	/** Creates the guard of transactions that belong to a subscription. */
	static final class Reactive {

		private Reactive() {
		}

		static ReactiveCommitGuard guard(AnnotationSettings settings) {
			return new ReactiveCommitGuard(settings.commitGuard(), settings.order());
		}

	}

}
