package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.distlock.LockStoreException;
import io.distlock.redis.client.RedisPlace;
import io.distlock.redis.client.ScriptRunner;
import io.distlock.redis.protocol.HolderCodec;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ServerClock;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientStoreException;
import io.distlock.text.KeyText;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Keeps locks in Redis: one hash per lock, changed only by scripts. Works with a single
 * server, with Sentinel and with Cluster, as the connection factory gives them.
 * <p>
 * With Lettuce no thread ever waits for the server, on two connections of the store's
 * own. With Jedis, commands run on up to four daemon threads (32 in a Cluster, so that a
 * master that is away holds up its own locks only), and one more listens; each takes a
 * connection of the pool. Waiters are told of their grant by a message; if it is lost,
 * they find out by polling. Where replicas must confirm, each acquisition and renewal has
 * a thread and a connection to itself while it runs.
 * <p>
 * A lock is lost when the server loses its data: see the documentation for what
 * persistence, replication and eviction mean for it. {@link RedisStartupCheck} finds
 * settings that make this likely.
 */
public final class RedisLockStore implements LockStore {

	private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9_-]+");

	private final Supplier<String> place;

	private final RedisAccess.Opener opener;

	private final RedisLockStoreSettings settings;

	private final KeyCodec keys;

	private final Quarantine quarantine;

	private final DoubleSupplier random;

	private final LongSupplier nanoTime;

	private final ServerClock clock = new ServerClock();

	private volatile @Nullable RedisAccess access;

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
	 * @param settings names and intervals
	 */
	public RedisLockStore(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		this(factory, settings, () -> ThreadLocalRandom.current().nextDouble());
	}

	RedisLockStore(RedisConnectionFactory factory, RedisLockStoreSettings settings, DoubleSupplier random) {
		this(() -> RedisPlace.of(factory), (instance, keys, listener) -> {
			requirePossible(factory, settings);
			return RedisAccess.open(factory, settings, keys, instance, listener);
		}, settings, random, System::nanoTime);
	}

	/**
	 * Creates a store whose surroundings are given; does not connect.
	 * @param opener connects
	 * @param settings names and intervals
	 * @param random numbers from 0 to 1 for jitter
	 * @param nanoTime the monotonic clock
	 */
	RedisLockStore(RedisAccess.Opener opener, RedisLockStoreSettings settings, DoubleSupplier random,
			LongSupplier nanoTime) {
		this(() -> "Redis", opener, settings, random, nanoTime);
	}

	private RedisLockStore(Supplier<String> place, RedisAccess.Opener opener, RedisLockStoreSettings settings,
			DoubleSupplier random, LongSupplier nanoTime) {
		this.place = place;
		this.opener = opener;
		this.settings = settings;
		this.keys = new KeyCodec(settings.prefix());
		this.quarantine = new Quarantine(settings);
		this.random = random;
		this.nanoTime = nanoTime;
	}

	/** A store for requests that do not queue. */
	public static RedisLockStore withoutMessages(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		return new RedisLockStore((instance, keys, listener) -> {
			requirePossible(factory, settings);
			return RedisAccess.openWithoutMessages(factory, settings);
		}, settings, () -> 0.5, System::nanoTime);
	}

	private static void requirePossible(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		boolean cluster = RedisAccess.isCluster(factory);
		new Quarantine(settings).requirePossible(cluster);
		if (cluster && !settings.replicas().isOff()) {
			throw new LockStoreException("", ReplicaProbe.IMPOSSIBLE, null);
		}
	}

	@Override
	public void start(String instance, StoreListener listener) {
		if (!INSTANCE.matcher(instance).matches()) {
			throw new IllegalArgumentException(
					"Instance id must consist of letters, digits, '_' and '-', was '" + instance + "'");
		}
		this.access = this.opener.open(instance, this.keys, listener);
		// Connects, and learns the server's clock, before the first lock is wanted.
		inspect(instance);
	}

	@Override
	public String describe() {
		return this.place.get();
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return whereAllowed(command.key(), command.lease(), () -> acquire(command, this.nanoTime.getAsLong(), true));
	}

	private CompletionStage<AcquireResult> acquire(AcquireCommand command, long begun, boolean mayRepeat) {
		long sent = this.nanoTime.getAsLong();
		return run(LockScript.ACQUIRE, command.key(), arguments(command, sent), Function.identity())
			.thenCompose((reply) -> {
				if (Replies.code(reply) != Replies.TOO_LATE) {
					return CompletableFuture.completedFuture(result(command.key(), reply));
				}
				// Either it was under way too long, or our estimate of the clock was off,
				// which this very reply corrected.
				if (mayRepeat && this.nanoTime.getAsLong() - begun < command.timeout().toNanos()) {
					return acquire(command, begun, false);
				}
				return CompletableFuture
					.failedFuture(new TransientStoreException(command.key(), "The request for lock '"
							+ KeyText.of(command.key()) + "' reached Redis too late to be executed", null));
			});
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request) {
		List<String> arguments = List.of(request.instance(), text(request.number()), text(this.settings.keep()),
				RedisAccess.channels(this.settings));
		return run(LockScript.FINISH, key, arguments, Replies::finish);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		List<String> arguments = List.of(command.request().instance(), text(command.request().number()),
				text(command.lease()), text(command.tokens()), text(this.settings.keep()), command.last() ? "1" : "0");
		return whereAllowed(command.key(), command.lease(),
				() -> run(LockScript.RENEW, command.key(), arguments, Replies::renew));
	}

	/**
	 * Raises the token of a hold.
	 * @param key the lock
	 * @param request who holds it
	 * @param token the new first token of its block
	 * @param tokens how many the block has
	 * @return {@code false} if the request does not hold it, or its token is higher
	 */
	public CompletionStage<Boolean> raise(String key, RequestId request, long token, int tokens) {
		List<String> arguments = List.of(request.instance(), text(request.number()), text(token),
				text(this.settings.keep()), text(tokens));
		return run(LockScript.FENCE_RAISE, key, arguments, (reply) -> Replies.code(reply) == Replies.HELD);
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return run(LockScript.INSPECT, key, List.of(), (reply) -> Replies.snapshot(key, reply));
	}

	@Override
	public void stop() {
		RedisAccess open = this.access;
		this.access = null;
		if (open != null) {
			open.close().run();
		}
	}

	private <T> CompletionStage<T> whereAllowed(String key, Duration lease, Supplier<CompletionStage<T>> command) {
		try {
			this.quarantine.check(key, lease);
		}
		catch (LockStoreException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return command.get();
	}

	private <T> CompletableFuture<T> run(LockScript script, String key, List<String> arguments,
			Function<List<Object>, T> reader) {
		RedisAccess open = this.access;
		if (open == null) {
			return CompletableFuture
				.failedFuture(new LockStoreException("", "The Redis lock store is not running", null));
		}
		try {
			String redisKey = this.keys.encode(key);
			List<String> scriptKeys = List.of(redisKey);
			if (script == LockScript.ACQUIRE) {
				this.keys.remember(key, redisKey);
				scriptKeys = this.quarantine.keys(redisKey);
			}
			open.subscribe().run();
			long sent = this.nanoTime.getAsLong();
			return new ScriptRunner(open.commands()).run(script, key, scriptKeys, arguments).thenApply((reply) -> {
				this.clock.observe(sent, this.nanoTime.getAsLong(), Replies.storeTime(script, reply));
				return reader.apply(reply);
			});
		}
		catch (LockStoreException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private List<String> arguments(AcquireCommand command, long sent) {
		Duration waiterTtl = command.queue() ? this.settings.waiterTtl() : Duration.ZERO;
		List<String> arguments = List.of(command.request().instance(), text(command.request().number()),
				text(command.lease()), text(this.settings.claim()), text(waiterTtl), text(command.tokens()),
				text(this.settings.keep()), text(this.clock.notAfter(sent, command.timeout())),
				RedisAccess.channels(this.settings), text(this.quarantine.serverMillis()),
				HolderCodec.encode(command.holder()));
		if (command.sharing() instanceof Sharing.Exclusive) {
			return arguments;
		}
		List<String> more = new ArrayList<>(arguments);
		more.add((command.sharing() instanceof Sharing.Permit permit) ? text(permit.of()) : "S");
		return more;
	}

	private AcquireResult result(String key, List<Object> reply) {
		return switch (Replies.code(reply)) {
			case Replies.HELD -> new AcquireResult.Granted(Replies.grant(reply), Replies.waiters(reply));
			case Replies.QUEUED -> new AcquireResult.Queued(Replies.storeTime(LockScript.ACQUIRE, reply),
					pollWithin(reply), Replies.holder(reply));
			case Replies.BUSY -> new AcquireResult.Busy(Replies.holder(reply));
			case Replies.OVER -> new AcquireResult.Ended();
			case Replies.QUARANTINED -> throw this.quarantine.refusal(key, reply);
			default -> throw new LockStoreException("", "The script gave an unknown answer: " + reply, null);
		};
	}

	/**
	 * Spread out, so that waiters do not poll in step: around the poll interval, or just
	 * after the holder's lease when that ends sooner.
	 */
	private Duration pollWithin(List<Object> reply) {
		double jitter = this.random.getAsDouble();
		Duration interval = Duration.ofNanos((long) (this.settings.pollInterval().toNanos() * (0.8 + 0.4 * jitter)));
		Duration afterLease = Replies.holderRemaining(reply).plusNanos((long) (1_000_000 * (1 + 9 * jitter)));
		return (afterLease.compareTo(interval) < 0) ? afterLease : interval;
	}

	private static String text(Duration duration) {
		return text(duration.toMillis());
	}

	private static String text(long number) {
		return Long.toString(number);
	}

}
