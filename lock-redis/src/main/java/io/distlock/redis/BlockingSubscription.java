package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.SubscriptionListener;

/**
 * The channel of this instance for clients whose subscriptions block: one thread and one
 * connection for as long as the store runs.
 */
final class BlockingSubscription implements MessageListener, SubscriptionListener, Runnable {

	private static final Logger logger = LoggerFactory.getLogger(BlockingSubscription.class);

	private static final long RETRY_SECONDS = 1;

	private final RedisConnectionFactory factory;

	private final String channel;

	private final PushMessages messages;

	private final CountDownLatch closed = new CountDownLatch(1);

	/** Used by the listening thread only. */
	private @Nullable RedisConnection current;

	private @Nullable RedisConnection subscribed;

	private boolean warned;

	BlockingSubscription(RedisConnectionFactory factory, String channel, PushMessages messages) {
		this.factory = factory;
		this.channel = channel;
		this.messages = messages;
	}

	void start() {
		Thread thread = new Thread(this, "distlock-redis-push");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void run() {
		try {
			do {
				listen();
			}
			while (!this.closed.await(RETRY_SECONDS, TimeUnit.SECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void listen() {
		try (RedisConnection connection = this.factory.getConnection()) {
			this.current = connection;
			if (this.closed.getCount() > 0) {
				listen(connection);
			}
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
	}

	private void listen(RedisConnection connection) {
		try {
			connection.subscribe(this, this.channel.getBytes(StandardCharsets.UTF_8));
		}
		finally {
			synchronized (this) {
				// Waits for unsubscribe(): closing a connection that is half unsubscribed
				// would do it again, with the same effect as doing it too early.
				this.subscribed = null;
			}
		}
	}

	private void failed(RuntimeException ex) {
		if (this.closed.getCount() == 0) {
			return;
		}
		if (!this.warned && RedisFailure.of(ex) == RedisFailure.NO_PERMISSION) {
			this.warned = true;
			logger.warn("Not allowed to subscribe to {}: waiting for a lock takes up to one poll interval longer. "
					+ "Give the user +subscribe and the channel pattern.", this.channel, ex);
			return;
		}
		logger.debug("The subscription to {} is lost, waiting for locks polls meanwhile", this.channel, ex);
	}

	void close() {
		this.closed.countDown();
		unsubscribe();
	}

	/**
	 * Only once, and only when the server has confirmed the subscription. Sent earlier,
	 * it may overtake the SUBSCRIBE, and the connection goes back to the pool with an
	 * answer in it that the next command would take for its own.
	 */
	private synchronized void unsubscribe() {
		RedisConnection connection = this.subscribed;
		this.subscribed = null;
		Subscription subscription = (connection != null) ? connection.getSubscription() : null;
		if (subscription == null) {
			return;
		}
		try {
			subscription.unsubscribe();
		}
		catch (RuntimeException ex) {
			logger.debug("Cannot unsubscribe from {}: the connection is gone", this.channel, ex);
		}
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		this.messages.receive(new String(message.getBody(), StandardCharsets.UTF_8));
	}

	@Override
	public void onChannelSubscribed(byte[] name, long count) {
		synchronized (this) {
			this.subscribed = this.current;
		}
		if (this.closed.getCount() == 0) {
			unsubscribe();
			return;
		}
		this.messages.subscribed();
	}

}
