package io.distlock.redlock;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.distlock.support.ForeignText;

/**
 * Holds the position in a list of the locks of a quorum. Users send the position back, so
 * it may be any text.
 *
 * @param node index of the node that is listed next, from 0
 * @param skipped one bit for each node that did not answer
 * @param position where the list of that node continues; empty at its beginning
 */
record QuorumCursor(int node, BigInteger skipped, String position) {

	private static final Pattern TEXT = Pattern.compile("([0-9]{1,4}):([0-9a-f]{1,64}):((?:[0-9]{1,5}:[0-9]{1,20})?)");

	static QuorumCursor parse(String text) {
		if (text.isEmpty()) {
			return new QuorumCursor(0, BigInteger.ZERO, "");
		}
		Matcher matcher = TEXT.matcher(text);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("'" + ForeignText.of(text)
					+ "' is no cursor of a list of locks: pass on what the page before returned, or begin without one");
		}
		return new QuorumCursor(Integer.parseInt(matcher.group(1)), new BigInteger(matcher.group(2), 16),
				matcher.group(3));
	}

	/** Returns whether the given node was listed earlier and answered. */
	boolean listed(int other) {
		return other < this.node && !this.skipped.testBit(other);
	}

	/** Returns the cursor after skipping this node, which did not answer. */
	QuorumCursor skip() {
		return new QuorumCursor(this.node, this.skipped.setBit(this.node), "");
	}

	/**
	 * Returns where the list continues.
	 * @param next the next position, as the node returned it
	 * @param nodes how many nodes there are
	 * @return the cursor, empty after the last node
	 */
	String after(String next, int nodes) {
		int following = next.isEmpty() ? this.node + 1 : this.node;
		return (following < nodes) ? following + ":" + this.skipped.toString(16) + ":" + next : "";
	}

}
