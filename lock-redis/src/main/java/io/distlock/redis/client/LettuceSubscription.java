package io.distlock.redis.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.distlock.redis.protocol.PushMessages;
import io.distlock.redis.protocol.RedisFailure;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscription to the channel of this instance, however many locks there are. Once
 * connected, Lettuce subscribes again after each loss of the connection.
 */
public final class LettuceSubscription {

	private static final Logger logger = LoggerFactory.getLogger(LettuceSubscription.class);

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** An attempt that takes longer is given up for another one. */
	private static final long ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final LettuceLinks links;

	private final Executor connector;

	private final String channel;

	private final PushMessages messages;

	private final CountDownLatch attempted = new CountDownLatch(1);

	private volatile boolean done;

	private @Nullable StatefulRedisPubSubConnection<String, String> connection;

	private boolean connecting;

	private boolean tried;

	/** Numbers the attempts to connect: the last one counts. */
	private int attempt;

	private long lastTry;

	public LettuceSubscription(LettuceLinks links, Executor connector, String channel, PushMessages messages) {
		this.links = links;
		this.connector = connector;
		this.channel = channel;
		this.messages = messages;
	}

	/** Subscribes if need be, in the background and not more often than is useful. */
	public void ensure() {
		if (this.done) {
			return;
		}
		int number;
		synchronized (this) {
			long now = System.nanoTime();
			long pause = this.connecting ? ATTEMPT_NANOS : RETRY_NANOS;
			if (this.done || (this.tried && now - this.lastTry < pause)) {
				return;
			}
			this.connecting = true;
			this.tried = true;
			this.lastTry = now;
			number = ++this.attempt;
		}
		try {
			this.connector.execute(() -> open(number));
		}
		catch (RejectedExecutionException ex) {
			ended(number, null);
		}
	}

	/** Waits until the first attempt to subscribe is over, whatever came of it. */
	public void awaitFirstAttempt(Duration atMost) {
		try {
			this.attempted.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Gives up the connection, which may lead to a server that hangs, for a new one. */
	public void renew() {
		StatefulRedisPubSubConnection<String, String> former;
		synchronized (this) {
			former = this.connection;
			if (former == null) {
				return;
			}
			this.connection = null;
			this.done = false;
			this.tried = false;
		}
		former.closeAsync();
		ensure();
	}

	/** Completes when the connection is closed. */
	public CompletableFuture<Void> close() {
		StatefulRedisPubSubConnection<String, String> open;
		synchronized (this) {
			this.done = true;
			open = this.connection;
			this.connection = null;
		}
		return (open != null) ? open.closeAsync() : CompletableFuture.completedFuture(null);
	}

	private void open(int number) {
		try {
			StatefulRedisPubSubConnection<String, String> opened = this.links.openPubSub();
			opened.addListener(new Listener());
			opened.async().subscribe(this.channel).whenComplete((nothing, error) -> {
				if (error != null) {
					opened.closeAsync();
					failed(number, error);
				}
				else {
					ended(number, opened);
				}
			});
		}
		catch (RuntimeException ex) {
			failed(number, ex);
		}
	}

	private void failed(int number, Throwable error) {
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
		ended(number, null);
	}

	private void ended(int number, @Nullable StatefulRedisPubSubConnection<String, String> opened) {
		boolean unwanted;
		synchronized (this) {
			boolean last = number == this.attempt;
			this.connecting = this.connecting && !last;
			unwanted = (this.done || !last) && opened != null;
			if (opened != null && !unwanted) {
				this.connection = opened;
				this.done = true;
			}
		}
		if (unwanted && opened != null) {
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
