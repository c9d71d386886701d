package io.distlock.records;

import io.distlock.records.state.StateMessage;
import io.distlock.records.state.TextParts;
import io.distlock.spi.RequestId;

/**
 * Writes messages to other processes as printable ASCII, and reads them:
 * {@code G;instance;number;key;} for a grant, {@code W;key;} for a waiter, {@code L;key;}
 * for a release by force.
 */
final class MessageText {

	private static final String GRANT = "G";

	private static final String WAITER = "W";

	private static final String LOSS = "L";

	private MessageText() {
	}

	static String write(String key, StateMessage message) {
		StringBuilder line = new StringBuilder();
		if (message instanceof StateMessage.Granted granted) {
			TextParts.write(line, GRANT, 1);
			TextParts.write(line, granted.request().instance(), Integer.MAX_VALUE);
			TextParts.write(line, granted.request().number());
		}
		else {
			TextParts.write(line, (message instanceof StateMessage.Revoked) ? LOSS : WAITER, 1);
		}
		TextParts.write(line, key, Integer.MAX_VALUE);
		return line.toString();
	}

	/**
	 * Reads a message, and ignores any other text.
	 * @param text the received text, from any sender
	 * @param receiver gets the message
	 */
	static void read(String text, Receiver receiver) {
		Runnable delivery;
		try {
			delivery = delivery(new TextParts(text), receiver);
		}
		catch (RuntimeException ex) {
			return;
		}
		delivery.run();
	}

	private static Runnable delivery(TextParts parts, Receiver receiver) {
		String kind = parts.text();
		if (kind.equals(GRANT)) {
			RequestId request = RequestId.parse(parts.text(), parts.number());
			String key = parts.text();
			return () -> receiver.granted(key, request);
		}
		String key = parts.text();
		return switch (kind) {
			case WAITER -> () -> receiver.contended(key);
			case LOSS -> () -> receiver.revoked(key);
			default -> throw new IllegalArgumentException("Unknown kind of message");
		};
	}

	/** Handles the messages to a process. */
	interface Receiver {

		/**
		 * Called when a queued request of this process may have been granted the lock.
		 */
		void granted(String key, RequestId request);

		/** Called when another process has begun to wait. */
		void contended(String key);

		/** Called when holds of this process were released by force. */
		void revoked(String key);

	}

}
