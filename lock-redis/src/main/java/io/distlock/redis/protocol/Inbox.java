package io.distlock.redis.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Where messages for one engine arrive, and how a message shows that a script published
 * it. Any client that may publish to the channels knows a channel. The ticket of a
 * request and the length of its claim is known to the engine and to scripts only, until a
 * script publishes the grant of that request; the ticket of another request cannot be
 * computed from it.
 */
public final class Inbox {

	/** Number of digits of the digest that name the channel. */
	private static final int CHANNEL = 16;

	private static final int TICKET_BYTES = 8;

	private final String digest;

	private final String secret;

	/**
	 * Creates an inbox.
	 * @param instance the id of the engine
	 * @param secret text that cannot be guessed
	 */
	public Inbox(String instance, String secret) {
		this.digest = HexFormat.of().formatHex(digest("SHA-1", instance));
		this.secret = secret;
	}

	/**
	 * Returns the channel of the engine, which does not reveal its id.
	 * @param names names of locks and channels
	 * @return the channel
	 */
	public String channel(KeyCodec names) {
		return names.channels() + this.digest.substring(0, CHANNEL);
	}

	/**
	 * Returns what the message with the grant of a request begins with.
	 * @param request the number of the request
	 * @param claimMillis the lease of that grant until it is confirmed
	 * @return the end of the channel's name, and the ticket of the request
	 */
	public String address(long request, long claimMillis) {
		byte[] ticket = digest("SHA-256", this.secret + ';' + request + ';' + claimMillis);
		return this.digest.substring(0, CHANNEL) + HexFormat.of().formatHex(ticket, 0, TICKET_BYTES);
	}

	/** Returns whether a message has the address of a request with this claim. */
	boolean isAddress(String text, long request, long claimMillis) {
		return same(text, address(request, claimMillis));
	}

	/** Returns whether a message has the digest of the engine's id. */
	boolean isDigest(String text) {
		return same(text, this.digest);
	}

	private static boolean same(String text, String expected) {
		return MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
	}

	private static byte[] digest(String algorithm, String text) {
		try {
			return MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Messages need " + algorithm + ", which this JVM does not offer", ex);
		}
	}

	/** Says where the message that grants a request goes. */
	@FunctionalInterface
	public interface Addresses {

		/**
		 * Returns the address of a request.
		 * @param request the number of the request
		 * @param claimMillis the lease of its pushed grant until it is confirmed
		 * @return the address
		 */
		String of(long request, long claimMillis);

	}

}
