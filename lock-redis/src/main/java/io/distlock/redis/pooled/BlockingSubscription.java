package io.distlock.redis.pooled;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.distlock.redis.client.Connections;
import io.distlock.redis.client.Echo;
import io.distlock.redis.client.ServerDescription;
import io.distlock.redis.protocol.GrantMessages;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.support.LoopGuard;
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
 * Subscribes to the channel of this instance with a client whose subscriptions block. It
 * takes one thread and one connection while the store runs.
 */
final class BlockingSubscription implements MessageListener, SubscriptionListener, Runnable {

	private static final Logger logger = LoggerFactory.getLogger(BlockingSubscription.class);

	private static final String THREAD = "distributed-lock-redis-push";

	private static final long RETRY_SECONDS = 1;

	/** How long the right may be missing before it is asked for again. */
	private static final long AFTER_REFUSAL_SECONDS = 10;

	private static final long CLOSE_MILLIS = 500;

	private static final byte[] WAKE_UP = "-".getBytes(StandardCharsets.UTF_8);

	private final RedisConnectionFactory factory;

	private final byte[] channel;

	private final GrantMessages messages;

	private final Consumer<String> receive;

	private final LoopGuard listening = new LoopGuard(THREAD);

	/**
	 * Keeps the subscription alive after an error here; otherwise its connection would be
	 * lost.
	 */
	private final LoopGuard receiving = new LoopGuard(THREAD);

	private final CountDownLatch closed = new CountDownLatch(1);

	private final Echo echo;

	/**
	 * Whether one UNSUBSCRIBE was sent; the answer to a second one would be left over.
	 */
	private final AtomicBoolean unsubscribing = new AtomicBoolean();

	private volatile @Nullable RedisConnection current;

	/** Whether the server has confirmed the subscription of the current connection. */
	private volatile boolean confirmed;

	private volatile boolean refused;

	/** Whether the refusal was followed by a command, so that messages are of use. */
	private volatile boolean needed;

	BlockingSubscription(RedisConnectionFactory factory, String channel, GrantMessages messages, Echo echo) {
		this.factory = factory;
		this.channel = channel.getBytes(StandardCharsets.UTF_8);
		this.messages = messages;
		this.echo = echo;
		this.receive = messages::receive;
	}

	void start() {
		Thread thread = new Thread(this, THREAD);
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void run() {
		Runnable listen = this::listen;
		try {
			do {
				this.listening.run(listen);
			}
			while (!endedBeforeNextAttempt());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Waits before the next attempt; longer after a refusal, and while nobody waits. */
	private boolean endedBeforeNextAttempt() throws InterruptedException {
		boolean ended = this.closed.await(this.refused ? AFTER_REFUSAL_SECONDS : RETRY_SECONDS, TimeUnit.SECONDS);
		while (!ended && this.refused && !this.needed) {
			ended = this.closed.await(RETRY_SECONDS, TimeUnit.SECONDS);
		}
		this.needed = false;
		return ended;
	}

	/**
	 * Notes that a command is sent.
	 * @return whether there is a subscription
	 */
	boolean isNeeded() {
		if (this.refused && !this.needed) {
			this.needed = true;
		}
		return this.confirmed;
	}

	private void listen() {
		try {
			RedisConnection connection = Connections.of(this.factory);
			if (subscribed(connection)) {
				connection.close();
			}
		}
		catch (RuntimeException ex) {
			lost(ex);
		}
	}

	/**
	 * Blocks as long as the subscription lasts.
	 * @return whether to close the connection. After a failed subscription, closing makes
	 * Spring send an UNSUBSCRIBE
	 */
	private boolean subscribed(RedisConnection connection) {
		this.current = connection;
		try {
			if (this.closed.getCount() > 0) {
				connection.subscribe(this, this.channel);
			}
			return true;
		}
		catch (RuntimeException ex) {
			RedisFailure failure = RedisFailure.of(ex);
			if (failure.passing() || failure == RedisFailure.REFUSED_LOGIN || failure == RedisFailure.PROTECTED_MODE) {
				lost(ex);
				// The connection is back in the pool by now, or was thrown away because
				// it is broken. An UNSUBSCRIBE would open another connection.
				return !PooledPerCommand.isTrueOf(connection);
			}
			refused(ex);
			return isEnded(connection);
		}
		catch (Error ex) {
			if (!PooledPerCommand.isTrueOf(connection)) {
				connection.close();
			}
			throw ex;
		}
		finally {
			this.confirmed = false;
			this.current = null;
		}
	}

	/**
	 * Says once that the right is missing; the next attempt follows later.
	 */
	private void refused(RuntimeException ex) {
		if (!this.refused) {
			this.refused = true;
			logger.warn(
					"Not allowed to subscribe to {} on {}: waiting for a lock takes up to one poll interval longer. "
							+ "Give the user +subscribe and the channel pattern ({})",
					name(), ServerDescription.of(this.factory), RedisFailure.detail(ex));
		}
	}

	/**
	 * Ends a connection whose subscription was refused. It is sound, so it would be back
	 * in the pool when Spring sends the UNSUBSCRIBE, and the next user of the connection
	 * would take that answer for the answer to another command. So the server is asked to
	 * end it. If the client cannot ask, the connection stays open, and there is no other
	 * attempt.
	 * @return whether to close the connection
	 */
	private boolean isEnded(RedisConnection connection) {
		if (PooledPerCommand.isTrueOf(connection)) {
			// The connection is back in the pool, and there is nothing to close.
			return false;
		}
		try {
			connection.execute("QUIT");
			return true;
		}
		catch (RuntimeException ex) {
			logger.debug("The connection of a refused subscription stays open", ex);
			this.closed.countDown();
			return false;
		}
	}

	private void lost(RuntimeException ex) {
		if (this.closed.getCount() > 0) {
			logger.debug("The subscription to {} is lost, waiting requests poll meanwhile", name(), ex);
		}
	}

	/**
	 * Ends the listening thread when the server has ended the subscription, or when its
	 * connection ends. The thread ignores messages until then. Either the server is no
	 * longer the master, or nothing arrives any more; then the connection ends when the
	 * system gives up to send, after about a quarter of an hour.
	 */
	void retire() {
		this.closed.countDown();
		if (this.confirmed) {
			unsubscribe();
		}
	}

	/**
	 * Ends the listening thread by a message to its channel. Waits only briefly: a server
	 * that hangs would delay the thread that closes the store by the read timeout of the
	 * client.
	 */
	void close() {
		this.closed.countDown();
		Thread thread = new Thread(this::wakeUp, "distributed-lock-redis-push-end");
		thread.setDaemon(true);
		thread.start();
		try {
			thread.join(CLOSE_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void wakeUp() {
		try (RedisConnection connection = Connections.of(this.factory)) {
			connection.publish(this.channel, WAKE_UP);
		}
		catch (RuntimeException ex) {
			logger.debug("Cannot end the subscription to {}: it ends with its connection", name(), ex);
		}
	}

	/**
	 * Unsubscribes; called on the listening thread only. Before the subscription is
	 * confirmed, on another thread the UNSUBSCRIBE may overtake the SUBSCRIBE, or may
	 * still be in progress when the connection is back in the pool. In both cases the
	 * next command on that connection gets a wrong answer.
	 */
	private boolean unsubscribedIfClosed() {
		if (this.closed.getCount() > 0) {
			return false;
		}
		unsubscribe();
		return true;
	}

	private void unsubscribe() {
		RedisConnection connection = this.current;
		Subscription subscription = (connection != null) ? connection.getSubscription() : null;
		if (subscription != null && this.unsubscribing.compareAndSet(false, true)) {
			try {
				subscription.unsubscribe();
			}
			catch (RuntimeException ex) {
				logger.debug("The subscription to {} ends with its connection", name(), ex);
			}
		}
	}

	private String name() {
		return new String(this.channel, StandardCharsets.UTF_8);
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		if (!unsubscribedIfClosed()) {
			String text = new String(message.getBody(), StandardCharsets.UTF_8);
			if (!this.echo.heard(text)) {
				this.receiving.run(this.receive, text);
			}
		}
	}

	@Override
	public void onChannelSubscribed(byte[] subscribed, long count) {
		this.confirmed = true;
		if (!unsubscribedIfClosed()) {
			if (this.refused) {
				this.refused = false;
				logger.info("Allowed to subscribe to {} on {} now", name(), ServerDescription.of(this.factory));
			}
			this.messages.subscribed();
		}
	}

}
