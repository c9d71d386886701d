package io.distlock.output;

import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Leaves out of the usual build what only the full proof runs: tests with the tag
 * {@code ci}, as {@link Mutants} have it.
 * <p>
 * Does nothing unless the system property {@code test.scope} is {@code usual}, as the
 * build sets it, nor for a build that names its tests.
 */
public final class UsualTests implements PostDiscoveryFilter {

	private static final TestTag CI = TestTag.create("ci");

	private final boolean active;

	/** Created by JUnit. */
	public UsualTests() {
		this("usual".equals(System.getProperty("test.scope")) && System.getProperty("test") == null
				&& System.getProperty("groups") == null);
	}

	UsualTests(boolean active) {
		this.active = active;
	}

	@Override
	public FilterResult apply(TestDescriptor test) {
		return FilterResult.includedIf(!this.active || !test.getTags().contains(CI), () -> "The build runs it",
				() -> "Only the full proof runs it");
	}

}
