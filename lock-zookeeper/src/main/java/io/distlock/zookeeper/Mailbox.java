package io.distlock.zookeeper;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.records.LockRecords.Expected;
import io.distlock.records.LockRecords.Seen;
import io.distlock.records.RecordEvents;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * The last message to this process: a znode that others write, together with the change
 * that it is about. Messages that are overwritten before they are read are reported as
 * missed.
 */
final class Mailbox {

	private final AtomicInteger version = new AtomicInteger();

	private final Life life;

	private final LiveProcesses processes;

	private final String path;

	private final RecordEvents events;

	private volatile boolean watched;

	/**
	 * Creates a mailbox that is not watched yet.
	 * @param life the life of this process
	 * @param processes knows which other lives are over
	 * @param path its znode
	 * @param events receives the messages
	 */
	Mailbox(Life life, LiveProcesses processes, String path, RecordEvents events) {
		this.life = life;
		this.processes = processes;
		this.path = path;
		this.events = events;
	}

	/** Reads the mailbox, and again whenever it changes. */
	void watch() {
		this.watched = true;
		this.life.calls().get(this.path, this::changed).whenComplete((found, failure) -> {
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
		this.life.saw(found.stat().getMzxid());
		long stamp = Life.stamp(found.stat().getMzxid());
		Mail mail = Mail.of(found.data());
		Optional<Seen> left = mail.left()
			.map((record) -> new Seen(new Expected.At(record.version()), record.text(), stamp,
					this.life.moment(this.processes)));
		for (String text : mail.messages()) {
			left.ifPresentOrElse((record) -> this.events.message(text, stamp, record),
					() -> this.events.message(text, stamp));
		}
		if (now - before != 1) {
			this.events.missed();
		}
	}

}
