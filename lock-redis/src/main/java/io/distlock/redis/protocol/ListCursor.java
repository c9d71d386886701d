package io.distlock.redis.protocol;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.distlock.support.ForeignText;

/**
 * Holds the position in a list of locks. Users send the position back, so it may be any
 * text.
 *
 * @param master index of a master of a Cluster, from 0
 * @param position the cursor of its SCAN
 */
record ListCursor(int master, String position) {

	private static final Pattern TEXT = Pattern.compile("([0-9]{1,5}):([0-9]{1,20})");

	/** The cursor of SCAN at its beginning and at its end. */
	private static final String BEGIN = "0";

	static ListCursor parse(String text) {
		if (text.isEmpty()) {
			return new ListCursor(0, BEGIN);
		}
		Matcher matcher = TEXT.matcher(text);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("'" + ForeignText.of(text)
					+ "' is no cursor of a list of locks: pass on what the page before returned, or begin without one");
		}
		return new ListCursor(Integer.parseInt(matcher.group(1)), matcher.group(2));
	}

	/**
	 * Returns where the list continues.
	 * @param next the cursor that SCAN returned
	 * @param masters how many masters there are
	 * @return the cursor, empty after the last master
	 */
	String after(String next, int masters) {
		if (!next.equals(BEGIN)) {
			return this.master + ":" + next;
		}
		return (this.master + 1 < masters) ? (this.master + 1) + ":" + BEGIN : "";
	}

}
