package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.records.RecordEvents;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * The last message to this process: a znode that others write, together with the change
 * that it is about. Messages that are overwritten before they are read are reported as
 * missed.
 */
final class Mailbox {

	private static final String SEPARATOR = "\n";

	private final AtomicInteger version = new AtomicInteger();

	private final Calls calls;

	private final String path;

	private final RecordEvents events;

	private volatile boolean watched;

	Mailbox(Calls calls, String path, RecordEvents events) {
		this.calls = calls;
		this.path = path;
		this.events = events;
	}

	/** Several messages that one change sends to the same process. */
	static byte[] data(List<String> texts) {
		return String.join(SEPARATOR, texts).getBytes(StandardCharsets.US_ASCII);
	}

	/** Reads the mailbox, and again whenever it changes. */
	void watch() {
		this.watched = true;
		this.calls.get(this.path, this::changed).whenComplete((found, failure) -> {
			if (failure != null || found.isEmpty()) {
				this.watched = false;
			}
			else {
				received(found.get());
			}
		});
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
		long stamp = Life.stamp(found.stat().getMzxid());
		for (String text : new String(found.data(), StandardCharsets.US_ASCII).split(SEPARATOR)) {
			this.events.message(text, stamp);
		}
		if (now - before != 1) {
			this.events.missed();
		}
	}

}
