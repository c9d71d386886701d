package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one change sends to a process: its messages, and the record that it leaves. With
 * the record at hand the receiver can write without reading before.
 *
 * <pre>
 * message
 * ...
 * R life version record
 * </pre>
 *
 * Processes with an older version read the last line as a message that they do not know.
 *
 * @param messages the messages, in this order
 * @param left the record, unless it is gone or too long
 */
record Mail(List<String> messages, Optional<Left> left) {

	/**
	 * In all mails of a change together: they should not double what a write costs, and
	 * the servers take requests of 1 MB.
	 */
	static final int LONGEST_RECORD = 10_000;

	private static final String SEPARATOR = "\n";

	private static final String RECORD = "R ";

	private static final int PARTS = 3;

	byte[] data() {
		List<String> lines = new ArrayList<>(this.messages);
		this.left.filter((record) -> record.text().length() <= LONGEST_RECORD)
			.ifPresent((record) -> lines
				.add(RECORD + record.version().life() + " " + record.version().version() + " " + record.text()));
		return String.join(SEPARATOR, lines).getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Reads a mail.
	 * @param data what a mailbox contains, from anywhere
	 * @return the mail; a record that cannot be read is left out
	 */
	static Mail of(byte[] data) {
		List<String> messages = new ArrayList<>();
		Optional<Left> left = Optional.empty();
		for (String line : new String(data, StandardCharsets.US_ASCII).split(SEPARATOR)) {
			if (line.startsWith(RECORD)) {
				left = record(line.substring(RECORD.length()));
			}
			else {
				messages.add(line);
			}
		}
		return new Mail(messages, left);
	}

	private static Optional<Left> record(String line) {
		String[] parts = line.split(" ", PARTS);
		try {
			if (parts.length < PARTS || !RecordNode.isLife(parts[0])) {
				return Optional.empty();
			}
			int version = Integer.parseInt(parts[1]);
			// A write on top of version -1 would win whatever is there.
			return (version >= 0) ? Optional.of(new Left(new RecordNode.Version(parts[0], version), parts[2]))
					: Optional.empty();
		}
		catch (NumberFormatException ex) {
			return Optional.empty();
		}
	}

	/**
	 * The record that a change has left.
	 *
	 * @param version its version
	 * @param text the record
	 */
	record Left(RecordNode.Version version, String text) {
	}

}
