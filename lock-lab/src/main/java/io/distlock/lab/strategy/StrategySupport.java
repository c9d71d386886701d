package io.distlock.lab.strategy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisAddress;
import io.distlock.redis.RedisConnections;
import io.distlock.redlock.RedlockNode;
import io.distlock.spi.LockStore;
import io.distlock.spring.EnableDistributedLocks;
import io.lettuce.core.ClientOptions;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What a strategy needs in a node: connections to the servers of the run, opened when
 * first asked for, and closed together. One thread at a time.
 */
public final class StrategySupport implements AutoCloseable {

	/** The lease of a lock. */
	public static final Duration LEASE = Duration.ofSeconds(2);

	/**
	 * Longer than a fault lasts: what a server did is known when the process goes on.
	 * Stores of locks have a shorter timeout.
	 */
	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final Places places;

	private final int node;

	private final Happenings happenings;

	private final Deque<AutoCloseable> open = new ArrayDeque<>();

	private @Nullable LettuceConnectionFactory redis;

	private @Nullable HikariDataSource database;

	/**
	 * Creates a support without connections.
	 * @param places where the servers are
	 * @param node number of the node
	 * @param happenings what to write down
	 */
	public StrategySupport(Places places, int node, Happenings happenings) {
		this.places = places;
		this.node = node;
		this.happenings = happenings;
	}

	/**
	 * Commands of the Redis with the locks.
	 * @return a template
	 */
	public StringRedisTemplate redis() {
		return new RecordingRedis(connections(), this.happenings);
	}

	/**
	 * Connections to the Redis with the locks.
	 * @return a started factory
	 */
	public RedisConnectionFactory connections() {
		if (this.redis == null) {
			this.redis = connect(this.places.redis(), this.places.master(), client().build());
		}
		return this.redis;
	}

	/**
	 * Commands of the Redis with the locks, for sessions that watch keys. The server
	 * forgets what a connection watched when it ends, and EXEC on the next connection
	 * would write what rests on an old value: a connection that broke must not be
	 * replaced in silence.
	 * @return a template that opens a connection per session
	 */
	StringRedisTemplate sessions() {
		LettuceClientConfiguration client = client().clientOptions(ClientOptions.builder().autoReconnect(false).build())
			.build();
		LettuceConnectionFactory factory = connect(this.places.redis(), this.places.master(), client);
		factory.setShareNativeConnection(false);
		return new StringRedisTemplate(factory);
	}

	/**
	 * Says whether the Redis may fail over to a replica.
	 * @return whether Sentinel watches it
	 */
	public boolean failsOver() {
		return !this.places.master().isEmpty();
	}

	/**
	 * Commands of the Redis with the stock.
	 * @return a template
	 */
	public StringRedisTemplate shelf() {
		return new RecordingRedis(connect(this.places.shelf(), "", client().build()), this.happenings);
	}

	private static LettuceClientConfiguration.LettuceClientConfigurationBuilder client() {
		return LettuceClientConfiguration.builder().commandTimeout(TIMEOUT);
	}

	private LettuceConnectionFactory connect(String address, String master, LettuceClientConfiguration client) {
		String host = address.substring(0, address.indexOf(':'));
		int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
		LettuceConnectionFactory factory = master.isEmpty()
				? new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port), client)
				: new LettuceConnectionFactory(new RedisSentinelConfiguration().master(master).sentinel(host, port),
						client);
		factory.afterPropertiesSet();
		factory.start();
		this.open.push(factory::destroy);
		return factory;
	}

	/**
	 * Connections to the nodes of the quorum.
	 * @return the nodes
	 */
	public List<RedlockNode> quorum() {
		RedisConnections connections = RedisConnections.withLettuce(
				this.places.redlock().stream().map((place) -> RedisAddress.parse("redis://" + place)).toList(),
				LEASE.dividedBy(4));
		this.open.push(connections);
		return RedlockNode.of(connections);
	}

	/**
	 * Connections to the database.
	 * @return a pool
	 */
	public HikariDataSource database() {
		if (this.database == null) {
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl(this.places.jdbc());
			config.setUsername(this.places.user());
			config.setPassword(this.places.password());
			config.setMaximumPoolSize(8);
			config.setConnectionTimeout(60_000);
			this.database = new HikariDataSource(config);
			this.open.push(this.database);
		}
		return this.database;
	}

	/**
	 * Transactions of the database.
	 * @return a template
	 */
	public TransactionTemplate transactions() {
		return new TransactionTemplate(new DataSourceTransactionManager(database()));
	}

	/**
	 * A thread for what happens later.
	 * @return an executor that ends with this support
	 */
	public ScheduledExecutorService timer() {
		ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
		this.open.push(timer::shutdownNow);
		return timer;
	}

	/**
	 * Reads a script of this lab.
	 * @param name name of the file
	 * @return the script
	 */
	public static RedisScript<Long> script(String name) {
		return new LabScript<>(name, Long.class);
	}

	/**
	 * Describes a client of ZooKeeper.
	 * @return a builder
	 */
	public CuratorFrameworkFactory.Builder zookeeper() {
		return CuratorFrameworkFactory.builder()
			.connectString(this.places.zookeeper())
			.sessionTimeoutMs((int) LEASE.toMillis())
			.connectionTimeoutMs((int) LEASE.toMillis())
			.retryPolicy(new RetryOneTime(100));
	}

	/**
	 * Creates a strategy as a bean, so that its annotation works.
	 * @param type the class with the annotated method
	 * @param store where its locks are
	 * @return the bean
	 */
	public Strategy bean(Class<? extends Strategy> type, LockStore store) {
		LockSettings settings = LockSettings.builder()
			.leaseTime(LEASE)
			.commandTimeout(LEASE.dividedBy(4))
			.application("lab-" + this.node)
			.build();
		CloseableLockTemplate locks = LockTemplateBuilder.forStore(store)
			.settings(settings)
			.observer(new HoldObserver(this.happenings))
			.build();
		this.open.push(locks);
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(CloseableLockTemplate.class, () -> locks);
		context.registerBean(StrategySupport.class, () -> this, (definition) -> definition.setDestroyMethodName(""));
		context.register(Locks.class, type);
		context.refresh();
		this.open.push(context);
		return context.getBean(type);
	}

	/** Also closes what cannot be closed in time: the process goes on. */
	@Override
	public void close() {
		while (!this.open.isEmpty()) {
			try {
				this.open.pop().close();
			}
			catch (Exception ex) {
				System.err.println("Could not be closed: " + ex);
			}
		}
	}

	/** Without a stereotype, or the shop would find it and have its settings. */
	@EnableDistributedLocks(proxyTargetClass = true)
	static class Locks {

	}

}
