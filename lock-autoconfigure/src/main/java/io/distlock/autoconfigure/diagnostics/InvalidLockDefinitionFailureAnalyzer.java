package io.distlock.autoconfigure.diagnostics;

import java.util.List;
import java.util.stream.Collectors;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.distlock.spring.InvalidLockDefinitionException;

/** Explains which annotated method cannot work, why, and how to fix it. */
final class InvalidLockDefinitionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockDefinitionException> {

	private static final String NEXT = System.lineSeparator() + "  ";

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockDefinitionException cause) {
		List<InvalidLockDefinitionException> all = cause.all();
		if (all.size() == 1) {
			return new FailureAnalysis(place(cause) + " cannot work: " + cause.reason() + ".", cause.fix() + ".",
					cause);
		}
		String each = all.stream()
			.map((one) -> NEXT + "- " + place(one) + ": " + one.reason() + "." + NEXT + "  " + one.fix() + ".")
			.collect(Collectors.joining());
		return new FailureAnalysis(all.size() + " annotated methods cannot work:" + each,
				"Correct each of them: what to change, or what there is to choose from, is listed with it.", cause);
	}

	private static String place(InvalidLockDefinitionException cause) {
		String method = cause.annotation() + " on " + cause.method();
		return cause.bean().isEmpty() ? method : method + " of bean '" + cause.bean() + "'";
	}

}
