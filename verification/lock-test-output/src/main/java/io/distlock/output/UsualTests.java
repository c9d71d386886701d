package io.distlock.output;

import java.util.Optional;

import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Leaves out of the usual build what only the full proof runs: tests with the tag
 * {@code ci}, and {@link Mutants} of what did not change.
 * <p>
 * Does nothing unless the system property {@code test.scope} is {@code usual}, as the
 * build sets it, nor for a build that names its tests.
 */
public final class UsualTests implements PostDiscoveryFilter {

	private static final TestTag CI = TestTag.create("ci");

	private final boolean active;

	private final Changes changes;

	/** Created by JUnit. */
	public UsualTests() {
		this("usual".equals(System.getProperty("test.scope")) && System.getProperty("test") == null
				&& System.getProperty("groups") == null, new Changes());
	}

	UsualTests(boolean active, Changes changes) {
		this.active = active;
		this.changes = changes;
	}

	@Override
	public FilterResult apply(TestDescriptor test) {
		if (!this.active) {
			return FilterResult.included("All tests run");
		}
		if (test.getTags().contains(CI)) {
			return FilterResult.excluded("Only the full proof runs it");
		}
		return FilterResult.includedIf(mutants(test).map((mutants) -> this.changes.concern(mutants.of())).orElse(true));
	}

	/** Of the method, or else of its class. */
	private static Optional<Mutants> mutants(TestDescriptor test) {
		TestSource source = test.getSource().orElse(null);
		if (source instanceof MethodSource method) {
			return AnnotationSupport.findAnnotation(method.getJavaMethod(), Mutants.class)
				.or(() -> AnnotationSupport.findAnnotation(method.getJavaClass(), Mutants.class));
		}
		return (source instanceof ClassSource type)
				? AnnotationSupport.findAnnotation(type.getJavaClass(), Mutants.class) : Optional.empty();
	}

}
