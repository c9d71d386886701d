package io.distlock.databases;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides on {@link NeedsServer}; the reason is printed by lock-test-output. */
final class ServerCondition implements ExecutionCondition {

	/** The property: {@code required} fails where a server is missing. */
	static final String PROPERTY = "test.servers";

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return AnnotationSupport.findAnnotation(context.getElement(), NeedsServer.class)
			.map((server) -> evaluate(server, System.getProperty(PROPERTY, ""), ServerCondition::isOnPath))
			.orElseGet(() -> ConditionEvaluationResult.enabled("No server is named"));
	}

	static ConditionEvaluationResult evaluate(NeedsServer server, String wanted, Predicate<String> present) {
		String missing = Stream.of(server.commands()).filter(present.negate()).collect(Collectors.joining(", "));
		if (missing.isEmpty()) {
			return ConditionEvaluationResult.enabled(String.join(", ", server.commands()) + " found");
		}
		return missing("not on the PATH: " + missing + "; install " + server.debianPackages(), wanted);
	}

	static ConditionEvaluationResult missing(String reason, String wanted) {
		if ("required".equals(wanted)) {
			throw new IllegalStateException(reason);
		}
		return ConditionEvaluationResult.disabled(reason);
	}

	private static boolean isOnPath(String command) {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator)))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, command)));
	}

}
