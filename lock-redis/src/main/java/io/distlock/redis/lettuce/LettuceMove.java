package io.distlock.redis.lettuce;

import io.distlock.redis.protocol.GrantMessages;
import org.jspecify.annotations.Nullable;

/** Moves a client to a new master, then has all holds confirmed there. */
final class LettuceMove implements Runnable {

	private final GrantMessages messages;

	private volatile @Nullable Directed directed;

	private record Directed(LettuceCommands commands, LettuceSubscription subscription) {
	}

	LettuceMove(GrantMessages messages) {
		this.messages = messages;
	}

	/** Sets what to move. */
	void of(LettuceCommands commands, LettuceSubscription subscription) {
		this.directed = new Directed(commands, subscription);
	}

	@Override
	public void run() {
		Directed current = this.directed;
		if (current != null) {
			current.commands().moveOver();
			current.subscription().renew();
			this.messages.failedOver();
		}
	}

}
