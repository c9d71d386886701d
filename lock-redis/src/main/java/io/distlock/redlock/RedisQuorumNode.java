package io.distlock.redlock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.distlock.LockStoreException;
import io.distlock.redis.QuarantineException;
import io.distlock.redis.client.ClientFactory;
import io.distlock.redis.client.RedisClient;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.LockVerbs;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/** A node that is a Redis server, without its queue and so without its messages. */
final class RedisQuorumNode implements QuorumNode {

	private final RedlockNode node;

	private final RedlockSettings settings;

	private final KeyCodec names;

	private final Quarantine quarantine;

	private volatile @Nullable Started started;

	private record Started(RedisClient client, LockVerbs verbs) {
	}

	RedisQuorumNode(RedlockNode node, RedlockSettings settings) {
		this.node = node;
		this.settings = settings;
		this.names = settings.names();
		this.quarantine = settings.quarantineOf(this.names);
	}

	@Override
	public String name() {
		return this.node.name();
	}

	@Override
	public void start(String instance) {
		ClientFactory clients = ClientFactory.of(this.node.connectionFactory());
		if (clients.isCluster() && !this.quarantine.isOff()) {
			throw new LockStoreException("", Quarantine.IMPOSSIBLE, null);
		}
		RedisClient client = clients.openWithoutMessages(this.settings.client());
		LockVerbs verbs = new LockVerbs(client.commands(), this.names, this.settings.times(), this.quarantine,
				QuarantineException::new, client.tags(), () -> 0.5, System::nanoTime);
		this.started = new Started(client, verbs);
		// Connects, and learns the server's clock, before the first acquisition.
		verbs.inspect(instance);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return run((verbs) -> verbs.acquire(command));
	}

	@Override
	public CompletionStage<Boolean> raise(String key, RequestId request, long token, int tokens) {
		return run((verbs) -> verbs.raise(key, request, token, tokens));
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return run((verbs) -> verbs.renew(command));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request) {
		return run((verbs) -> verbs.finish(key, request));
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return run((verbs) -> verbs.inspect(key));
	}

	@Override
	public void stop() {
		Started open = this.started;
		this.started = null;
		if (open != null) {
			open.client().close();
		}
	}

	private <T> CompletionStage<T> run(Function<LockVerbs, CompletionStage<T>> command) {
		Started open = this.started;
		return (open != null) ? command.apply(open.verbs()) : CompletableFuture.failedFuture(
				new LockStoreException("", "The Redis lock store of node " + name() + " is not running", null));
	}

}
