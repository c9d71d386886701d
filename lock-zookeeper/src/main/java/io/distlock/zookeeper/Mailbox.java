package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.records.place.RecordEvents;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * The last messages to this process, one in each line of a znode that others write
 * together with the change that they are about. With an open ACL any client may write it,
 * so a message only says where to look. Messages that were overwritten before they were
 * read are reported as missed.
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
	 * @param path its znode
	 * @param events receives the messages
	 */
	Mailbox(ProcessSession session, String path, RecordEvents events) {
		this.session = session;
		this.path = path;
		this.events = events;
	}

	/** What a mailbox contains with these messages. */
	static byte[] data(List<String> messages) {
		return String.join(SEPARATOR, messages).getBytes(StandardCharsets.US_ASCII);
	}

	/** The messages in a mailbox, from anywhere. */
	static List<String> messages(byte[] data) {
		return List.of(new String(data, StandardCharsets.US_ASCII).split(SEPARATOR));
	}

	/** Reads the mailbox, and again whenever it changes. */
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
			// After an error nobody else would watch again.
			if (!asked) {
				this.watched = false;
			}
		}
	}

	/** Watches anew if a failure has ended that. */
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
