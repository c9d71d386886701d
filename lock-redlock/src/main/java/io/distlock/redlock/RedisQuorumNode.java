package io.distlock.redlock;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

import io.distlock.LockStoreException;
import io.distlock.redis.QuarantineException;
import io.distlock.redis.client.ClientFactory;
import io.distlock.redis.client.LossProbe;
import io.distlock.redis.client.RedisClient;
import io.distlock.redis.connect.ClientFactories;
import io.distlock.redis.connect.VerbGate;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.LockVerbs;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;

/**
 * Represents a Redis server as a node, without its queue and therefore without its
 * messages.
 */
final class RedisQuorumNode implements QuorumNode {

	private final RedlockNode node;

	private final RedlockSettings settings;

	private final KeyCodec names;

	private final Quarantine quarantine;

	private final VerbGate started;

	private final LossProbe loss;

	RedisQuorumNode(RedlockNode node, RedlockSettings settings) {
		this.node = node;
		this.settings = settings;
		this.names = settings.names();
		this.quarantine = settings.quarantineOf(this.names);
		this.loss = new LossProbe(node.connectionFactory(), System::nanoTime);
		this.started = new VerbGate("Redis lock store of node " + name());
	}

	@Override
	public String name() {
		return this.node.name();
	}

	@Override
	public CompletionStage<?> start(String instance) {
		ClientFactory clients = ClientFactories.of(this.node.connectionFactory());
		if (clients.isCluster() && !this.quarantine.isOff()) {
			throw new LockStoreException("", Quarantine.IMPOSSIBLE, null);
		}
		RedisClient client = clients.openWithoutMessages(this.settings.client());
		LockVerbs verbs = new LockVerbs(client.commands(), this.names, this.settings.times(), this.quarantine,
				QuarantineException::new, client.tags(), (request, claim) -> "", () -> 0.5, System::nanoTime);
		this.started.start(client, verbs);
		// This command connects, and learns the server's clock, before the first
		// acquisition.
		return verbs.inspect(instance);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return this.started.run((verbs) -> verbs.acquire(command));
	}

	@Override
	public CompletionStage<Boolean> raise(String key, RequestId request, long token, int tokens) {
		return this.started.run((verbs) -> verbs.raise(key, request, token, tokens));
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return LossProbe.watched(this.started.run((verbs) -> verbs.renew(command)), this.loss::lost);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return LossProbe.watched(this.started.run((verbs) -> verbs.finish(key, request, keepFor)), this.loss::lost);
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return this.started.look((verbs) -> verbs.inspect(key));
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return this.started.run((verbs) -> verbs.forceRelease(command));
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return this.started.look((verbs) -> verbs.list(command));
	}

	@Override
	public void stop() {
		this.started.stop();
	}

}
