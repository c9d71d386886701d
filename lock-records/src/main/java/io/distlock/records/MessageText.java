package io.distlock.records;

import java.util.Optional;

import io.distlock.records.state.ReservedTokens;
import io.distlock.records.state.StateMessage;
import io.distlock.records.state.TextParts;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.support.KeyText;

/**
 * Writes messages to other processes as printable ASCII, and reads them:
 * {@code G;instance;number;life;token or +offset;highest before;tokens;expires at;now;key;}
 * for a grant, {@code W;key;} for a waiter, {@code L;key;} for a release by force.
 */
sealed interface MessageText {

	String GRANT = "G";

	String WAITER = "W";

	String LOSS = "L";

	/** The lock that the message is about. */
	String key();

	/**
	 * A queued request was granted the lock.
	 *
	 * @param key the lock
	 * @param request the request
	 * @param life the life of this process for which it was granted
	 * @param grant the hold
	 */
	record Granted(String key, RequestId request, String life, Grant grant) implements MessageText {

		@Override
		public String toString() {
			return "Granted[key=" + KeyText.of(this.key) + ", request=" + this.request + ", life=" + this.life
					+ ", grant=" + this.grant + "]";
		}

	}

	/**
	 * Another process began to wait.
	 *
	 * @param key the lock
	 */
	record Contended(String key) implements MessageText {

		@Override
		public String toString() {
			return "Contended[key=" + KeyText.of(this.key) + "]";
		}

	}

	/**
	 * Holds of this process were released by force.
	 *
	 * @param key the lock
	 */
	record Revoked(String key) implements MessageText {

		@Override
		public String toString() {
			return "Revoked[key=" + KeyText.of(this.key) + "]";
		}

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
			TextParts.write(line, granted.life(), Integer.MAX_VALUE);
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
	 * Reads a message.
	 * @param text what has arrived, from anywhere
	 * @param stamp the stamp of the write that sent it
	 * @return the message, or empty if this is none
	 */
	static Optional<MessageText> read(String text, long stamp) {
		try {
			TextParts parts = new TextParts(text);
			return switch (parts.text()) {
				case GRANT -> Optional.of(grant(parts, stamp));
				case WAITER -> Optional.of(new Contended(parts.text()));
				case LOSS -> Optional.of(new Revoked(parts.text()));
				default -> Optional.empty();
			};
		}
		catch (RuntimeException ex) {
			return Optional.empty();
		}
	}

	private static Granted grant(TextParts parts, long stamp) {
		RequestId request = RequestId.parse(parts.text(), parts.number());
		String life = parts.text();
		String first = parts.text();
		long highest = parts.number();
		long token = first.startsWith("+") ? Math.max(highest + 1, stamp) + Long.parseLong(first.substring(1))
				: Long.parseLong(first);
		int tokens = Math.toIntExact(parts.number());
		long expiresAt = parts.number();
		Grant grant = new Grant(token, tokens, expiresAt, parts.number());
		return new Granted(parts.text(), request, life, grant);
	}

}
