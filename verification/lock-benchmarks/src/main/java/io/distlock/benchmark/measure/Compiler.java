package io.distlock.benchmark.measure;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;

import com.sun.management.HotSpotDiagnosticMXBean;

/**
 * What the JVM compiles with. A lock that is used now and then sees the first one only.
 */
public enum Compiler {

	/** All compilers, the default. */
	ALL("default", ""),

	/** The first compiler only: fast code at once, never the fastest. */
	FIRST("first compiler only", "-c1");

	private static final String OPTION = "TieredStopAtLevel";

	private static final String FIRST_ONLY = "1";

	private final String label;

	private final String suffix;

	Compiler(String label, String suffix) {
		this.label = label;
		this.suffix = suffix;
	}

	/**
	 * Asks this JVM, so that an option of the environment counts too.
	 * @return what it compiles with
	 */
	public static Compiler current() {
		String level = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
			.getVMOption(OPTION)
			.getValue();
		return level.equals(FIRST_ONLY) ? FIRST : ALL;
	}

	/**
	 * Finds a compiler by its name in tables.
	 * @param label the name
	 * @return the compiler
	 * @throws IllegalArgumentException if none has that name
	 */
	public static Compiler of(String label) {
		return Stream.of(values())
			.filter((one) -> one.label.equals(label))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"No compiler '" + label + "' among " + Stream.of(values()).map(Compiler::label).toList()));
	}

	/**
	 * Name in tables.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Ends the name of a file of samples.
	 * @return the end, without the extension
	 */
	public String suffix() {
		return this.suffix;
	}

	/**
	 * Options of a JVM that shall compile in this way.
	 * @return the options
	 */
	public List<String> options() {
		return (this == FIRST) ? List.of("-XX:" + OPTION + "=" + FIRST_ONLY) : List.of();
	}

}
