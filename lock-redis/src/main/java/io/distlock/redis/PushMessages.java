package io.distlock.redis;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what the scripts publish to this instance's channel. */
final class PushMessages {

	private static final Logger logger = LoggerFactory.getLogger(PushMessages.class);

	private final String instance;

	private final KeyCodec keys;

	private final StoreListener listener;

	PushMessages(String instance, KeyCodec keys, StoreListener listener) {
		this.instance = instance;
		this.keys = keys;
		this.listener = listener;
	}

	/** {@code G;request;token;block;expiry;now;key} or {@code W;key}. */
	void receive(String message) {
		try {
			if (message.startsWith("G;")) {
				String[] parts = message.split(";", 7);
				Grant grant = new Grant(Long.parseLong(parts[2]), Integer.parseInt(parts[3]), Long.parseLong(parts[4]),
						Long.parseLong(parts[5]));
				String key = this.keys.decode(parts[6]);
				if (key != null) {
					this.listener.granted(key, new RequestId(this.instance, Long.parseLong(parts[1])), grant);
				}
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

	/** Messages may have been missed. */
	void subscribed() {
		this.listener.reconnected();
	}

}
