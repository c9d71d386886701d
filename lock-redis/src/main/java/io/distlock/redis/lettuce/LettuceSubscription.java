package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.distlock.redis.client.Echo;
import io.distlock.redis.protocol.GrantMessages;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.support.LoopGuard;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscribes to the channel of this instance; one subscription serves all locks. Once
 * connected, Lettuce subscribes again after each loss of the connection.
 */
final class LettuceSubscription {

	private static final Logger logger = LoggerFactory.getLogger(LettuceSubscription.class);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	/** How long the right may be missing before it is asked for again. */
	private static final Duration AFTER_REFUSAL = Duration.ofSeconds(10);

	private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(5);

	private final LettuceLinks links;

	private final String channel;

	private final GrantMessages messages;

	private final Reconnecting<Subscribed> connection;

	private final Echo echo;

	/** When another attempt may follow a refusal, if the subscription was refused. */
	private volatile @Nullable Long again;

	/** A connection and its listener. */
	private record Subscribed(StatefulRedisPubSubConnection<String, String> connection, Listener listener) {
	}

	/**
	 * Creates the subscription; connects when it is first needed.
	 * @param links opens connections
	 * @param connector runs attempts, which block
	 * @param channel the channel of this instance
	 * @param messages receives the messages
	 * @param publisher publishes to the channel, the way that commands take
	 */
	LettuceSubscription(LettuceLinks links, Executor connector, String channel, GrantMessages messages,
			Echo.Publisher publisher) {
		this.links = links;
		this.channel = channel;
		this.messages = messages;
		this.connection = new Reconnecting<>(new ReentrantLock(), new Subscriptions(), connector, () -> LONGEST_ATTEMPT,
				PAUSE, System::nanoTime);
		this.echo = new Echo(publisher, this::renew, links::server, System::nanoTime);
	}

	/**
	 * Subscribes in the background if necessary; limits how often it tries. If there is a
	 * subscription, looks now and then whether it still works.
	 */
	void ensure() {
		if (this.connection.current() != null) {
			this.echo.look();
		}
		else {
			Long later = this.again;
			if (later == null || System.nanoTime() - later >= 0) {
				this.connection.connect().run();
			}
		}
	}

	/**
	 * Replaces the connection by a new one, because the former one may lead to a server
	 * that hangs or is no longer the master. Messages from the former connection are
	 * ignored.
	 */
	void renew() {
		Subscribed former = this.connection.startOver();
		if (former != null) {
			former.listener().retired = true;
			former.connection().closeAsync();
		}
		ensure();
	}

	/** Closes the connection; completes when it is closed. */
	CompletionStage<Void> close() {
		return this.connection.close();
	}

	private final class Subscriptions implements Reconnecting.Source<Subscribed> {

		@Override
		public CompletionStage<Subscribed> open() {
			StatefulRedisPubSubConnection<String, String> opened = LettuceSubscription.this.links.openPubSub();
			Listener listener = new Listener();
			opened.addListener(listener);
			return opened.async().subscribe(LettuceSubscription.this.channel).whenComplete((nothing, error) -> {
				if (error != null) {
					opened.closeAsync();
				}
			}).thenApply((nothing) -> new Subscribed(opened, listener));
		}

		@Override
		public CompletionStage<Void> close(Subscribed unwanted) {
			unwanted.listener().retired = true;
			return unwanted.connection().closeAsync();
		}

		@Override
		public Runnable opened(Subscribed subscribed) {
			boolean allowed = LettuceSubscription.this.again != null;
			LettuceSubscription.this.again = null;
			return () -> {
				if (allowed) {
					logger.info("Allowed to subscribe to {} on {} now", LettuceSubscription.this.channel,
							LettuceSubscription.this.links.server());
				}
			};
		}

		@Override
		public Runnable failed(Throwable failure) {
			boolean known = LettuceSubscription.this.again != null;
			boolean refusal = RedisFailure.of(failure) == RedisFailure.NO_PERMISSION;
			if (known || refusal) {
				LettuceSubscription.this.again = System.nanoTime() + AFTER_REFUSAL.toNanos();
			}
			return () -> log(failure, refusal && !known);
		}

		private void log(Throwable failure, boolean refusal) {
			String channel = LettuceSubscription.this.channel;
			String server = LettuceSubscription.this.links.server();
			if (refusal) {
				logger.warn(
						"Not allowed to subscribe to {} on {}: waiting for a lock takes up to one poll interval "
								+ "longer. Give the user +subscribe and the channel pattern ({})",
						channel, server, RedisFailure.detail(failure));
			}
			else {
				logger.debug("Cannot subscribe to {} on {} yet", channel, server, failure);
			}
		}

	}

	private final class Listener extends RedisPubSubAdapter<String, String> {

		private final LoopGuard guard = new LoopGuard("messages of " + LettuceSubscription.this.channel);

		private final Consumer<String> receive = LettuceSubscription.this.messages::receive;

		private volatile boolean retired;

		@Override
		public void message(String from, String message) {
			if (!this.retired && !LettuceSubscription.this.echo.heard(message)) {
				this.guard.run(this.receive, message);
			}
		}

		@Override
		public void subscribed(String to, long count) {
			LettuceSubscription.this.messages.subscribed();
		}

	}

}
