package io.distlock.autoconfigure.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.distlock.autoconfigure.LockConfigurationException;

/**
 * Explains invalid configuration. It precedes the analyzer of failed bindings, which
 * would show only the wrapped message.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LockConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<LockConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, LockConfigurationException cause) {
		return new FailureAnalysis(cause.description(), cause.action(), cause);
	}

}
