package io.distlock.redis.lettuce;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;

import io.distlock.support.LoopGuard;

/**
 * Knows the master that the Sentinels name. It listens to all Sentinels, because one of
 * them decides and the others learn the decision up to two seconds later. It also asks
 * each Sentinel every second, in case a message was lost. After a planned failover, the
 * former master accepts writes for about ten more seconds, so connections alone do not
 * show the change.
 * <p>
 * An answer counts unless its epoch is lower than that of the previous answer. So a
 * Sentinel that is behind does not lead back to the former master. If no answer counted
 * for half a minute, the next answer counts with any epoch, because new Sentinels begin
 * with a low epoch.
 */
final class LettuceSentinels {

	private static final Logger logger = LoggerFactory.getLogger(LettuceSentinels.class);

	private static final String THREAD = "distributed-lock-redis-sentinel";

	private static final Consumer<Sentinel> VISIT = Sentinel::visit;

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	/** The age after which an answer says nothing about the present. */
	private static final Duration FRESH = INTERVAL.multipliedBy(3);

	/** The time after which any answer counts; no reachable Sentinel lags so long. */
	private static final Duration FORGOTTEN = Duration.ofSeconds(30);

	private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(5);

	/**
	 * The events to listen to; with the first one, the leader begins to name the new
	 * master.
	 */
	private static final String[] EVENTS = { "+promoted-slave", "+switch-master" };

	private final LettuceConnectionFactory factory;

	private final String name;

	private final Duration patience;

	private final Runnable changed;

	private final CountDownLatch firstAnswer = new CountDownLatch(1);

	private final CountDownLatch closed = new CountDownLatch(1);

	/** Only the thread uses this list; empty until the configuration was read. */
	private List<Sentinel> sentinels = List.of();

	private @Nullable Known known;

	/**
	 * Whether a connection was opened to an unknown server, or to a server other than the
	 * master.
	 */
	private boolean openedElsewhere;

	private record Known(long epoch, InetSocketAddress master, long at) {

		boolean isOlderThan(Duration age) {
			return System.nanoTime() - this.at > age.toNanos();
		}

		/**
		 * Returns whether an answer is older than this one, or was read while the master
		 * changed.
		 */
		boolean outranks(long epoch, InetSocketAddress master) {
			return epoch < this.epoch || (epoch == this.epoch && !master.equals(this.master));
		}

	}

	/**
	 * Creates the watch; connects to nothing before it is started.
	 * @param factory the application's connection factory, with Sentinels
	 * @param name the name that the Sentinels give to the master
	 * @param patience how long to wait for the first answer
	 * @param changed runs when another server became the master
	 */
	LettuceSentinels(LettuceConnectionFactory factory, String name, Duration patience, Runnable changed) {
		this.factory = factory;
		this.name = name;
		this.patience = patience;
		this.changed = changed;
	}

	/** Starts to watch, on a daemon thread. */
	void start() {
		Thread thread = new Thread(this::watch, THREAD);
		thread.setDaemon(true);
		thread.start();
	}

	/** Stops watching; the thread closes the connections later. */
	void close() {
		this.closed.countDown();
	}

	/**
	 * Returns the address of the master; waits for the first answer of a Sentinel.
	 * @return {@code null} if the Sentinels have not answered lately
	 */
	@Nullable RedisURI master() {
		try {
			this.firstAnswer.await(this.patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		InetSocketAddress address = address();
		return (address != null) ? uri(address.getHostString(), address.getPort()) : null;
	}

	/**
	 * Records that a connection is opened to a server that the client finds by itself.
	 */
	synchronized void openedElsewhere() {
		this.openedElsewhere = true;
	}

	private synchronized @Nullable InetSocketAddress address() {
		Known latest = this.known;
		if (latest != null && !latest.isOlderThan(FRESH)) {
			return latest.master();
		}
		this.openedElsewhere = true;
		return null;
	}

	private RedisURI uri(String host, int port) {
		LettuceClientConfiguration client = this.factory.getClientConfiguration();
		RedisSentinelConfiguration configuration = configuration();
		RedisURI.Builder uri = RedisURI.Builder.redis(host, port)
			.withAuthentication(LettuceConverters.sentinelConfigurationToRedisURI(configuration))
			.withDatabase(configuration.getDatabase())
			.withTimeout(client.getCommandTimeout());
		client.getRedisCredentialsProviderFactory()
			.ifPresent((credentials) -> uri.withAuthentication(credentials.createCredentialsProvider(configuration)));
		client.getClientName().ifPresent(uri::withClientName);
		return secured(uri.build(), client);
	}

	/** A provider of credentials makes those of Sentinels too. */
	private RedisURI sentinel(RedisURI uri) {
		LettuceClientConfiguration client = this.factory.getClientConfiguration();
		client.getRedisCredentialsProviderFactory()
			.ifPresent((credentials) -> uri
				.setCredentialsProvider(credentials.createSentinelCredentialsProvider(configuration())));
		return secured(uri, client);
	}

	private static RedisURI secured(RedisURI uri, LettuceClientConfiguration client) {
		uri.setSsl(client.isUseSsl());
		uri.setStartTls(client.isStartTls());
		uri.setVerifyPeer(verification(client));
		return uri;
	}

	private static SslVerifyMode verification(LettuceClientConfiguration client) {
		try {
			return client.getVerifyMode();
		}
		catch (NoSuchMethodError ex) {
			// Spring Data 3.2 and 3.3 know two modes only.
			return client.isVerifyPeer() ? SslVerifyMode.FULL : SslVerifyMode.NONE;
		}
	}

	private RedisSentinelConfiguration configuration() {
		RedisSentinelConfiguration configuration = this.factory.getSentinelConfiguration();
		if (configuration == null) {
			throw new IllegalStateException("The connection factory has no Sentinels any more");
		}
		return configuration;
	}

	private void watch() {
		LoopGuard guard = new LoopGuard(THREAD);
		Runnable visit = this::visit;
		try {
			do {
				guard.run(visit);
			}
			while (!this.closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.sentinels.forEach(Sentinel::close);
		}
	}

	private void visit() {
		if (this.sentinels.isEmpty()) {
			this.sentinels = LettuceConverters.sentinelConfigurationToRedisURI(configuration())
				.getSentinels()
				.stream()
				.map((uri) -> new Sentinel(sentinel(uri)))
				.toList();
		}
		this.sentinels.forEach((sentinel) -> sentinel.guard.run(VISIT, sentinel));
	}

	private void answered(long epoch, InetSocketAddress master) {
		boolean other;
		synchronized (this) {
			Known latest = this.known;
			if (latest != null && !latest.isOlderThan(FORGOTTEN) && latest.outranks(epoch, master)) {
				return;
			}
			other = this.openedElsewhere || (latest != null && !master.equals(latest.master()));
			this.openedElsewhere = false;
			this.known = new Known(epoch, master, System.nanoTime());
		}
		this.firstAnswer.countDown();
		if (other && this.closed.getCount() > 0) {
			logger.info("Redis master '{}' is {}:{} now, according to Sentinel", this.name, master.getHostString(),
					master.getPort());
			this.changed.run();
		}
	}

	/** Watches one Sentinel: asks on one connection, and receives events on another. */
	private final class Sentinel {

		private final LoopGuard guard = new LoopGuard(THREAD);

		private final Reconnecting<StatefulRedisSentinelConnection<String, String>> questions;

		private final Reconnecting<StatefulRedisPubSubConnection<String, String>> events;

		private Sentinel(RedisURI uri) {
			this.questions = keeping(() -> client().connectSentinelAsync(StringCodec.UTF8, uri), (opened) -> ask());
			this.events = keeping(() -> client().connectPubSubAsync(StringCodec.UTF8, uri).thenCompose(this::subscribe),
					(opened) -> {
					});
		}

		private <T extends StatefulConnection<String, String>> Reconnecting<T> keeping(Opening<T> opening,
				Consumer<T> opened) {
			return new Reconnecting<>(new ReentrantLock(), new Source<>(opening, opened), Runnable::run,
					() -> LONGEST_ATTEMPT, INTERVAL.dividedBy(2), System::nanoTime);
		}

		private RedisClient client() {
			return (RedisClient) LettuceSentinels.this.factory.getRequiredNativeClient();
		}

		private CompletionStage<StatefulRedisPubSubConnection<String, String>> subscribe(
				StatefulRedisPubSubConnection<String, String> opened) {
			opened.addListener(new RedisPubSubAdapter<>() {

				@Override
				public void message(String event, String details) {
					ask();
				}

			});
			return opened.async().subscribe(EVENTS).whenComplete((nothing, error) -> {
				if (error != null) {
					opened.closeAsync();
				}
			}).thenApply((nothing) -> opened);
		}

		private void visit() {
			this.questions.connect().run();
			this.events.connect().run();
			ask();
		}

		/**
		 * Reads the epoch, then the master. If the master changes in between, the pair
		 * has an old epoch and is read again.
		 */
		private void ask() {
			StatefulRedisSentinelConnection<String, String> connection = this.questions.current();
			if (connection == null || !connection.isOpen()) {
				return;
			}
			CompletionStage<Map<String, String>> description = connection.async().master(LettuceSentinels.this.name);
			CompletionStage<SocketAddress> address = connection.async().getMasterAddrByName(LettuceSentinels.this.name);
			description.thenAcceptBoth(address, (details, master) -> {
				if (master instanceof InetSocketAddress known) {
					answered(Long.parseLong(details.getOrDefault("config-epoch", "0")), known);
				}
			}).exceptionally((failure) -> {
				logger.debug("A Sentinel did not say which server is master '{}'", LettuceSentinels.this.name, failure);
				return null;
			});
		}

		private void close() {
			this.questions.close();
			this.events.close();
		}

	}

	private interface Opening<T> {

		CompletionStage<T> begin();

	}

	private record Source<T extends StatefulConnection<String, String>>(Opening<T> opening,
			Consumer<T> afterwards) implements Reconnecting.Source<T> {

		@Override
		public CompletionStage<T> open() {
			return this.opening.begin();
		}

		@Override
		public CompletionStage<Void> close(T connection) {
			return connection.closeAsync();
		}

		@Override
		public Runnable opened(T connection) {
			return () -> this.afterwards.accept(connection);
		}

		@Override
		public Runnable failed(Throwable failure) {
			return () -> logger.debug("Cannot connect to a Sentinel yet", failure);
		}

	}

}
