package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.core.env.Environment;

import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.OnBusy;
import io.distlock.OnLost;
import io.distlock.OnStoreFailure;
import io.distlock.ReleaseMode;
import io.distlock.spring.ConfiguredLock;

/**
 * Configuration of the lock. An unknown key is an error: after a misspelling a lock would
 * have other times than its operator believes.
 *
 * @param enabled Whether to configure locks. If not, annotated methods run without a lock
 * and there is no LockTemplate bean.
 * @param store Where locks are kept. Needed only if more than one store is available.
 * Memory excludes only threads of this process and is never the default.
 * @param waitTime How long to wait for a busy lock; 0 tries once.
 * @param leaseTime How long a lock outlives a process that died. Renewed at a third of it
 * while the lock is held.
 * @param commandTimeout How long the store may take to answer; at most a third of the
 * lease time.
 * @param release When a release returns: once the store has confirmed it, or as soon as
 * it is sent, which saves a round trip.
 * @param maxWaiters How many callers may wait for one lock in this process; further ones
 * are refused at once. Not limited by default.
 * @param onLost What happens to a running method when its lock is lost: report it at the
 * end, or interrupt its thread.
 * @param maxHold How long a method is expected to hold a lock. A longer hold is logged
 * once, with the stack trace of its thread. Not limited by default.
 * @param onStoreFailure What annotated methods do when the store cannot answer: fail, or
 * after a warning run without their lock or exclude callers of this process only.
 * @param commitGuard Whether transactions are rolled back instead of committed when a
 * lock of the method was lost.
 * @param order Order of the lock among a proxy's other advice. Advice of a higher order
 * runs inside the lock. By default the lock is far outside of transactions.
 * @param mode How calls of annotated methods are intercepted: by proxies, or by AspectJ
 * weaving too, which intercepts calls within the same bean.
 * @param shutdownTimeout How long to wait at shutdown for running methods to release
 * their locks.
 * @param application Name of this application in messages about the holder of a lock. The
 * default is spring.application.name.
 * @param host Name of this machine in messages about the holder of a lock. The default is
 * its host name.
 * @param startupReport Whether to log at startup which methods are locked, and how.
 * @param selfInvocationCheck Whether to warn at startup of methods that call locked
 * methods of their own object, which bypasses the lock.
 * @param locks Settings by lock name, which win over the annotation's.
 * @param stores Further stores by id, for locks that name one of them.
 * @param redis Settings of the Redis store.
 * @param redlock Settings of the Redlock store.
 * @param jdbc Settings of the store in a database.
 * @param zookeeper Settings of the store on ZooKeeper.
 * @param web Answers to HTTP requests that fail because of a lock.
 */
@ConfigurationProperties(prefix = LockProperties.PREFIX, ignoreUnknownFields = false)
public record LockProperties(@DefaultValue("true") boolean enabled, @Nullable StoreType store,
		@DefaultValue("5s") Duration waitTime, @DefaultValue("30s") Duration leaseTime,
		@Nullable Duration commandTimeout, @DefaultValue("confirmed") ReleaseMode release, @Nullable Integer maxWaiters,
		@DefaultValue("report") OnLost onLost, @Nullable Duration maxHold,
		@DefaultValue("fail") OnStoreFailure onStoreFailure, @DefaultValue("true") boolean commitGuard,
		@Nullable Integer order, @DefaultValue("proxy") AdviceMode mode, @DefaultValue("10s") Duration shutdownTimeout,
		@Nullable String application, @Nullable String host, @DefaultValue("true") boolean startupReport,
		@DefaultValue("true") boolean selfInvocationCheck, @DefaultValue Map<String, Lock> locks,
		@DefaultValue Map<String, Store> stores, @DefaultValue Redis redis, @DefaultValue Redlock redlock,
		@DefaultValue Jdbc jdbc, @DefaultValue ZooKeeper zookeeper, @DefaultValue Web web) {

	static final String PREFIX = "distributed-lock";

	/**
	 * Checks the values.
	 * @throws LockConfigurationException naming the property that is out of range
	 */
	public LockProperties {
		PropertyChecks.options("",
				LockOptions.NONE.withWaitTime(waitTime)
					.withLeaseTime(leaseTime)
					.withMaxWaiters(maxWaiters)
					.withMaxHold(maxHold));
		PropertyChecks.commandTimeout(commandTimeout, leaseTime);
		PropertyChecks.notNegative("shutdown-timeout", shutdownTimeout);
		redis.check("");
		redlock.check("");
		jdbc.check("");
		zookeeper.check("");
		locks = Map.copyOf(locks);
		stores = Collections.unmodifiableMap(new TreeMap<>(stores));
		StoreChecks.stores(stores);
		StoreChecks.locks(locks, stores.keySet());
		locks.forEach((name, lock) -> {
			PropertyChecks.options("locks." + name + ".", lock.options());
			PropertyChecks.fallback("locks." + name + ".fallback", lock.fallback());
		});
		StoreChecks.quarantine("", new Store(store, redis, redlock, jdbc, zookeeper), leaseTime, locks);
		stores.forEach((id, each) -> StoreChecks.quarantine("stores." + id + ".", each, leaseTime, Map.of()));
	}

	/**
	 * Binds the properties for code that runs before the bean of this type exists.
	 * @param environment the environment
	 * @return the same values as those of the bean
	 */
	static LockProperties of(Environment environment) {
		return Binder.get(environment).bindOrCreate(PREFIX, LockProperties.class);
	}

	/**
	 * The shortest quarantine of a store that has one: a longer lease could be granted a
	 * second time after it.
	 */
	Duration leaseLimit() {
		return Stream.concat(Stream.of(defaultStore()), this.stores.values().stream())
			.map((each) -> each.quarantine(this.leaseTime))
			.filter((quarantine) -> !quarantine.isZero())
			.min(Comparator.naturalOrder())
			.orElse(LockRequest.MAX_LEASE);
	}

	/** The store of all locks that name no other one. */
	Store defaultStore() {
		return new Store(this.store, this.redis, this.redlock, this.jdbc, this.zookeeper);
	}

	/**
	 * What is configured by lock name, for what annotated methods may be named. What has
	 * a store and nothing else may be used in code only.
	 */
	Map<String, ConfiguredLock> configured() {
		return this.locks.entrySet()
			.stream()
			.filter((lock) -> lock.getValue().store().isEmpty()
					|| !lock.getValue().configured().equals(ConfiguredLock.NONE))
			.collect(Collectors.toMap(Map.Entry::getKey, (lock) -> lock.getValue().configured()));
	}

	/** Ids of stores by lock name, of locks that name some. */
	Map<String, List<String>> routes() {
		return this.locks.entrySet()
			.stream()
			.filter((lock) -> !lock.getValue().store().isEmpty())
			.collect(Collectors.toMap(Map.Entry::getKey, (lock) -> lock.getValue().store()));
	}

	/**
	 * Settings of one lock, which win over those of the annotation.
	 *
	 * @param enabled Whether annotated methods take the lock. If not they run without it,
	 * at the same time as others.
	 * @param onBusy What annotated methods do when the lock stays busy.
	 * @param fallback Name of the method that is called instead when the lock is busy.
	 * @param waitTime How long to wait for the lock; 0 tries once.
	 * @param leaseTime A fixed lease, which is not renewed.
	 * @param maxWaiters How many callers may wait for the lock in this process.
	 * @param onLost What happens to a running method when its lock is lost.
	 * @param maxHold How long a method is expected to hold the lock.
	 * @param minHold How long the lock stays taken even if the method ends earlier.
	 * @param onStoreFailure What annotated methods do when the store cannot answer.
	 * @param permits How many callers may hold the key of a semaphore at the same time.
	 * @param store Id of the store of the lock, and of all whose key begins with its name
	 * and a colon. Two ids while the lock moves from the first to the second.
	 */
	public record Lock(@DefaultValue("true") boolean enabled, @Nullable OnBusy onBusy, @Nullable String fallback,
			@Nullable Duration waitTime, @Nullable Duration leaseTime, @Nullable Integer maxWaiters,
			@Nullable OnLost onLost, @Nullable Duration maxHold, @Nullable Duration minHold,
			@Nullable OnStoreFailure onStoreFailure, @Nullable Integer permits, @DefaultValue List<String> store) {

		/**
		 * Copies the list.
		 */
		public Lock {
			store = List.copyOf(store);
		}

		ConfiguredLock configured() {
			return new ConfiguredLock(options(), this.enabled, this.onBusy, this.fallback);
		}

		LockOptions options() {
			return LockOptions.NONE.withWaitTime(this.waitTime)
				.withLeaseTime(this.leaseTime)
				.withMaxWaiters(this.maxWaiters)
				.withOnLost(this.onLost)
				.withMaxHold(this.maxHold)
				.withMinHold(this.minHold)
				.withOnStoreFailure(this.onStoreFailure)
				.withPermits(this.permits);
		}

	}

	/**
	 * Configuration of one store.
	 *
	 * @param type Where its locks are kept.
	 * @param redis Settings of a store of type redis, some also of type redlock.
	 * @param redlock Settings of a store of type redlock.
	 * @param jdbc Settings of a store of type jdbc.
	 * @param zookeeper Settings of a store of type zookeeper.
	 */
	public record Store(@Nullable StoreType type, @DefaultValue Redis redis, @DefaultValue Redlock redlock,
			@DefaultValue Jdbc jdbc, @DefaultValue ZooKeeper zookeeper) {

		void check(String path) {
			this.redis.check(path);
			this.redlock.check(path);
			this.jdbc.check(path);
			this.zookeeper.check(path);
		}

		/** For how long it grants no lock after a loss of data; zero for never. */
		Duration quarantine(Duration leaseTime) {
			return switch ((this.type != null) ? this.type : StoreType.REDIS) {
				case REDLOCK -> this.redlock.quarantine(leaseTime);
				case REDIS, MEMORY -> this.redis.longestQuarantine();
				case JDBC, ZOOKEEPER -> Duration.ZERO;
			};
		}

		String quarantineProperty() {
			return (this.type == StoreType.REDLOCK) ? "redlock.quarantine" : this.redis.quarantineProperty();
		}

	}

	/**
	 * Configuration of the Redis store.
	 *
	 * @param connectionFactory Name of the RedisConnectionFactory bean to use. The
	 * default is the only or primary one.
	 * @param url A server of the locks' own, apart from the application's:
	 * redis(s)://user:password@host:port/database.
	 * @param client Which client sends the commands of locks.
	 * @param keyPrefix What all keys and channels begin with; the same in all
	 * applications that share locks.
	 * @param pollInterval How often a waiter asks again in case a message was lost.
	 * @param connectTimeout How much longer than the command timeout the first calls of a
	 * process may take, until there is a connection; with Redlock, to a majority of the
	 * nodes. Of the locks' own connections (url and Redlock) each one, also a later one,
	 * may take as long to open.
	 * @param startupCheck What to do at startup when the server cannot keep locks: a
	 * missing right, a version that is too old, a policy of eviction. A server that does
	 * not answer only causes a warning.
	 * @param quarantine For how long no lock is granted after Redis lost its data, or is
	 * new; at least the longest lease in use. 0 for never, as it must be with Cluster.
	 * @param failoverDelay For how long no lock is granted after another server became
	 * the master, with Sentinel and with Cluster; at least the longest lease in use.
	 * Includes a quarantine. 0 for never.
	 * @param replicas Which replicas must confirm a lock before it counts.
	 */
	public record Redis(@Nullable String connectionFactory, @Nullable String url,
			@DefaultValue("auto") ClientChoice client, @DefaultValue("lk:") String keyPrefix,
			@DefaultValue("500ms") Duration pollInterval, @DefaultValue("5s") Duration connectTimeout,
			@DefaultValue("fail") StartupCheck startupCheck, @DefaultValue("0s") Duration quarantine,
			@DefaultValue("0s") Duration failoverDelay, @DefaultValue Replicas replicas) {

		private void check(String path) {
			PropertyChecks.keyPrefix(path, this.keyPrefix);
			PropertyChecks.pause(path + "redis.poll-interval", this.pollInterval);
			PropertyChecks.notNegative(path + "redis.connect-timeout", this.connectTimeout);
			PropertyChecks.notNegative(path + "redis.quarantine", this.quarantine);
			PropertyChecks.notNegative(path + "redis.failover-delay", this.failoverDelay);
			PropertyChecks.replicas(path, this.replicas.required(), this.replicas.timeout());
		}

		@Override
		public String toString() {
			// The URL may have a password.
			return "prefix " + this.keyPrefix;
		}

		/** A failover delay includes a quarantine. */
		private Duration longestQuarantine() {
			boolean longer = !this.failoverDelay.isZero() && this.failoverDelay.compareTo(this.quarantine) > 0;
			return longer ? this.failoverDelay : this.quarantine;
		}

		private String quarantineProperty() {
			return this.failoverDelay.isZero() ? "redis.quarantine" : "redis.failover-delay";
		}

	}

	/**
	 * Which replicas must confirm a lock.
	 *
	 * @param required How many replicas must have a lock, or its renewal, before it
	 * counts. The default is none, as it must be with Cluster.
	 * @param timeout How long they may take; at most the command timeout. The default is
	 * half of it.
	 */
	public record Replicas(@Nullable Integer required, @Nullable Duration timeout) {
	}

	/**
	 * Configuration of the Redlock store, besides key prefix and startup check, which it
	 * has in common with the Redis store.
	 *
	 * @param nodes The masters, an odd number of at least three that share nothing:
	 * host:port or redis(s)://user:password@host:port/database.
	 * @param nodeTimeout How long one node may take to answer; at most a third of the
	 * command timeout. The default is a quarter of it.
	 * @param quarantine For how long a node that lost its data, or is new, grants no
	 * lock; at least the longest lease in use. The default is the lease time; 0 for
	 * never.
	 * @param retryInterval Longest pause of a waiter before it asks again.
	 */
	public record Redlock(@DefaultValue List<String> nodes, @Nullable Duration nodeTimeout,
			@Nullable Duration quarantine, @DefaultValue("200ms") Duration retryInterval) {

		/**
		 * Copies the list.
		 */
		public Redlock {
			nodes = List.copyOf(nodes);
		}

		private void check(String path) {
			PropertyChecks.notNegative(path + "redlock.quarantine", this.quarantine);
			PropertyChecks.pause(path + "redlock.retry-interval", this.retryInterval);
		}

		/**
		 * The quarantine, set or not.
		 * @param leaseTime the default
		 * @return for how long
		 */
		public Duration quarantine(Duration leaseTime) {
			return (this.quarantine != null) ? this.quarantine : leaseTime;
		}

		@Override
		public String toString() {
			// The nodes may have passwords.
			return this.nodes.size() + " nodes";
		}

	}

	/**
	 * Configuration of the store in a database.
	 *
	 * @param dataSource Name of the DataSource bean of the database. The default is the
	 * one marked with LockDataSource, or else the only or primary one.
	 * @param table The table, a plain name, with a schema before it or not.
	 * @param keyPrefix What the names of all locks begin with, for several applications
	 * on one table; printable ASCII, at most 50 characters.
	 * @param initializeSchema Whether to create the table at startup if it is missing:
	 * always, only in an embedded database, or never.
	 * @param connections How many connections the store uses for statements; none is held
	 * while a lock is held.
	 * @param pollInterval Longest pause of a waiter before it looks again; at least 500
	 * ms while notifications arrive.
	 * @param keepIdle For how long the row of an unused lock is kept.
	 * @param notifications Whether processes notify each other of hand-overs on
	 * PostgreSQL, with one connection more; without, waiters poll.
	 * @param commitCheck Whether a transaction in the database of the locks commits only
	 * while the rows of its locks say that they are held, and keeps them so until it has
	 * committed.
	 * @param startupCheck What to do at startup when the database cannot keep locks. A
	 * database that does not answer only causes a warning.
	 */
	public record Jdbc(@Nullable String dataSource, @DefaultValue("distributed_lock") String table,
			@DefaultValue("") String keyPrefix, @DefaultValue("embedded") SchemaInitialization initializeSchema,
			@DefaultValue("2") int connections, @DefaultValue("50ms") Duration pollInterval,
			@DefaultValue("1d") Duration keepIdle, @DefaultValue("true") boolean notifications,
			@DefaultValue("false") boolean commitCheck, @DefaultValue("fail") StartupCheck startupCheck) {

		private void check(String path) {
			PropertyChecks.jdbcNames(path, this.table, this.keyPrefix);
			PropertyChecks.jdbcConnections(path, this.connections);
			PropertyChecks.between(path + "jdbc.poll-interval", this.pollInterval, Duration.ofMillis(2),
					Duration.ofHours(1));
			PropertyChecks.between(path + "jdbc.keep-idle", this.keepIdle, Duration.ofMinutes(1),
					LockRequest.MAX_LEASE);
		}

	}

	/**
	 * Configuration of the store on ZooKeeper.
	 *
	 * @param connectString Addresses of the servers, with a chroot or not:
	 * host:port,host:port/chroot. The default is the application's CuratorFramework bean.
	 * @param client Name of the CuratorFramework bean to use. The default is the only or
	 * primary one.
	 * @param root The znode under which everything is kept; the same in all applications
	 * that share locks.
	 * @param namespace Namespace of the client, a path under which its root is. Only with
	 * a connect string.
	 * @param sessionTimeout For how long the locks of a dead process stay taken, if the
	 * servers agree. The default is the lease time. Only with a connect string.
	 * @param connectionTimeout How long a connection may take. Only with a connect
	 * string.
	 * @param auth How the client authenticates itself. Only with a connect string.
	 * @param acl Which clients may read and change locks: all, or only those with the
	 * credentials of the client that created them.
	 * @param startupCheck What to do at startup when the servers cannot keep locks.
	 * Servers that do not answer only cause a warning.
	 */
	public record ZooKeeper(@Nullable String connectString, @Nullable String client,
			@DefaultValue("/distributed-lock") String root, @Nullable String namespace,
			@Nullable Duration sessionTimeout, @DefaultValue("5s") Duration connectionTimeout,
			@DefaultValue ZooKeeperAuth auth, @DefaultValue("open") ZooKeeperAcl acl,
			@DefaultValue("fail") StartupCheck startupCheck) {

		private static final Duration SHORTEST_SESSION = Duration.ofSeconds(1);

		private static final Duration LONGEST_SESSION = Duration.ofHours(1);

		private void check(String path) {
			PropertyChecks.znode(path + "zookeeper.root", this.root);
			PropertyChecks.between(path + "zookeeper.session-timeout", this.sessionTimeout, SHORTEST_SESSION,
					LONGEST_SESSION);
			PropertyChecks.between(path + "zookeeper.connection-timeout", this.connectionTimeout,
					Duration.ofMillis(100), LONGEST_SESSION);
		}

		/**
		 * The session timeout, set or not.
		 * @param leaseTime the default, within the range of a session timeout
		 * @return the timeout to ask the servers for
		 */
		public Duration sessionTimeout(Duration leaseTime) {
			if (this.sessionTimeout != null) {
				return this.sessionTimeout;
			}
			Duration atLeast = (leaseTime.compareTo(SHORTEST_SESSION) < 0) ? SHORTEST_SESSION : leaseTime;
			return (atLeast.compareTo(LONGEST_SESSION) > 0) ? LONGEST_SESSION : atLeast;
		}

	}

	/**
	 * How the client of ZooKeeper authenticates itself, besides SASL, which is configured
	 * by JAAS.
	 *
	 * @param scheme Scheme of the authentication, for instance digest. None if not set.
	 * @param credentials Credentials of the scheme; for digest user:password.
	 */
	public record ZooKeeperAuth(@Nullable String scheme, @Nullable String credentials) {

		@Override
		public String toString() {
			// The credentials have a password.
			return (this.scheme != null) ? this.scheme : "none";
		}

	}

	/**
	 * Configuration of the answers to HTTP requests that fail because of a lock.
	 *
	 * @param enabled Whether HTTP requests that fail because of a lock are answered with
	 * a problem detail: 409 if the lock is busy, 503 if too many callers wait or the
	 * store does not answer, 500 if the lock was lost.
	 * @param retryAfter When another attempt makes sense, for the header Retry-After; 0
	 * leaves the header out.
	 */
	public record Web(@DefaultValue("true") boolean enabled, @DefaultValue("1s") Duration retryAfter) {

		/**
		 * Checks the values.
		 * @throws LockConfigurationException naming the property that is out of range
		 */
		public Web {
			PropertyChecks.notNegative("web.retry-after", retryAfter);
		}

	}

	/** What to do with what a check found. */
	public enum StartupCheck {

		/** Do not start. */
		FAIL,

		/** Log it. */
		WARN,

		/** Do not check. */
		OFF

	}

	/** Which client sends the commands of locks. */
	public enum ClientChoice {

		/** That of the application. */
		AUTO,

		/** Lettuce. */
		LETTUCE,

		/** Jedis, if need be beside the application's client. */
		JEDIS

	}

	/** When a store creates its table. */
	public enum SchemaInitialization {

		/** At each start, if it is missing. */
		ALWAYS,

		/** As ALWAYS, but only in a database that lives in this process. */
		EMBEDDED,

		/** The table is there already, for instance by a migration. */
		NEVER

	}

	/** Which clients may read and change locks on ZooKeeper. */
	public enum ZooKeeperAcl {

		/** Every client. */
		OPEN,

		/** Clients with the same credentials. */
		CREATOR

	}

	/** Where locks can be kept. */
	public enum StoreType {

		/** In Redis, through the application's own connection factory. */
		REDIS,

		/** On a majority of independent Redis masters. */
		REDLOCK,

		/** In one table of a relational database. */
		JDBC,

		/** On ZooKeeper. */
		ZOOKEEPER,

		/** In this process: for tests and applications that run once. */
		MEMORY

	}

}
