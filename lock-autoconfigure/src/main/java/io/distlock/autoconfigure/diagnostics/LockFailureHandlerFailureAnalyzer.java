package io.distlock.autoconfigure.diagnostics;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.distlock.spring.LockFailureHandler;

/**
 * Explains several failure handlers. It precedes the analyzer of Spring Boot, which finds
 * no component that needs the bean.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LockFailureHandlerFailureAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
		Collection<String> names = cause.getBeanNamesFound();
		if (cause.getBeanType() != LockFailureHandler.class || names == null) {
			return null;
		}
		return new FailureAnalysis(
				"There are " + names.size() + " LockFailureHandler beans and none is primary: "
						+ String.join(", ", names) + ".",
				"Remove all but one, or mark the one to use with @Primary.", cause);
	}

}
