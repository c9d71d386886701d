package io.distlock.records;

import io.distlock.records.state.ReservedTokens;
import io.distlock.records.state.StateMessage;
import io.distlock.records.state.TextParts;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;

/**
 * Writes messages to other processes as printable ASCII, and reads them:
 * {@code G;instance;number;incarnation;token or +offset;highest before;tokens;expires at;now;key;}
 * for a grant, {@code W;key;} for a waiter, {@code L;key;} for a release by force.
 */
final class MessageText {

	private static final String GRANT = "G";

	private static final String WAITER = "W";

	private static final String LOSS = "L";

	private MessageText() {
	}

	/**
	 * Writes a message.
	 * @param key the lock
	 * @param message what to say
	 * @param highest the highest token with a number
	 */
	static String write(String key, StateMessage message, long highest) {
		StringBuilder line = new StringBuilder();
		if (message instanceof StateMessage.Granted granted) {
			ReservedTokens tokens = granted.tokens();
			TextParts.write(line, GRANT, 1);
			TextParts.write(line, granted.request().instance(), Integer.MAX_VALUE);
			TextParts.write(line, granted.request().number());
			TextParts.write(line, granted.incarnation(), Integer.MAX_VALUE);
			TextParts.write(line, (tokens.isNumbered() ? "" : "+") + tokens.first(), Integer.MAX_VALUE);
			TextParts.write(line, highest);
			TextParts.write(line, tokens.count());
			TextParts.write(line, granted.expiresAt());
			TextParts.write(line, granted.now());
		}
		else {
			TextParts.write(line, (message instanceof StateMessage.Revoked) ? LOSS : WAITER, 1);
		}
		TextParts.write(line, key, Integer.MAX_VALUE);
		return line.toString();
	}

	/**
	 * Reads a message, and ignores what is none.
	 * @param text what has arrived, from anywhere
	 * @param tokenFloor the token floor of the write that sent it
	 * @param receiver gets the message
	 */
	static void read(String text, long tokenFloor, Receiver receiver) {
		Runnable delivery;
		try {
			delivery = delivery(new TextParts(text), tokenFloor, receiver);
		}
		catch (RuntimeException ex) {
			return;
		}
		delivery.run();
	}

	private static Runnable delivery(TextParts parts, long tokenFloor, Receiver receiver) {
		String kind = parts.text();
		if (kind.equals(GRANT)) {
			return grant(parts, tokenFloor, receiver);
		}
		String key = parts.text();
		return switch (kind) {
			case WAITER -> () -> receiver.contended(key);
			case LOSS -> () -> receiver.revoked(key);
			default -> throw new IllegalArgumentException("Unknown kind of message");
		};
	}

	private static Runnable grant(TextParts parts, long tokenFloor, Receiver receiver) {
		RequestId request = RequestId.parse(parts.text(), parts.number());
		String incarnation = parts.text();
		String first = parts.text();
		long highest = parts.number();
		long token = first.startsWith("+") ? Math.max(highest + 1, tokenFloor) + Long.parseLong(first.substring(1))
				: Long.parseLong(first);
		int tokens = Math.toIntExact(parts.number());
		long expiresAt = parts.number();
		Grant grant = new Grant(token, tokens, expiresAt, parts.number());
		String key = parts.text();
		return () -> receiver.granted(key, request, incarnation, grant);
	}

	/** What a process does about a message. */
	interface Receiver {

		/** A queued request of an incarnation of this process was granted the lock. */
		void granted(String key, RequestId request, String incarnation, Grant grant);

		/** Another process began to wait. */
		void contended(String key);

		/** Holds of this process were released by force. */
		void revoked(String key);

	}

}
