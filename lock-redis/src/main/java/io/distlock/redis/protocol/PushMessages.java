package io.distlock.redis.protocol;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what the scripts publish to this instance's channel. */
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
	 * @param listener told what was read
	 * @param believed whether a grant holds as it is; otherwise it is passed on as one
	 * with nothing left of it, which makes the engine ask
	 */
	public PushMessages(String instance, KeyCodec keys, StoreListener listener, boolean believed) {
		this.instance = instance;
		this.keys = keys;
		this.listener = listener;
		this.believed = believed;
	}

	/**
	 * {@code G;request;token;block;expiry;now;key}, {@code P;instance;} and the same
	 * where the instance is more than the engine's id, or {@code W;key}.
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
			// Anybody may publish there; polling finds what a message would have said.
			logger.debug("Message on the lock channel not understood: {}", message, ex);
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

	/** Messages may have been missed. */
	public void subscribed() {
		this.listener.reconnected();
	}

}
