package io.distlock.support;

import java.util.HexFormat;

/**
 * Keys of locks as parts of messages. A key may be made of what users sent: in a message
 * it breaks no line, turns no direction of writing, and takes no more than some hundred
 * characters.
 */
public final class KeyText {

	/**
	 * So that usual keys, which are method signatures at the longest, stay as they are.
	 */
	static final int MAX_LENGTH = 256;

	private KeyText() {
	}

	/**
	 * The key for a message.
	 * @param key the lock
	 * @return the key itself, unless it is longer than 256 characters or has some that
	 * cannot be printed: only its beginning with the length of the whole, and those as in
	 * Java
	 */
	public static String of(String key) {
		if (key.length() <= MAX_LENGTH) {
			return escape(key);
		}
		int end = Character.isHighSurrogate(key.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
		return escape(key.substring(0, end)) + "\u2026 (" + key.length() + " characters)";
	}

	private static String escape(String text) {
		if (text.chars().allMatch(KeyText::isPrinted)) {
			return text;
		}
		StringBuilder escaped = new StringBuilder(text.length() + 16);
		text.chars().forEach((c) -> {
			switch (c) {
				case '\n' -> escaped.append("\\n");
				case '\r' -> escaped.append("\\r");
				case '\t' -> escaped.append("\\t");
				default -> {
					if (isPrinted(c)) {
						escaped.append((char) c);
					}
					else {
						escaped.append("\\u").append(HexFormat.of().toHexDigits((char) c));
					}
				}
			}
		});
		return escaped.toString();
	}

	private static boolean isPrinted(int c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
			default -> true;
		};
	}

}
