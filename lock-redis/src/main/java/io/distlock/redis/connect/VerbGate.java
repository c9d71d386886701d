package io.distlock.redis.connect;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.distlock.LockStoreException;
import io.distlock.redis.client.RedisClient;
import io.distlock.redis.protocol.LockVerbs;
import org.jspecify.annotations.Nullable;

/** Provides the verbs of a store while it is started; earlier and later commands fail. */
public final class VerbGate {

	private final String store;

	private volatile @Nullable Started started;

	private record Started(RedisClient client, LockVerbs verbs) {
	}

	/**
	 * Creates a gate for a store that is not started yet.
	 * @param store the name of the store in the failure of a command
	 */
	public VerbGate(String store) {
		this.store = store;
	}

	/**
	 * Starts the store.
	 * @param client the connections, closed when the store stops
	 * @param verbs the commands on these connections
	 */
	public void start(RedisClient client, LockVerbs verbs) {
		this.started = new Started(client, verbs);
	}

	/**
	 * Runs a command of a lock. Subscribes to messages if necessary. With Lettuce this
	 * opens a connection, which an application that has only started does not need yet.
	 * @param <T> type of the answer
	 * @param command the command
	 * @return the answer; fails with {@link LockStoreException} if the store is not
	 * started
	 */
	public <T> CompletionStage<T> run(Function<LockVerbs, CompletionStage<T>> command) {
		Started open = this.started;
		if (open == null) {
			return notRunning();
		}
		open.client().ensureSubscribed();
		return command.apply(open.verbs());
	}

	/**
	 * Runs a command that only reads, and waits for no message.
	 * @param <T> type of the answer
	 * @param command the command
	 * @return the answer; fails with {@link LockStoreException} if the store is not
	 * started
	 */
	public <T> CompletionStage<T> look(Function<LockVerbs, CompletionStage<T>> command) {
		Started open = this.started;
		return (open != null) ? command.apply(open.verbs()) : notRunning();
	}

	private <T> CompletionStage<T> notRunning() {
		return CompletableFuture.failedFuture(LockStoreException.notRunning(this.store));
	}

	/** Closes the connections, if the store is started. */
	public void stop() {
		Started open = this.started;
		this.started = null;
		if (open != null) {
			open.client().close();
		}
	}

}
