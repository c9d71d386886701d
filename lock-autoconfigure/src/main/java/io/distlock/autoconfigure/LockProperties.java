package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.core.env.Environment;

import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.OnLost;
import io.distlock.OnStoreFailure;
import io.distlock.ReleaseMode;

/**
 * Configuration of the lock. An unknown key is an error: after a misspelling a lock would
 * have other times than its operator believes.
 *
 * @param enabled Whether to configure the lock. If not, annotated methods run without a
 * lock and there is no lock template.
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
 * run without their lock after a warning.
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
 * @param activityEvents Whether to publish an event for each lock that was acquired, busy
 * or released, beside those about losses. They are many.
 * @param locks Settings by lock name, which win over the annotation's.
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
		@DefaultValue("true") boolean selfInvocationCheck, @DefaultValue("false") boolean activityEvents,
		@DefaultValue Map<String, LockOptions> locks, @DefaultValue Redis redis, @DefaultValue Redlock redlock,
		@DefaultValue Jdbc jdbc, @DefaultValue ZooKeeper zookeeper, @DefaultValue Web web) {

	static final String PREFIX = "distributed-lock";

	/**
	 * Checks the values.
	 * @throws LockConfigurationException naming the property that is out of range
	 */
	public LockProperties {
		PropertyChecks.options("", new LockOptions(waitTime, leaseTime, maxWaiters, onLost, maxHold, null, null, null));
		PropertyChecks.commandTimeout(commandTimeout, leaseTime);
		PropertyChecks.notNegative("shutdown-timeout", shutdownTimeout);
		locks = Map.copyOf(locks);
		locks.forEach((name, options) -> PropertyChecks.options("locks." + name + ".", options));
		Duration quarantine = quarantine(store, leaseTime, redis, redlock);
		String property = (store == StoreType.REDLOCK) ? "redlock.quarantine" : redis.quarantineProperty();
		PropertyChecks.quarantine(property, quarantine, "lease-time", leaseTime);
		locks.forEach((name, options) -> {
			PropertyChecks.quarantine(property, quarantine, "locks." + name + ".lease-time", options.leaseTime());
			PropertyChecks.quarantine(property, quarantine, "locks." + name + ".min-hold", options.minHold());
		});
	}

	/**
	 * Binds the properties for code that runs before the bean of this type exists.
	 * @param environment the environment
	 * @return the same values as those of the bean
	 */
	static LockProperties of(Environment environment) {
		return Binder.get(environment).bindOrCreate(PREFIX, LockProperties.class);
	}

	private static Duration quarantine(@Nullable StoreType store, Duration leaseTime, Redis redis, Redlock redlock) {
		return (store == StoreType.REDLOCK) ? redlock.quarantine(leaseTime) : redis.longestQuarantine();
	}

	Duration longestLease() {
		Duration quarantine = quarantine(this.store, this.leaseTime, this.redis, this.redlock);
		return quarantine.isZero() ? LockRequest.MAX_LEASE : quarantine;
	}

	/**
	 * Configuration of the Redis store.
	 *
	 * @param connectionFactory Name of the RedisConnectionFactory bean to use. The
	 * default is the only or primary one.
	 * @param url A server of the locks' own, apart from the application's:
	 * redis(s)://user:password@host:port/database.
	 * @param keyPrefix What all keys and channels begin with; the same in all
	 * applications that share locks.
	 * @param pollInterval How often a waiter asks again in case a message was lost.
	 * @param connectTimeout How much longer than the command timeout the first calls of a
	 * process may take, until there is a connection.
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
	public record Redis(@Nullable String connectionFactory, @Nullable String url, @DefaultValue("lk:") String keyPrefix,
			@DefaultValue("500ms") Duration pollInterval, @DefaultValue("5s") Duration connectTimeout,
			@DefaultValue("fail") StartupCheck startupCheck, @DefaultValue("0s") Duration quarantine,
			@DefaultValue("0s") Duration failoverDelay, @DefaultValue Replicas replicas) {

		/**
		 * Checks the values.
		 * @throws LockConfigurationException naming the property that is out of range
		 */
		public Redis {
			PropertyChecks.keyPrefix(keyPrefix);
			PropertyChecks.pollInterval(pollInterval);
			PropertyChecks.notNegative("redis.connect-timeout", connectTimeout);
			PropertyChecks.notNegative("redis.quarantine", quarantine);
			PropertyChecks.notNegative("redis.failover-delay", failoverDelay);
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

		/**
		 * Checks the values.
		 * @throws LockConfigurationException naming the property that is out of range
		 */
		public Replicas {
			PropertyChecks.replicas(required, timeout);
		}

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
		 * Checks the values.
		 * @throws LockConfigurationException naming the property that is out of range
		 */
		public Redlock {
			nodes = List.copyOf(nodes);
			PropertyChecks.notNegative("redlock.quarantine", quarantine);
			PropertyChecks.pause("redlock.retry-interval", retryInterval);
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
	 * @param connections How many connections the store uses at most; none is held while
	 * a lock is held.
	 * @param pollInterval Longest pause of a waiter before it looks again.
	 * @param keepIdle For how long the row of an unused lock is kept.
	 * @param notifications Whether processes notify each other of hand-overs on
	 * PostgreSQL, with one connection more; without, waiters poll.
	 * @param startupCheck What to do at startup when the database cannot keep locks. A
	 * database that does not answer only causes a warning.
	 */
	public record Jdbc(@Nullable String dataSource, @DefaultValue("distributed_lock") String table,
			@DefaultValue("") String keyPrefix, @DefaultValue("embedded") SchemaInitialization initializeSchema,
			@DefaultValue("2") int connections, @DefaultValue("50ms") Duration pollInterval,
			@DefaultValue("1d") Duration keepIdle, @DefaultValue("true") boolean notifications,
			@DefaultValue("fail") StartupCheck startupCheck) {

		/**
		 * Checks the values.
		 * @throws LockConfigurationException naming the property that is out of range
		 */
		public Jdbc {
			PropertyChecks.jdbcNames(table, keyPrefix);
			PropertyChecks.jdbcConnections(connections);
			PropertyChecks.between("jdbc.poll-interval", pollInterval, Duration.ofMillis(2), Duration.ofHours(1));
			PropertyChecks.between("jdbc.keep-idle", keepIdle, Duration.ofMinutes(1), LockRequest.MAX_LEASE);
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
	 * @param acl Who may read and change what is kept: everybody, or only the user who
	 * created it.
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

		/**
		 * Checks the values.
		 * @throws LockConfigurationException naming the property that is out of range
		 */
		public ZooKeeper {
			PropertyChecks.znode("zookeeper.root", root);
			PropertyChecks.between("zookeeper.session-timeout", sessionTimeout, SHORTEST_SESSION, LONGEST_SESSION);
			PropertyChecks.between("zookeeper.connection-timeout", connectionTimeout, Duration.ofMillis(100),
					LONGEST_SESSION);
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
	 * @param enabled Whether such requests are answered with a problem detail: 409 if the
	 * lock is busy, 503 if too many callers wait or the store does not answer, 500 if the
	 * lock was lost.
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

	/** When a store creates its table. */
	public enum SchemaInitialization {

		/** At each start, if it is missing. */
		ALWAYS,

		/** As ALWAYS, but only in a database that lives in this process. */
		EMBEDDED,

		/** The table is there already, for instance by a migration. */
		NEVER

	}

	/** Who may read and change locks on ZooKeeper. */
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
