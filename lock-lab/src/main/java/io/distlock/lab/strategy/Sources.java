package io.distlock.lab.strategy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** What the page shows of the code: the build copies the classes next to their files. */
final class Sources {

	private static final Pattern SCRIPT = Pattern.compile("script\\(\"(\\w+\\.lua)\"\\)");

	private static final Pattern BUY = Pattern.compile("customer\\.(buy\\w*)\\(");

	private Sources() {
	}

	static String java(Class<?> type) {
		return read("/lab-source/" + type.getSimpleName() + ".java");
	}

	/** Reads the scripts that a class asks for. */
	static List<Source> scripts(String java) {
		return SCRIPT.matcher(java).results().map((found) -> found.group(1)).map(Sources::script).toList();
	}

	static Source script(String name) {
		return new Source(name, read("/lab/" + name));
	}

	/** Finds the method of the customer that a strategy calls. */
	static @Nullable Source buy(String java) {
		Matcher called = BUY.matcher(java);
		if (!called.find()) {
			return null;
		}
		String name = called.group(1);
		String customer = read("/lab-source/NodeCustomer.java");
		// All methods end like this one, and no block inside of them does.
		Matcher method = Pattern.compile("\\tpublic boolean " + name + "\\(.*?\\n\\t}\\n", Pattern.DOTALL)
			.matcher(customer);
		if (!method.find()) {
			throw new IllegalStateException("A customer has no method " + name);
		}
		return new Source(name, method.group().indent(-1));
	}

	private static String read(String file) {
		try (InputStream in = Sources.class.getResourceAsStream(file)) {
			if (in == null) {
				throw new IllegalStateException("The build did not copy " + file);
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + file, ex);
		}
	}

}
