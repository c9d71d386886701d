package io.distlock.redis.lettuce;

import io.distlock.redis.protocol.PushMessages;
import org.jspecify.annotations.Nullable;

/** Directs a client to a new master, then has all holds confirmed there. */
final class LettuceMove implements Runnable {

	private final PushMessages messages;

	private volatile @Nullable Connections connections;

	private record Connections(LettuceCommands commands, LettuceSubscription subscription) {
	}

	LettuceMove(PushMessages messages) {
		this.messages = messages;
	}

	/** Sets what is directed. */
	void of(LettuceCommands commands, LettuceSubscription subscription) {
		this.connections = new Connections(commands, subscription);
	}

	@Override
	public void run() {
		Connections current = this.connections;
		if (current != null) {
			current.commands().moveOver();
			current.subscription().renew();
			this.messages.failedOver();
		}
	}

}
