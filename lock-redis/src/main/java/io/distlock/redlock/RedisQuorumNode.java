package io.distlock.redlock;

import java.util.concurrent.CompletionStage;

import io.distlock.redis.RedisLockStore;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/** A node that is a Redis of its own: the store for one server, without its messages. */
final class RedisQuorumNode implements QuorumNode {

	private final String name;

	private final RedisLockStore store;

	RedisQuorumNode(RedlockNode node, RedlockSettings settings) {
		this.name = node.name();
		this.store = RedisLockStore.withoutMessages(node.connectionFactory(), settings.node());
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void start(String instance) {
		this.store.start(instance, Unheard.INSTANCE);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return this.store.acquire(command);
	}

	@Override
	public CompletionStage<Boolean> raise(String key, RequestId request, long token, int tokens) {
		return this.store.raise(key, request, token, tokens);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return this.store.renew(command);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request) {
		return this.store.finish(key, request);
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return this.store.inspect(key);
	}

	@Override
	public void stop() {
		this.store.stop();
	}

	/** Nobody queues, so nothing is told. */
	private enum Unheard implements StoreListener {

		INSTANCE;

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			// Comes of queueing only.
		}

		@Override
		public void contended(String key) {
			// Comes of queueing only.
		}

		@Override
		public void reconnected() {
			// Comes of listening only.
		}

	}

}
