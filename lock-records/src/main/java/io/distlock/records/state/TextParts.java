package io.distlock.records.state;

import java.util.HexFormat;

/**
 * Writes and reads the parts of a line of printable ASCII. A separator follows each part.
 * A special character is written as {@code %} and four hexadecimal digits.
 */
public final class TextParts {

	private static final char SEPARATOR = ';';

	private static final char LINE = '|';

	private static final char ESCAPE = '%';

	private static final int DIGITS = 4;

	private final String text;

	private int next;

	/**
	 * Starts to read.
	 * @param text the line
	 */
	public TextParts(String text) {
		this.text = text;
	}

	/**
	 * Writes a part.
	 * @param line gets the part and a separator
	 * @param part any text
	 * @param longest the length at which the part is cut
	 */
	public static void write(StringBuilder line, String part, int longest) {
		for (int i = 0; i < Math.min(part.length(), longest); i++) {
			char c = part.charAt(i);
			if (c < ' ' || c > '~' || c == SEPARATOR || c == LINE || c == ESCAPE) {
				line.append(ESCAPE).append(HexFormat.of().toHexDigits(c));
			}
			else {
				line.append(c);
			}
		}
		line.append(SEPARATOR);
	}

	/**
	 * Writes a number.
	 * @param line gets the number and a separator
	 * @param number the number
	 */
	public static void write(StringBuilder line, long number) {
		line.append(number).append(SEPARATOR);
	}

	/**
	 * Returns the next part.
	 * @return the part as it was written
	 * @throws IllegalArgumentException if there is no further part, or it cannot be read
	 */
	public String text() {
		int end = this.text.indexOf(SEPARATOR, this.next);
		if (end < 0) {
			throw new IllegalArgumentException("A part is missing");
		}
		String part = this.text.substring(this.next, end);
		this.next = end + 1;
		return (part.indexOf(ESCAPE) < 0) ? part : unescape(part);
	}

	/**
	 * Returns whether all parts were read.
	 * @return {@code true} if there is no further part
	 */
	public boolean isOver() {
		return this.next >= this.text.length();
	}

	/**
	 * Returns the next part as a number.
	 * @return the number
	 * @throws IllegalArgumentException if the part is not a number
	 */
	public long number() {
		return Long.parseLong(text());
	}

	private static String unescape(String part) {
		StringBuilder plain = new StringBuilder(part.length());
		int i = 0;
		while (i < part.length()) {
			char c = part.charAt(i++);
			if (c == ESCAPE) {
				if (part.length() < i + DIGITS) {
					throw new IllegalArgumentException("An escaped character is cut off");
				}
				plain.append((char) HexFormat.fromHexDigits(part, i, i + DIGITS));
				i += DIGITS;
			}
			else {
				plain.append(c);
			}
		}
		return plain.toString();
	}

}
