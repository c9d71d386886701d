package io.distlock.support;

import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * Text that this library did not write, as a part of its messages and log lines: names of
 * threads and callers, also those of other processes, messages of servers and of other
 * libraries, and what was read from a store. In a message it cannot break a line, move
 * the cursor or change the direction of writing, and its length is bounded.
 */
public final class ForeignText {

	/**
	 * So that usual keys and names, which are method signatures at the longest, stay as
	 * they are.
	 */
	static final int LONGEST_NAME = 256;

	/** A message may name several keys and holders. */
	static final int LONGEST_MESSAGE = 2048;

	private ForeignText() {
	}

	/**
	 * Returns a name, a key or another short text for a message.
	 * @param text the text
	 * @return the text itself, unless it is longer than 256 characters or has some that
	 * cannot be printed: only its beginning with the length of the whole, and those as in
	 * Java
	 */
	public static String of(String text) {
		return of(text, LONGEST_NAME);
	}

	/**
	 * Returns the name of a thread for a message. Servers put the request into it.
	 * @param thread the thread
	 * @return its name, as {@link #of(String)} returns it
	 */
	public static String nameOf(Thread thread) {
		return of(thread.getName());
	}

	/**
	 * Returns what an exception says for a message of ours.
	 * @param failure the exception
	 * @return its message without unprintable characters and with at most 2,048
	 * characters; without a message its class
	 */
	public static String messageOf(Throwable failure) {
		String message = failure.getMessage();
		return (message != null) ? of(message, LONGEST_MESSAGE) : failure.getClass().getSimpleName();
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

	/** Called for each acquisition, nearly always with ASCII. */
	private static boolean isPrinted(String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c < ' ' || c > '~') {
				return text.codePoints().skip(i).allMatch(ForeignText::isPrinted);
			}
		}
		return true;
	}

	/** Half a surrogate pair is none: a log cannot encode it. */
	private static boolean isPrinted(int c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				false;
			default -> true;
		};
	}

}
