package io.distlock.redis.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Lists the scripts of a lock, one for each verb of the protocol, with the digests by
 * which Redis names them. A test compares the digests with the texts: to compute them
 * would take some percent of what locks add to the start of an application.
 */
public enum LockScript {

	ACQUIRE("1705b002197e0ce1ede33d401a5ba7443b2b6659"),

	FINISH("6c5cc1d809ab23f3dd817de7c69b430757b66305"),

	RENEW("abb877232772ac26456808501a6afff38e6afed0"),

	INSPECT("94db4f2d7651cd16a06f7c673b9a6556d8031d55"),

	RAISE_TOKEN("a5d1b603b52eb3a73ea4e6e8a6e7683b1304ed42"),

	FORCE_RELEASE("d39df0b8bd8da2f81ef7040ca5bf9048b17d58e1"),

	LIST("7f92faaf38f5aaa720b656bc23f045a0b8973232");

	private static final String INCLUDE = "-- @include ";

	private static final String COMMENT = "--";

	private final String text;

	private final byte[] encodedSha;

	/** Reads the text at once, because a thread that sends it must not read files. */
	LockScript(String sha) {
		this.text = read("verbs/" + name().toLowerCase(Locale.ROOT) + ".lua");
		this.encodedSha = sha.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Returns the text of the script.
	 * @return the text
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Returns the digest by which EVALSHA runs the script, as the bytes to send.
	 * @return the SHA-1 digest of the text in hexadecimal; the caller must not change the
	 * bytes
	 */
	public byte[] encodedSha() {
		return this.encodedSha;
	}

	/**
	 * Assembles a script. It replaces a line such as {@code -- @include steps/clock.lua}
	 * by the text of that file. A function would cost more, because the server would
	 * create it in every call. Comment lines are left out.
	 * @param file path of the script in the folder of the protocol
	 * @return the text
	 */
	public static String read(String file) {
		StringBuilder text = new StringBuilder();
		assemble(file, text);
		return text.toString();
	}

	/**
	 * Avoids regular expressions, which would take much of an application's start time.
	 */
	private static void assemble(String file, StringBuilder text) {
		String source = resource(file);
		int end;
		for (int begin = 0; begin < source.length(); begin = end) {
			end = source.indexOf('\n', begin) + 1;
			if (end == 0) {
				throw new IllegalStateException("The lock-redis jar is damaged: " + file + " ends within a line");
			}
			String line = source.substring(begin, end).strip();
			if (line.startsWith(INCLUDE)) {
				assemble(line.substring(INCLUDE.length()), text);
				text.append('\n');
			}
			else if (!line.startsWith(COMMENT)) {
				text.append(source, begin, end);
			}
		}
	}

	private static String resource(String file) {
		try (InputStream in = LockScript.class.getResourceAsStream(file)) {
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
