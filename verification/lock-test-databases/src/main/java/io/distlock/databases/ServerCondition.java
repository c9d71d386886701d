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
public final class ServerCondition implements ExecutionCondition {

	/** The property: {@code required} fails where a server is missing. */
	static final String PROPERTY = "test.servers";

	/** How the reason of a test begins that a missing server leaves out. */
	static final String LEFT_OUT = "missing on this machine: ";

	/** Created by JUnit. */
	ServerCondition() {
	}

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

	/**
	 * Leaves a test out because what it starts is missing. The last step of the build
	 * accepts such a test, and no other that did not run.
	 * @param reason what is missing, and what to install
	 * @throws IllegalStateException if the build requires all servers
	 */
	public static ConditionEvaluationResult missing(String reason) {
		return missing(reason, System.getProperty(PROPERTY, ""));
	}

	static ConditionEvaluationResult missing(String reason, String wanted) {
		if ("required".equals(wanted)) {
			throw new IllegalStateException(reason);
		}
		return ConditionEvaluationResult.disabled(LEFT_OUT + reason);
	}

	private static boolean isOnPath(String command) {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator)))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, command)));
	}

}
