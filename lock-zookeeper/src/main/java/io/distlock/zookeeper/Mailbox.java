package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.records.place.RecordEvents;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Keeps the last messages to this process in a znode, one message in each line. Another
 * process writes a message in one transaction with the change that caused it. With an
 * open ACL any client may write the znode, so a message only says which lock to read. If
 * messages were overwritten before they were read, the mailbox reports them as missed.
 */
final class Mailbox {

	private static final String SEPARATOR = "\n";

	private final AtomicInteger version = new AtomicInteger();

	private final ProcessSession session;

	private final String path;

	private final RecordEvents events;

	private volatile boolean watched;

	/**
	 * Creates a mailbox that is not watched yet.
	 * @param session the session of this process
	 * @param path the znode of the mailbox
	 * @param events receives the messages
	 */
	Mailbox(ProcessSession session, String path, RecordEvents events) {
		this.session = session;
		this.path = path;
		this.events = events;
	}

	/** Returns the content of a mailbox with these messages. */
	static byte[] data(List<String> messages) {
		return String.join(SEPARATOR, messages).getBytes(StandardCharsets.US_ASCII);
	}

	/** Returns the messages in a mailbox, from any sender. */
	static List<String> messages(byte[] data) {
		return List.of(new String(data, StandardCharsets.US_ASCII).split(SEPARATOR));
	}

	/** Reads the mailbox, and reads it again after each change. */
	void watch() {
		boolean asked = false;
		this.watched = true;
		try {
			this.session.calls().get(this.path, this::changed).whenComplete((found, failure) -> {
				if (failure != null || found.isEmpty()) {
					this.watched = false;
				}
				else {
					received(found.get());
				}
			});
			asked = true;
		}
		finally {
			// After an error no other code would set the watch again.
			if (!asked) {
				this.watched = false;
			}
		}
	}

	/** Sets the watch again after a failure has ended it. */
	void keepWatching() {
		if (!this.watched) {
			watch();
		}
	}

	private void changed(WatchedEvent event) {
		if (event.getType() == Watcher.Event.EventType.NodeDataChanged) {
			watch();
		}
		else if (event.getType() != Watcher.Event.EventType.None) {
			this.watched = false;
		}
	}

	private void received(Calls.Found found) {
		int now = found.stat().getVersion();
		int before = this.version.getAndSet(now);
		if (now == before) {
			return;
		}
		this.session.saw(found.stat().getMzxid());
		messages(found.data()).forEach(this.events::message);
		if (now - before != 1) {
			this.events.missed();
		}
	}

}
