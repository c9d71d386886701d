package io.distlock.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.distlock.benchmark.measure.Compiler;

/**
 * Scenarios that run in one JVM.
 *
 * @param java the command that starts a JVM
 * @param compiler what it compiles with
 * @param arguments scenarios and options
 * @param limit how long it may take; what it measured until then is kept
 */
record Step(String java, Compiler compiler, List<String> arguments, Duration limit) {

	/** A step with arguments as they are typed. */
	static Step of(String java, Compiler compiler, Duration limit, String arguments) {
		return new Step(java, compiler, List.of(arguments.split(" ")), limit);
	}

	/** The same with more options: where one is given twice, the last one counts. */
	Step with(Map<String, String> options) {
		List<String> more = new ArrayList<>(this.arguments);
		options.forEach((name, value) -> more.addAll(Arrays.asList("--" + name, value)));
		return new Step(this.java, this.compiler, List.copyOf(more), this.limit);
	}

	List<String> command() {
		List<String> command = new ArrayList<>(List.of(this.java));
		command.addAll(this.compiler.options());
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), Benchmarks.class.getName()));
		command.addAll(this.arguments);
		return command;
	}

	@Override
	public String toString() {
		return String.join(" ", this.arguments) + ", " + this.compiler.label();
	}

}
