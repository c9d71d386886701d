package io.distlock.redis.client;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether messages still arrive. A firewall may have forgotten the connection
 * of the subscription, or it may lead to a server that is no longer the master; neither
 * is reported to a client that only listens. So while commands are sent, a message to the
 * own channel follows every few seconds, the same way as commands. If it was published
 * but does not arrive twice in a row, the subscription is renewed.
 */
public final class Echo {

	private static final Logger logger = LoggerFactory.getLogger(Echo.class);

	/** The time between an arrived message and the next one. */
	static final Duration INTERVAL = Duration.ofSeconds(5);

	/** How long a message may take after the server took it. */
	static final Duration PATIENCE = Duration.ofSeconds(3);

	/** More than one, because this process may have stood still. */
	private static final int MISSES = 2;

	private final String prefix = "P;" + UUID.randomUUID() + ";";

	private final Publisher publisher;

	private final Runnable renew;

	private final Supplier<String> server;

	private final LongSupplier nanoTime;

	private volatile long nextLook;

	private Sent latest = new Sent(0, State.HEARD, 0, 0, false);

	private enum State {

		HEARD, SENT, PUBLISHED

	}

	/**
	 * The latest message.
	 *
	 * @param number its number
	 * @param state how far it has come
	 * @param publishedAt when the server took it
	 * @param misses how many messages in a row did not arrive
	 * @param reported whether that is in the log since a message last arrived
	 */
	private record Sent(long number, State state, long publishedAt, int misses, boolean reported) {

		Sent next(int misses) {
			return new Sent(this.number + 1, State.SENT, 0, misses, this.reported);
		}

		Sent published(long now) {
			return new Sent(this.number, State.PUBLISHED, now, this.misses, this.reported);
		}

		Sent heard(boolean reported) {
			return new Sent(this.number, State.HEARD, 0, 0, reported);
		}

	}

	/** Publishes to the own channel, the way that commands take. */
	public interface Publisher {

		/**
		 * Publishes a message without blocking.
		 * @param message the message
		 * @return completes when the server took the message; perhaps never
		 */
		CompletionStage<?> publish(String message);

	}

	/**
	 * Creates the test of one subscription and its successors.
	 * @param publisher publishes to the channel
	 * @param renew replaces the subscription; does not block
	 * @param server describes the server
	 * @param nanoTime the monotonic clock
	 */
	public Echo(Publisher publisher, Runnable renew, Supplier<String> server, LongSupplier nanoTime) {
		this.publisher = publisher;
		this.renew = renew;
		this.server = server;
		this.nanoTime = nanoTime;
		this.nextLook = nanoTime.getAsLong() + INTERVAL.toNanos();
	}

	/**
	 * Looks whether the latest message arrived, and publishes another one, if it is time.
	 * Cheap enough for every command; to call only while there is a subscription.
	 */
	public void look() {
		long now = this.nanoTime.getAsLong();
		if (now - this.nextLook < 0) {
			return;
		}
		switch (decide(now)) {
			case SEND -> send();
			case RENEW -> this.renew.run();
			case REPORT -> {
				logger.warn("Messages about locks no longer arrived from {}, so this instance subscribed again. Until "
						+ "then waiting for a lock took up to one poll interval longer. If this repeats, a firewall or "
						+ "proxy forgets idle connections: give it a longer idle timeout", this.server.get());
				this.renew.run();
			}
			case WAIT -> {
			}
		}
	}

	private enum Decision {

		WAIT, SEND, RENEW, REPORT

	}

	private synchronized Decision decide(long now) {
		if (now - this.nextLook < 0) {
			return Decision.WAIT;
		}
		this.nextLook = now + PATIENCE.toNanos();
		Sent last = this.latest;
		int misses = last.misses();
		if (last.state() == State.PUBLISHED) {
			if (now - last.publishedAt() < PATIENCE.toNanos()) {
				this.nextLook = last.publishedAt() + PATIENCE.toNanos();
				return Decision.WAIT;
			}
			misses++;
			if (misses >= MISSES) {
				heardAt(now, true);
				return last.reported() ? Decision.RENEW : Decision.REPORT;
			}
		}
		this.latest = last.next(misses);
		return Decision.SEND;
	}

	private void send() {
		long sent;
		synchronized (this) {
			sent = this.latest.number();
		}
		this.publisher.publish(this.prefix + sent).whenComplete((taken, failure) -> {
			if (failure == null) {
				published(sent);
			}
		});
	}

	private synchronized void published(long sent) {
		if (this.latest.state() == State.SENT && this.latest.number() == sent) {
			this.latest = this.latest.published(this.nanoTime.getAsLong());
		}
	}

	/**
	 * Takes a message if it is one of this object.
	 * @param message a message that arrived
	 * @return {@code false} for all other messages
	 */
	public boolean heard(String message) {
		if (!message.startsWith(this.prefix)) {
			return false;
		}
		synchronized (this) {
			heardAt(this.nanoTime.getAsLong(), false);
		}
		return true;
	}

	private void heardAt(long now, boolean reported) {
		this.latest = this.latest.heard(reported);
		this.nextLook = now + INTERVAL.toNanos();
	}

}
