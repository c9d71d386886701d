package io.distlock.redis.protocol;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import io.distlock.support.ForeignText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the messages that scripts publish to the channel of this instance. Other clients
 * may publish there too. So this class ignores messages that do not come from a script,
 * and rejects values that no script can grant.
 */
public final class GrantMessages {

	private static final Logger logger = LoggerFactory.getLogger(GrantMessages.class);

	/**
	 * Limits a message: a key's name has at most 512 bytes and its prefix, the rest fewer
	 * than 200.
	 */
	private static final int LONGEST_AFTER_PREFIX = 1024;

	private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final String instance;

	private final Inbox inbox;

	private final KeyCodec names;

	private final StoreListener listener;

	private final int longest;

	private final LongSupplier nanoTime;

	private int ignored;

	private long nextReport;

	/**
	 * Creates a reader.
	 * @param instance the id of this instance
	 * @param inbox recognizes messages of scripts
	 * @param names names of locks
	 * @param listener notified of each message
	 * @param nanoTime the monotonic clock
	 */
	public GrantMessages(String instance, Inbox inbox, KeyCodec names, StoreListener listener, LongSupplier nanoTime) {
		this.instance = instance;
		this.inbox = inbox;
		this.names = names;
		this.listener = listener;
		this.longest = names.channels().length() + LONGEST_AFTER_PREFIX;
		this.nanoTime = nanoTime;
		this.nextReport = nanoTime.getAsLong();
	}

	/**
	 * Reads a message that {@code queue.lua} published.
	 * @param message the message; ignored if it does not come from a script
	 */
	public void receive(String message) {
		if (message.length() > this.longest || !understood(message)) {
			ignored(message);
		}
	}

	private boolean understood(String message) {
		try {
			if (message.startsWith("G;")) {
				return granted(message);
			}
			return message.startsWith("W;") ? about(message, this.listener::contended)
					: message.startsWith("L;") && about(message, this.listener::revoked);
		}
		catch (IllegalArgumentException | IndexOutOfBoundsException ex) {
			return false;
		}
	}

	private boolean granted(String message) {
		String[] parts = message.split(";", 9);
		if (parts.length < 9) {
			return false;
		}
		long request = Long.parseLong(parts[3]);
		long expiresAt = Long.parseLong(parts[6]);
		long storeTime = Long.parseLong(parts[7]);
		if (!this.inbox.isAddress(parts[1], request, expiresAt - storeTime)) {
			return false;
		}
		String requester = parts[2].isEmpty() ? this.instance : this.instance + '.' + parts[2];
		String key = key(parts[8]);
		if (key != null) {
			this.listener.granted(key, RequestId.parse(requester, request),
					grant(Long.parseLong(parts[4]), Integer.parseInt(parts[5]), expiresAt, storeTime));
		}
		return true;
	}

	/**
	 * Returns a grant. It counts only if its token is at most one block ahead of the
	 * server's clock.
	 */
	private Grant grant(long token, int tokens, long expiresAt, long storeTime) {
		boolean possible = token > 0 && token <= Replies.HIGHEST_TOKEN && tokens > 0 && tokens <= Replies.LARGEST_BLOCK;
		if (!possible || storeTime < 0 || storeTime > Replies.HIGHEST_TOKEN) {
			throw new IllegalArgumentException("No script grants this");
		}
		boolean inTime = token / 1000 - storeTime <= TimeUnit.MICROSECONDS.toMillis(Replies.LARGEST_BLOCK);
		return new Grant(token, tokens, inTime ? expiresAt : storeTime, storeTime);
	}

	/**
	 * Reports that other requests wait, or that a hold may be lost. The engine then asks
	 * the server.
	 */
	private boolean about(String message, Consumer<String> listening) {
		String[] parts = message.split(";", 3);
		if (parts.length < 3 || !this.inbox.isDigest(parts[1])) {
			return false;
		}
		String key = key(parts[2]);
		if (key != null) {
			listening.accept(key);
		}
		return true;
	}

	private @Nullable String key(String name) {
		return this.names.decode(name);
	}

	/**
	 * Logs an ignored message at most once a minute, because any client may publish very
	 * often.
	 */
	private void ignored(String message) {
		int count;
		synchronized (this) {
			this.ignored++;
			long now = this.nanoTime.getAsLong();
			if (now - this.nextReport < 0) {
				return;
			}
			this.nextReport = now + REPORT_NANOS;
			count = this.ignored;
			this.ignored = 0;
		}
		logger.warn(
				"Ignored {} message(s) that no lock script published, the last one: '{}'. Another client publishes to "
						+ "the channel {}: give the rights to {}* to users of locks only",
				count, ForeignText.of(message), this.inbox.channel(this.names), this.names.channels());
	}

	/** Reports that another server became the master. */
	public void failedOver() {
		this.listener.failedOver();
	}

	/** Reports that messages before this subscription may have been missed. */
	public void subscribed() {
		this.listener.reconnected();
	}

}
