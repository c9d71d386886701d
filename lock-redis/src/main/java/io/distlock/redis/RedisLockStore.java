package io.distlock.redis;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.distlock.LockStoreException;
import io.distlock.redis.client.ClientFactory;
import io.distlock.redis.client.LossProbe;
import io.distlock.redis.client.RedisClient;
import io.distlock.redis.client.ServerDescription;
import io.distlock.redis.connect.ClientFactories;
import io.distlock.redis.connect.VerbGate;
import io.distlock.redis.protocol.Inbox;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.LockVerbs;
import io.distlock.redis.protocol.GrantMessages;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Keeps locks in Redis: each lock is one hash that only scripts change. Works with a
 * single server, with Sentinel and with Cluster, depending on the connection factory.
 * <p>
 * With Lettuce, no thread waits for the server, and the store opens two connections that
 * only it uses. With Sentinel, one thread asks for the master every second; with Lettuce
 * it uses two connections to each Sentinel. With Jedis, commands run on up to four daemon
 * threads. In a Cluster there are up to 32, so that a master that is away delays only the
 * locks on that master. One more thread listens. Each of these threads takes a connection
 * of the pool. A thread that waits for a lock, or for its release, executes the command
 * itself on a connection of the pool. It does so only if the timeouts of Jedis and of its
 * pool are together not longer than the command timeout. It does not do so in a Cluster.
 * A message notifies a waiter of its grant; if the message is lost, the waiter learns of
 * the grant by polling.
 * <p>
 * A lock is lost when the server loses its data. The documentation says what persistence,
 * replication and eviction mean for locks. {@link RedisStartupCheck} finds settings that
 * make a loss likely.
 */
public final class RedisLockStore implements LockStore {

	private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9_-]+");

	private final Supplier<String> description;

	private final Opener opener;

	private final RedisLockStoreSettings settings;

	private final KeyCodec names;

	private final Quarantine quarantine;

	private final Supplier<String> secrets;

	private final DoubleSupplier random;

	private final LongSupplier nanoTime;

	/** Runs when the server no longer knows a hold, and nobody says why. */
	private final Runnable onLoss;

	private final VerbGate started = new VerbGate("Redis lock store");

	private volatile @Nullable Connecting connecting;

	/** Whether the engine waits less time for an answer than the client may take. */
	private volatile boolean engineWaitsLess;

	/** Opens a client for an instance when it starts. */
	interface Opener {

		RedisClient open(String channel, GrantMessages messages);

	}

	/**
	 * Records the first attempt to connect.
	 *
	 * @param ended completed when the first command succeeded or failed
	 * @param since when the attempt began
	 */
	private record Connecting(CompletableFuture<Boolean> ended, long since) {
	}

	/**
	 * Creates a store with default settings; does not connect.
	 * @param factory the application's connection factory
	 */
	public RedisLockStore(RedisConnectionFactory factory) {
		this(factory, RedisLockStoreSettings.DEFAULTS);
	}

	/**
	 * Creates a store; does not connect.
	 * @param factory the application's connection factory
	 * @param settings names and times
	 */
	public RedisLockStore(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		this(factory, settings, () -> ThreadLocalRandom.current().nextDouble());
	}

	RedisLockStore(RedisConnectionFactory factory, RedisLockStoreSettings settings, DoubleSupplier random) {
		this(() -> ServerDescription.of(factory), (channel, messages) -> {
			ClientFactory clients = ClientFactories.of(factory);
			if (clients.isCluster()) {
				requirePossibleInCluster(settings);
			}
			return clients.open(settings.client(), channel, messages);
		}, settings, () -> UUID.randomUUID().toString(), random, System::nanoTime,
				new LossProbe(factory, System::nanoTime)::lost);
	}

	/**
	 * Creates a store; does not connect.
	 * @param description describes the server
	 * @param opener opens a client
	 * @param settings names and times
	 * @param secrets creates texts that cannot be guessed, one for each start
	 * @param random numbers from 0 to 1 for jitter
	 * @param nanoTime the monotonic clock
	 * @param onLoss runs when the server no longer knows a hold, and nobody says why
	 */
	RedisLockStore(Supplier<String> description, Opener opener, RedisLockStoreSettings settings,
			Supplier<String> secrets, DoubleSupplier random, LongSupplier nanoTime, Runnable onLoss) {
		this.onLoss = onLoss;
		this.description = description;
		this.opener = opener;
		this.settings = settings;
		this.names = settings.names();
		this.quarantine = settings.quarantineOf(this.names);
		this.secrets = secrets;
		this.random = random;
		this.nanoTime = nanoTime;
	}

	private static void requirePossibleInCluster(RedisLockStoreSettings settings) {
		if (!settings.quarantine().isZero()) {
			throw new LockStoreException("", Quarantine.IMPOSSIBLE, null);
		}
	}

	@Override
	public void start(String instance, StoreListener listener) {
		if (!INSTANCE.matcher(instance).matches()) {
			throw new IllegalArgumentException(
					"Instance id must consist of letters, digits, '_' and '-', was '" + instance + "'");
		}
		Inbox inbox = new Inbox(instance, this.secrets.get());
		GrantMessages messages = new GrantMessages(instance, inbox, this.names, listener, this.nanoTime);
		RedisClient client = this.opener.open(inbox.channel(this.names), messages);
		LockVerbs verbs = new LockVerbs(client.commands(), this.names, this.settings.times(), this.quarantine,
				QuarantineException::new, client.tags(), inbox::address, this.random, this.nanoTime);
		CompletableFuture<Boolean> ended = new CompletableFuture<>();
		this.connecting = new Connecting(ended, this.nanoTime.getAsLong());
		this.started.start(client, verbs);
		// This command connects, and learns the server's clock, before the first
		// acquisition.
		inspect(instance).whenComplete((seen, failure) -> ended.complete(failure == null));
	}

	@Override
	public Duration connecting() {
		Connecting first = this.connecting;
		if (first == null || first.ended().isDone()) {
			return Duration.ZERO;
		}
		Duration elapsed = Duration.ofNanos(this.nanoTime.getAsLong() - first.since());
		Duration left = this.settings.connectTimeout().minus(elapsed);
		return left.isNegative() ? Duration.ZERO : left;
	}

	@Override
	public Duration waiterLifetime() {
		return this.settings.keep();
	}

	@Override
	public String describe() {
		return this.description.get();
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return this.started.run((verbs) -> verbs.acquire(command));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return LossProbe.watched(this.started.run((verbs) -> verbs.finish(key, request, keepFor)), this.onLoss);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		boolean less = command.timeout().compareTo(this.settings.commandTimeout()) < 0;
		if (less != this.engineWaitsLess) {
			this.engineWaitsLess = less;
		}
		return this.started.run((verbs) -> verbs.acquire(command, bounded(caller)));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor, CallingThread caller) {
		return LossProbe.watched(this.started.run((verbs) -> verbs.finish(key, request, keepFor, bounded(caller))),
				this.onLoss);
	}

	/**
	 * Keeps a caller out of the client if the client may take longer than the engine
	 * waits. With Spring Boot both wait equally long; an application without it may
	 * configure different timeouts.
	 */
	private CallingThread bounded(CallingThread caller) {
		return this.engineWaitsLess ? CallingThread.NONE : caller;
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return LossProbe.watched(this.started.run((verbs) -> verbs.renew(command)), this.onLoss);
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
