package io.distlock.reliability.rig;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a worker is started with, as {@code name=value}. */
public final class WorkerOptions {

	private final Map<String, String> values;

	private WorkerOptions(Map<String, String> values) {
		this.values = values;
	}

	/**
	 * Lettuce, two threads, a lease of 1 s that is renewed, a poll interval of 100 ms.
	 */
	public static WorkerOptions defaults() {
		return new WorkerOptions(Map.of("client", "lettuce", "threads", "2", "lease", "1000", "fixed", "false", "poll",
				"100", "timeout", "300", "lock", "real", "interrupts", "false"));
	}

	static WorkerOptions parse(String[] arguments) {
		WorkerOptions options = defaults();
		for (String argument : arguments) {
			int at = argument.indexOf('=');
			options = options.with(argument.substring(0, at), argument.substring(at + 1));
		}
		return options;
	}

	/** Changes one of them. */
	public WorkerOptions with(String name, Object value) {
		Map<String, String> changed = new HashMap<>(this.values);
		changed.put(name, value.toString());
		return new WorkerOptions(changed);
	}

	String[] arguments() {
		List<String> arguments = new ArrayList<>();
		this.values.forEach((name, value) -> arguments.add(name + "=" + value));
		return arguments.toArray(String[]::new);
	}

	/** JVM arguments, separated by blanks. */
	List<String> jvm() {
		String text = this.values.getOrDefault("jvm", "");
		return text.isEmpty() ? List.of() : Arrays.asList(text.split(" "));
	}

	/** Environment variables, {@code name=value} separated by blanks. */
	Map<String, String> environment() {
		Map<String, String> environment = new HashMap<>();
		for (String pair : this.values.getOrDefault("environment", "").split(" ")) {
			int at = pair.indexOf('=');
			if (at > 0) {
				environment.put(pair.substring(0, at), pair.substring(at + 1));
			}
		}
		return environment;
	}

	String text(String name) {
		return this.values.get(name);
	}

	String text(String name, String otherwise) {
		return this.values.getOrDefault(name, otherwise);
	}

	boolean flag(String name) {
		return Boolean.parseBoolean(text(name));
	}

	int number(String name) {
		return Integer.parseInt(text(name));
	}

	Duration millis(String name) {
		return Duration.ofMillis(number(name));
	}

	Path directory() {
		return Path.of(text("directory"));
	}

}
