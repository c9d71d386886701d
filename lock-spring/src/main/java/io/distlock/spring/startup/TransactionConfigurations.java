package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

import io.distlock.spring.CommitCheck;
import io.distlock.spring.intercept.CommitGuard;
import io.distlock.spring.intercept.ReactiveCommitGuard;

/** Imports the beans for transactions if Spring's transactions are present. */
final class TransactionConfigurations implements ImportSelector {

	private static final String TRANSACTIONS = "org.springframework.transaction.TransactionExecutionListener";

	private static final List<String> REACTIVE = List
		.of("org.springframework.transaction.reactive.TransactionalOperator", "reactor.core.publisher.Flux");

	private final ClassLoader classLoader;

	TransactionConfigurations(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importing) {
		List<String> imports = new ArrayList<>();
		if (isPresent(TRANSACTIONS)) {
			imports.add(Blocking.class.getName());
			if (REACTIVE.stream().allMatch(this::isPresent)) {
				imports.add(Reactive.class.getName());
			}
		}
		return imports.toArray(String[]::new);
	}

	private boolean isPresent(String type) {
		return ClassUtils.isPresent(type, this.classLoader);
	}

	/** Imports the beans for transactions that belong to a thread. */
	@Configuration(proxyBeanMethods = false)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static class Blocking {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static CommitGuard distributedLockCommitGuard(AnnotationSettings settings, ObjectProvider<CommitCheck> checks) {
			return new CommitGuard(settings.commitGuard(), () -> checks.orderedStream().toList());
		}

	}

	/** Imports the beans for transactions that belong to a subscription. */
	@Configuration(proxyBeanMethods = false)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static class Reactive {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static ReactiveCommitGuard distributedLockReactiveCommitGuard(AnnotationSettings settings) {
			return new ReactiveCommitGuard(settings.commitGuard(), settings.order());
		}

	}

}
