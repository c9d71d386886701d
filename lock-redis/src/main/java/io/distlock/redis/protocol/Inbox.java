package io.distlock.redis.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Defines where messages for one engine arrive, and how a message shows that a script
 * published it. Any client that may publish to the channels knows a channel. Only the
 * engine and scripts know the ticket of a request and the length of its claim, until a
 * script publishes the grant of that request. The ticket of another request cannot be
 * computed from it.
 */
public final class Inbox {

	/** Number of digits of the digest that name the channel. */
	private static final int CHANNEL = 16;

	private static final int TICKET_BYTES = 8;

	private final String digest;

	private final String channel;

	private final byte[] secret;

	/**
	 * Creates an inbox.
	 * @param instance the id of the engine
	 * @param secret text that cannot be guessed
	 */
	public Inbox(String instance, String secret) {
		this.digest = HexFormat.of().formatHex(digest("SHA-1", bytes(instance)));
		this.channel = this.digest.substring(0, CHANNEL);
		this.secret = bytes(secret);
	}

	/**
	 * Returns the channel of the engine, which does not reveal its id.
	 * @param names names of locks and channels
	 * @return the channel
	 */
	public String channel(KeyCodec names) {
		return names.channels() + this.channel;
	}

	/**
	 * Returns the text with which the grant message of a request begins.
	 * @param request the number of the request
	 * @param claimMillis the lease of the grant until the engine confirms it
	 * @return the end of the channel's name, and the ticket of the request
	 */
	public String address(long request, long claimMillis) {
		byte[] about = ByteBuffer.allocate(this.secret.length + 2 * Long.BYTES)
			.put(this.secret)
			.putLong(request)
			.putLong(claimMillis)
			.array();
		return this.channel + HexFormat.of().formatHex(digest("SHA-256", about), 0, TICKET_BYTES);
	}

	/** Returns whether a text is the address of a request with this claim. */
	boolean isAddress(String text, long request, long claimMillis) {
		return same(text, address(request, claimMillis));
	}

	/** Returns whether a text is the digest of the engine's id. */
	boolean isDigest(String text) {
		return same(text, this.digest);
	}

	private static boolean same(String text, String expected) {
		return MessageDigest.isEqual(bytes(text), bytes(expected));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static byte[] digest(String algorithm, byte[] input) {
		try {
			return MessageDigest.getInstance(algorithm).digest(input);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Messages need " + algorithm + ", which this JVM does not offer", ex);
		}
	}

	/** Returns where to send the message that grants a request. */
	@FunctionalInterface
	public interface Addresses {

		/**
		 * Returns the address of a request.
		 * @param request the number of the request
		 * @param claimMillis the lease of its pushed grant until the engine confirms it
		 * @return the address
		 */
		String of(long request, long claimMillis);

	}

}
