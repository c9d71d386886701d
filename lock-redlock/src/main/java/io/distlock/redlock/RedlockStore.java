package io.distlock.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.LockStoreException;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Capability;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks on a majority of independent Redis masters (Redlock). Locks remain
 * available and exclusive while a minority of the masters is away, hangs or has lost its
 * data.
 * <p>
 * A lock is acquired when a majority granted it and a majority then accepted its fencing
 * token, both within the lease. Otherwise the store releases it on all nodes. The store
 * has no queue: a waiter tries again after a random pause, so waiters come in no order. A
 * node that lost its data grants nothing during the
 * {@linkplain RedlockSettings#quarantine quarantine}. Therefore no lease may be longer
 * than the quarantine.
 * <p>
 * Locks may be shared. Shared holds that are acquired at the same moment may have the
 * same fencing token, or tokens in either order. An acquisition that begins after a hold
 * got its token gets a higher token. Permits are not supported, because different nodes
 * would grant them to different processes. A lock template refuses permits with
 * {@link UnsupportedOperationException}, this store with {@link LockStoreException}.
 * <p>
 * If no majority of the nodes answers, commands fail with {@link LockStoreException}. The
 * exception, or its cause, is a {@link QuorumException} that states what is wrong with
 * each node. The store never reports such a lock as busy.
 */
public final class RedlockStore implements LockStore {

	private final List<QuorumNode> nodes;

	private final RedlockSettings settings;

	private final Quarantine quarantine;

	private final Supplier<QuorumTimer> timers;

	private final DoubleSupplier random;

	private volatile @Nullable RunningQuorum running;

	/**
	 * Creates a store with default settings; does not connect.
	 * @param nodes the masters, an odd number of at least three
	 */
	public RedlockStore(List<RedlockNode> nodes) {
		this(nodes, RedlockSettings.DEFAULTS);
	}

	/**
	 * Creates a store; does not connect.
	 * @param nodes the masters, an odd number of at least three
	 * @param settings names and times
	 */
	public RedlockStore(List<RedlockNode> nodes, RedlockSettings settings) {
		this(checked(nodes).stream().map((node) -> watched(new RedisQuorumNode(node, settings), settings)).toList(),
				settings, QuorumTimer::start, () -> ThreadLocalRandom.current().nextDouble());
	}

	RedlockStore(List<QuorumNode> nodes, RedlockSettings settings, Supplier<QuorumTimer> timers,
			DoubleSupplier random) {
		this.nodes = nodes;
		this.settings = settings;
		this.quarantine = settings.quarantineOf(settings.names());
		this.timers = timers;
		this.random = random;
	}

	/** Gives a node the time that its first connection and a slow answer may take. */
	private static QuorumNode watched(QuorumNode node, RedlockSettings settings) {
		return new WatchedNode(node, settings.commandTimeout().multipliedBy(3).plus(settings.connectTimeout()),
				System::nanoTime);
	}

	private static List<RedlockNode> checked(List<RedlockNode> nodes) {
		if (nodes.size() < 3 || nodes.size() % 2 == 0) {
			throw new IllegalArgumentException(
					"Redlock needs an odd number of at least 3 nodes, there are " + nodes.size());
		}
		Set<String> names = new HashSet<>();
		Set<RedisConnectionFactory> factories = new HashSet<>();
		for (RedlockNode node : nodes) {
			if (!names.add(node.name()) || !factories.add(node.connectionFactory())) {
				throw new IllegalArgumentException("Redlock node '" + node.name() + "' is listed twice");
			}
		}
		return nodes;
	}

	@Override
	public void start(String instance, StoreListener listener) {
		List<CompletionStage<?>> first = new ArrayList<>();
		try {
			this.nodes.forEach((node) -> first.add(node.start(instance)));
		}
		catch (RuntimeException ex) {
			this.nodes.forEach(QuorumNode::stop);
			throw ex;
		}
		QuorumTimer timer = this.timers.get();
		FirstConnections connections = new FirstConnections(first, Quorum.majorityOf(this.nodes.size()),
				this.settings.connectTimeout(), timer::nanoTime);
		this.running = new RunningQuorum(new Quorum(this.nodes, this.settings.nodeTimeout(), connections, timer),
				this.settings, this.random);
	}

	@Override
	public Duration connecting() {
		RunningQuorum open = this.running;
		return (open != null) ? open.connecting() : Duration.ZERO;
	}

	@Override
	public Set<Capability> unsupported() {
		// Each node would grant as many permits as there are, to different requests. So
		// more requests than that would find a majority.
		return Set.of(Capability.PERMITS, Capability.QUEUE);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		if (command.sharing() instanceof Sharing.Permit) {
			return CompletableFuture.failedFuture(new LockStoreException(command.key(),
					"There are no permits of '" + KeyText.of(command.key()) + "': " + Capability.PERMITS.lackedBy(this),
					null));
		}
		return run(command.key(), command.lease(), (open) -> open.acquire(command));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return run(key, Duration.ZERO, (open) -> open.finish(key, request, keepFor));
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return run(command.key(), command.lease(), (open) -> open.renew(command));
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return run(key, Duration.ZERO, (open) -> open.inspect(key));
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return run(command.key(), Duration.ZERO, (open) -> open.forceRelease(command));
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return run(command.prefix(), Duration.ZERO, (open) -> open.list(command));
	}

	@Override
	public String describe() {
		return "a majority of the Redis servers "
				+ this.nodes.stream().map(QuorumNode::name).collect(Collectors.joining(", "));
	}

	/**
	 * Returns the nodes that have not answered for a while, each with the reason. Locks
	 * go on while a majority of the nodes answers. Does not ask the nodes.
	 * @return one text for each lost node; none before the first command
	 */
	@Override
	public List<String> lostNodes() {
		return this.nodes.stream()
			.flatMap((node) -> (node instanceof WatchedNode watched) ? watched.loss().stream() : Stream.empty())
			.toList();
	}

	@Override
	public void stop() {
		RunningQuorum open = this.running;
		this.running = null;
		if (open != null) {
			open.stop();
		}
	}

	/**
	 * Returns whether the store remembers no request and has nothing left to end on any
	 * node.
	 */
	boolean isIdle() {
		RunningQuorum open = this.running;
		return open == null || open.isIdle();
	}

	private interface Command<T> {

		CompletableFuture<T> run(RunningQuorum quorum);

	}

	private <T> CompletableFuture<T> run(String key, Duration lease, Command<T> command) {
		RunningQuorum open = this.running;
		if (open == null) {
			return CompletableFuture.failedFuture(LockStoreException.notRunning("Redlock store"));
		}
		return this.quarantine.objection(key, lease)
			.<CompletableFuture<T>>map(CompletableFuture::failedFuture)
			.orElseGet(() -> command.run(open));
	}

}
