package io.distlock.redis.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads scripts. A line {@code -- @include step.lua} stands for the text of that file: a
 * step that is put in costs the server nothing, a function would have to be created each
 * time.
 */
public final class ScriptText {

	private static final Pattern INCLUDE = Pattern.compile("(?m)^ *-- @include (\\S+)$");

	private ScriptText() {
	}

	public static String read(String file) {
		return INCLUDE.matcher(readPlain(file))
			.replaceAll((include) -> Matcher.quoteReplacement(read(include.group(1))));
	}

	private static String readPlain(String file) {
		try (InputStream in = ScriptText.class.getResourceAsStream("/io/distlock/redis/" + file)) {
			if (in == null) {
				throw new IllegalStateException("The lock-redis jar is incomplete: " + file + " is missing");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + file, ex);
		}
	}

}
