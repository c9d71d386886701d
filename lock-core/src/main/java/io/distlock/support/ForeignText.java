package io.distlock.support;

import java.util.HexFormat;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Makes text that this library did not write safe for its messages and log lines. Such
 * text is a name of a thread or a caller, even of another process, a message of a server
 * or of another library, or what was read from a store. In a message the result cannot
 * break a line, move the cursor or change the direction of writing, and its length is
 * bounded.
 */
public final class ForeignText {

	/**
	 * Long enough to leave usual keys and names unchanged. The longest of them are method
	 * signatures.
	 */
	static final int LONGEST_NAME = 256;

	/** A message may name several keys and holders. */
	static final int LONGEST_MESSAGE = 2048;

	private ForeignText() {
	}

	/**
	 * Returns a name, a key or another short text for a message.
	 * @param text the text
	 * @return the text itself; a text of more than 256 characters is cut and followed by
	 * its full length, and unprintable characters are escaped as in Java
	 */
	public static String of(String text) {
		return of(text, LONGEST_NAME);
	}

	/**
	 * Returns the name of a thread for a message. Some servers put the request into this
	 * name.
	 * @param thread the thread
	 * @return its name, as {@link #of(String)} returns it
	 */
	public static String nameOf(Thread thread) {
		return of(thread.getName());
	}

	/**
	 * Returns the message of an exception for a message of this library. Its lines, which
	 * are indented as a driver likes, become one.
	 * @param failure the exception
	 * @return its message without unprintable characters and with at most 2,048
	 * characters; its class if it has no message
	 */
	public static String messageOf(Throwable failure) {
		String message = failure.getMessage();
		return (message != null) ? of(inOneLine(message), LONGEST_MESSAGE) : failure.getClass().getSimpleName();
	}

	private static String inOneLine(String text) {
		return (text.indexOf('\n') < 0) ? text
				: text.lines().map(String::strip).filter((line) -> !line.isEmpty()).collect(Collectors.joining(" "));
	}

	/**
	 * Returns what a remote side sent, for a message.
	 * @param content any text, possibly a long one
	 * @return the text without unprintable characters and with at most 2,048 characters
	 */
	public static String content(@Nullable String content) {
		return of(String.valueOf(content), LONGEST_MESSAGE);
	}

	private static String of(String text, int longest) {
		if (text.length() <= longest) {
			return escape(text);
		}
		int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
		return escape(text.substring(0, end)) + "\u2026 (" + text.length() + " characters)";
	}

	private static String escape(String text) {
		if (isPrinted(text)) {
			return text;
		}
		StringBuilder escaped = new StringBuilder(text.length() + 16);
		text.codePoints().forEach((c) -> {
			switch (c) {
				case '\n' -> escaped.append("\\n");
				case '\r' -> escaped.append("\\r");
				case '\t' -> escaped.append("\\t");
				default -> {
					if (isPrinted(c)) {
						escaped.appendCodePoint(c);
					}
					else {
						for (char unit : Character.toChars(c)) {
							escaped.append("\\u").append(HexFormat.of().toHexDigits(unit));
						}
					}
				}
			}
		});
		return escaped.toString();
	}

	/** Is called for each acquisition, nearly always with ASCII. */
	private static boolean isPrinted(String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c < ' ' || c > '~') {
				return text.codePoints().skip(i).allMatch(ForeignText::isPrinted);
			}
		}
		return true;
	}

	/**
	 * Returns {@code false} for half a surrogate pair, because a log cannot encode it.
	 */
	private static boolean isPrinted(int c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				false;
			default -> true;
		};
	}

}
