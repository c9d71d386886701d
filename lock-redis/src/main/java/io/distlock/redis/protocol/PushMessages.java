package io.distlock.redis.protocol;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import io.distlock.support.ForeignText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the messages that scripts publish to the channel of this instance. */
public final class PushMessages {

	private static final Logger logger = LoggerFactory.getLogger(PushMessages.class);

	private final String instance;

	private final KeyCodec keys;

	private final StoreListener listener;

	private final boolean believed;

	/**
	 * Creates a reader.
	 * @param instance the id of this instance
	 * @param keys names of locks
	 * @param listener notified of each message
	 * @param believed whether a pushed grant counts; otherwise it is reported without a
	 * remaining lease, which makes the engine repeat the request
	 */
	public PushMessages(String instance, KeyCodec keys, StoreListener listener, boolean believed) {
		this.instance = instance;
		this.keys = keys;
		this.listener = listener;
		this.believed = believed;
	}

	/**
	 * Reads a message: a grant {@code G;request;token;block;expiry;now;key}, the same
	 * after {@code P;instance;} for a permit or a writer behind readers of its process,
	 * or {@code W;key} about a waiter.
	 * @param message the message; ignored if it is not understood
	 */
	public void receive(String message) {
		try {
			if (message.startsWith("G;")) {
				granted(this.instance, message.substring(2));
			}
			else if (message.startsWith("P;")) {
				String[] parts = message.split(";", 3);
				granted(parts[1], parts[2]);
			}
			else if (message.startsWith("W;")) {
				String key = this.keys.decode(message.substring(2));
				if (key != null) {
					this.listener.contended(key);
				}
			}
		}
		catch (RuntimeException ex) {
			// Any client may publish there; polling replaces a lost message.
			logger.debug("A message on the lock channel was not understood: {} ({})", ForeignText.content(message),
					ForeignText.messageOf(ex));
		}
	}

	private void granted(String requester, String text) {
		String[] parts = text.split(";", 6);
		long storeTime = Long.parseLong(parts[4]);
		Grant grant = new Grant(Long.parseLong(parts[1]), Integer.parseInt(parts[2]),
				this.believed ? Long.parseLong(parts[3]) : storeTime, storeTime);
		String key = this.keys.decode(parts[5]);
		if (key != null) {
			this.listener.granted(key, RequestId.parse(requester, Long.parseLong(parts[0])), grant);
		}
	}

	/** Reports that another server went on as the master. */
	public void failedOver() {
		this.listener.failedOver();
	}

	/** Reports that messages may have been missed before this subscription. */
	public void subscribed() {
		this.listener.reconnected();
	}

}
