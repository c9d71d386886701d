package io.distlock.lab.jvm;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How to start another JVM with the Java and the classes of this one. It is to start
 * quickly and to take little memory; options of this JVM are not passed on.
 */
public final class JavaCommand {

	private JavaCommand() {
	}

	/**
	 * Returns the command.
	 * @param application the class with the {@code main} method; a packaged application
	 * starts its own
	 * @param options further options of the JVM
	 * @param args arguments of the {@code main} method
	 * @return the words of the command
	 */
	public static List<String> of(Class<?> application, List<String> options, List<String> args) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Xshare:auto"));
		command.addAll(options);
		String classPath = System.getProperty("java.class.path");
		// A packaged application has nothing but itself on its class path.
		command.addAll(classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)
				? List.of("-jar", classPath) : List.of("-cp", classPath, application.getName()));
		command.addAll(args);
		return command;
	}

}
