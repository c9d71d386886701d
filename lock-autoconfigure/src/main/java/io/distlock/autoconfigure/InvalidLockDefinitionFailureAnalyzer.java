package io.distlock.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.distlock.spring.InvalidLockDefinitionException;

/** Tells which annotated method cannot work, why, and what to do. */
final class InvalidLockDefinitionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockDefinitionException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockDefinitionException cause) {
		String place = cause.bean().isEmpty() ? cause.method() : cause.method() + " of bean '" + cause.bean() + "'";
		return new FailureAnalysis("@DistributedLock on " + place + " cannot work: " + cause.reason() + ".",
				cause.fix() + ".", cause);
	}

}
