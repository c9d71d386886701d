package io.distlock.redis.pooled;

import io.distlock.redis.client.Echo;
import io.distlock.redis.client.ServerDescription;
import io.distlock.redis.protocol.GrantMessages;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Keeps the subscription of a client that blocks, and renews it when the master changes.
 */
final class PooledMessages {

	private final RedisConnectionFactory factory;

	private final String channel;

	private final GrantMessages messages;

	private final Echo echo;

	private volatile BlockingSubscription current;

	private boolean closed;

	private final @Nullable PolledMaster master;

	/**
	 * Subscribes, on a new thread.
	 * @param factory the application's connection factory
	 * @param channel the channel to subscribe to
	 * @param messages receives the messages
	 * @param publisher publishes to the channel, the way that commands take
	 */
	PooledMessages(RedisConnectionFactory factory, String channel, GrantMessages messages, Echo.Publisher publisher) {
		this.factory = factory;
		this.channel = channel;
		this.messages = messages;
		this.echo = new Echo(publisher, this::resubscribe, () -> ServerDescription.of(factory), System::nanoTime);
		this.current = subscribed();
		this.master = PolledMaster.start(factory, this::moveOver, messages::failedOver);
	}

	private BlockingSubscription subscribed() {
		BlockingSubscription subscription = new BlockingSubscription(this.factory, this.channel, this.messages,
				this.echo);
		subscription.start();
		return subscription;
	}

	/**
	 * Looks now and then whether the subscription still works. After a refusal, lets it
	 * try again.
	 */
	void ensure() {
		if (this.current.isNeeded()) {
			this.echo.look();
		}
	}

	/**
	 * Replaces the subscription: the former master keeps its connection for seconds but
	 * sends nothing.
	 */
	private void moveOver() {
		if (resubscribe()) {
			this.messages.failedOver();
		}
	}

	private synchronized boolean resubscribe() {
		if (this.closed) {
			return false;
		}
		BlockingSubscription former = this.current;
		this.current = subscribed();
		former.retire();
		return true;
	}

	void close() {
		if (this.master != null) {
			this.master.close();
		}
		last().close();
	}

	private synchronized BlockingSubscription last() {
		this.closed = true;
		return this.current;
	}

}
