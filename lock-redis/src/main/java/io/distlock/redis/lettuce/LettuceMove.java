package io.distlock.redis.lettuce;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.redis.protocol.GrantMessages;
import org.jspecify.annotations.Nullable;

/**
 * Moves a client to a new master, then has all holds confirmed there. It also connects
 * the subscription with the commands, which are made later.
 */
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

	/** Publishes a message, the way that commands take. */
	CompletionStage<?> publish(String channel, String message) {
		Directed current = this.directed;
		return (current != null) ? current.commands().publish(channel, message)
				: CompletableFuture.failedFuture(new IllegalStateException("There are no commands yet"));
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
