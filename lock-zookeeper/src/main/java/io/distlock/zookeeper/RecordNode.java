package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;

/**
 * The content of the znode of a lock: one line about the record, and the record.
 *
 * <pre>
 * 1 identity idle highest until
 * record
 * </pre>
 *
 * @param identity identity of the znode, and the name of a child that is created and
 * deleted with it, so that a write for a former znode fails; needed because the versions
 * of a new znode begin at 0 again, and a condition cannot ask for the creation of a znode
 * @param idle whether the lock has neither holders nor waiters
 * @param highest the highest fencing token so far
 * @param until the end of the last kept hold, in milliseconds since 1970; 0 if sessions
 * end all holds
 * @param text the record
 */
record RecordNode(String identity, boolean idle, long highest, long until, String text) {

	private static final String FORMAT = "1";

	private static final int PARTS = 5;

	byte[] data() {
		return (FORMAT + " " + this.identity + " " + (this.idle ? 1 : 0) + " " + this.highest + " " + this.until + "\n"
				+ this.text)
			.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Reads what a znode contains.
	 * @param data the content
	 * @return the record
	 * @throws IllegalArgumentException if the content is not a record, or has a newer
	 * version
	 */
	static RecordNode of(byte[] data) {
		String all = new String(data, StandardCharsets.US_ASCII);
		int end = all.indexOf('\n');
		String[] parts = all.substring(0, Math.max(0, end)).split(" ", -1);
		if (end < 0 || !parts[0].equals(FORMAT)) {
			throw new IllegalArgumentException("The znode does not begin with format " + FORMAT);
		}
		if (parts.length != PARTS || !isIdentity(parts[1])) {
			throw new IllegalArgumentException("The first line of the znode is damaged");
		}
		return new RecordNode(parts[1], parts[2].equals("1"), Long.parseLong(parts[3]), Long.parseLong(parts[4]),
				all.substring(end + 1));
	}

	/** Returns whether an untrusted text can be the identity of a znode. */
	static boolean isIdentity(String text) {
		return !text.isEmpty() && text.indexOf('/') < 0;
	}

	/**
	 * Identifies the write that stored a record.
	 *
	 * @param identity identity of the znode
	 * @param version number of the write since its creation
	 */
	record Version(String identity, int version) {
	}

}
