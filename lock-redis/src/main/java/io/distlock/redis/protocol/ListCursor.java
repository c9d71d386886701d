package io.distlock.redis.protocol;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.distlock.support.ForeignText;

/**
 * The position in a list of locks. Users send it back, so it may be any text.
 *
 * @param master which master of a Cluster, from 0
 * @param position the cursor of its SCAN
 */
record ListCursor(int master, String position) {

	private static final Pattern TEXT = Pattern.compile("([0-9]{1,5}):([0-9]{1,20})");

	/** The cursor with which SCAN begins, and ends. */
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
	 * Returns where to go on.
	 * @param next what SCAN returned
	 * @param masters how many there are
	 * @return the cursor, empty if this was the last master
	 */
	String after(String next, int masters) {
		if (!next.equals(BEGIN)) {
			return this.master + ":" + next;
		}
		return (this.master + 1 < masters) ? (this.master + 1) + ":" + BEGIN : "";
	}

}
