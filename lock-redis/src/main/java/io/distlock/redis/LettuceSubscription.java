package io.distlock.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscription to the channel of this instance, however many locks there are. Once
 * connected, Lettuce subscribes again after each loss of the connection.
 */
final class LettuceSubscription {

	private static final Logger logger = LoggerFactory.getLogger(LettuceSubscription.class);

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LettuceLinks links;

	private final Executor connector;

	private final String channel;

	private final PushMessages messages;

	private final CountDownLatch attempted = new CountDownLatch(1);

	private volatile boolean done;

	private @Nullable StatefulRedisPubSubConnection<String, String> connection;

	private boolean connecting;

	private boolean tried;

	private long lastTry;

	LettuceSubscription(LettuceLinks links, Executor connector, String channel, PushMessages messages) {
		this.links = links;
		this.connector = connector;
		this.channel = channel;
		this.messages = messages;
	}

	/** Subscribes if need be, in the background and not more often than is useful. */
	void ensure() {
		if (this.done) {
			return;
		}
		synchronized (this) {
			long now = System.nanoTime();
			if (this.done || this.connecting || (this.tried && now - this.lastTry < RETRY_NANOS)) {
				return;
			}
			this.connecting = true;
			this.tried = true;
			this.lastTry = now;
		}
		try {
			this.connector.execute(this::open);
		}
		catch (RejectedExecutionException ex) {
			ended(null);
		}
	}

	/** Waits until the first attempt to subscribe is over, whatever came of it. */
	void awaitFirstAttempt(Duration atMost) {
		try {
			this.attempted.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Completes when the connection is closed. */
	CompletableFuture<Void> close() {
		StatefulRedisPubSubConnection<String, String> open;
		synchronized (this) {
			this.done = true;
			open = this.connection;
			this.connection = null;
		}
		return (open != null) ? open.closeAsync() : CompletableFuture.completedFuture(null);
	}

	private void open() {
		try {
			StatefulRedisPubSubConnection<String, String> opened = this.links.openPubSub();
			opened.addListener(new Listener());
			opened.async().subscribe(this.channel).whenComplete((nothing, error) -> {
				if (error != null) {
					opened.closeAsync();
					failed(error);
				}
				else {
					ended(opened);
				}
			});
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
	}

	private void failed(Throwable error) {
		if (RedisFailure.of(error) == RedisFailure.NO_PERMISSION) {
			logger.warn(
					"Not allowed to subscribe to {} on {}: waiting for a lock takes up to one poll interval longer. "
							+ "Give the user +subscribe and the channel pattern.",
					this.channel, this.links.server(), error);
			this.done = true;
		}
		else {
			logger.debug("Cannot subscribe to {} on {} yet", this.channel, this.links.server(), error);
		}
		ended(null);
	}

	private void ended(@Nullable StatefulRedisPubSubConnection<String, String> opened) {
		boolean unwanted;
		synchronized (this) {
			this.connecting = false;
			unwanted = this.done && opened != null;
			if (opened != null && !unwanted) {
				this.connection = opened;
				this.done = true;
			}
		}
		if (unwanted && opened != null && opened.isOpen()) {
			opened.closeAsync();
		}
		this.attempted.countDown();
	}

	private final class Listener extends RedisPubSubAdapter<String, String> {

		@Override
		public void message(String from, String message) {
			LettuceSubscription.this.messages.receive(message);
		}

		@Override
		public void subscribed(String to, long count) {
			LettuceSubscription.this.messages.subscribed();
		}

	}

}
