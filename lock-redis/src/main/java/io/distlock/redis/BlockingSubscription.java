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

	private volatile @Nullable RedisConnection current;

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
				connection.subscribe(this, this.channel.getBytes(StandardCharsets.UTF_8));
			}
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
		finally {
			this.current = null;
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
		RedisConnection connection = this.current;
		Subscription subscription = (connection != null) ? connection.getSubscription() : null;
		if (subscription != null) {
			try {
				subscription.unsubscribe();
			}
			catch (RuntimeException ex) {
				logger.debug("Cannot unsubscribe from {}: the connection is gone", this.channel, ex);
			}
		}
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		this.messages.receive(new String(message.getBody(), StandardCharsets.UTF_8));
	}

	@Override
	public void onChannelSubscribed(byte[] subscribed, long count) {
		this.messages.subscribed();
	}

}
