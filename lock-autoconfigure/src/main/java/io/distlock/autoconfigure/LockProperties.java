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
 * Configuration of the lock. An unknown key is an error: a misspelt one would be a lock
 * with other times than its operator believes.
 *
 * @param enabled Whether to wire the lock at all. Without it annotated methods run
 * unlocked and there is no lock template.
 * @param store Where locks are kept. Not needed when there is one store to choose from;
 * memory excludes only threads of this process and is never chosen by itself.
 * @param waitTime How long to wait for a busy lock; 0 tries once.
 * @param leaseTime How long a lock outlives a process that died. Renewed at a third of it
 * while the lock is held.
 * @param commandTimeout How long the store may take to answer; at most a third of the
 * lease time.
 * @param release When a release returns: once the store has confirmed it, or as soon as
 * it is sent, which spares a round trip.
 * @param maxWaiters How many callers may wait for one lock in this process; one more is
 * refused at once. The default is any number.
 * @param onLost What happens to a running method when its lock is lost: report it at the
 * end, or interrupt its thread.
 * @param maxHold How long a method may hold a lock before that is told of, once, with its
 * stack trace. The default is any time.
 * @param onStoreFailure What annotated methods do when the store cannot answer: fail, or
 * run without their lock, after a warning.
 * @param commitGuard Whether transactions are rolled back instead of committed when a
 * lock of the method was lost.
 * @param order Order of the lock among the proxies' other advice; what has a higher one
 * runs inside of the lock. The default is far outside of transactions.
 * @param mode What sees the calls of annotated methods: proxies, or also code woven into
 * the methods by AspectJ, which sees calls within the same bean.
 * @param shutdownTimeout How long to wait at shutdown for running methods to release
 * their locks.
 * @param application Name shown to those who find a lock busy. The default is
 * spring.application.name.
 * @param host Host shown to those who find a lock busy. The default is the machine's
 * name.
 * @param startupReport Whether to log at startup which methods are locked, and how.
 * @param selfInvocationCheck Whether to look at startup for methods that call locked
 * methods of their own object, which runs them without the lock, and warn of them.
 * @param locks Settings by lock name, which win over the annotation's.
 * @param redis What only the Redis store has.
 * @param redlock What only the Redlock store has.
 */
@ConfigurationProperties(prefix = LockProperties.PREFIX, ignoreUnknownFields = false)
public record LockProperties(@DefaultValue("true") boolean enabled, @Nullable StoreType store,
		@DefaultValue("5s") Duration waitTime, @DefaultValue("30s") Duration leaseTime,
		@Nullable Duration commandTimeout, @DefaultValue("confirmed") ReleaseMode release, @Nullable Integer maxWaiters,
		@DefaultValue("report") OnLost onLost, @Nullable Duration maxHold,
		@DefaultValue("fail") OnStoreFailure onStoreFailure, @DefaultValue("true") boolean commitGuard,
		@Nullable Integer order, @DefaultValue("proxy") AdviceMode mode, @DefaultValue("10s") Duration shutdownTimeout,
		@Nullable String application, @Nullable String host, @DefaultValue("true") boolean startupReport,
		@DefaultValue("true") boolean selfInvocationCheck, @DefaultValue Map<String, LockOptions> locks,
		@DefaultValue Redis redis, @DefaultValue Redlock redlock) {

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
		PropertyChecks.quarantine(store, quarantine, "lease-time", leaseTime);
		locks.forEach((name, options) -> {
			PropertyChecks.quarantine(store, quarantine, "locks." + name + ".lease-time", options.leaseTime());
			PropertyChecks.quarantine(store, quarantine, "locks." + name + ".min-hold", options.minHold());
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
		return (store == StoreType.REDLOCK) ? redlock.quarantine(leaseTime) : redis.quarantine();
	}

	Duration longestLease() {
		Duration quarantine = quarantine(this.store, this.leaseTime, this.redis, this.redlock);
		return quarantine.isZero() ? LockRequest.MAX_LEASE : quarantine;
	}

	/**
	 * Configuration of the Redis store.
	 *
	 * @param keyPrefix What all keys and channels begin with; the same for all who share
	 * locks.
	 * @param pollInterval How often a waiter asks again in case the message of its grant
	 * got lost.
	 * @param startupCheck What to do at startup when the server cannot keep locks: rights
	 * missing, version too old, eviction. A server that does not answer is only warned
	 * of.
	 * @param quarantine For how long no lock is granted after Redis lost its data, or is
	 * new; at least the longest lease in use. 0 for never, as it must be with Cluster.
	 * @param replicas What replicas must confirm before a lock counts.
	 */
	public record Redis(@DefaultValue("lk:") String keyPrefix, @DefaultValue("500ms") Duration pollInterval,
			@DefaultValue("fail") StartupCheck startupCheck, @DefaultValue("0s") Duration quarantine,
			@DefaultValue Replicas replicas) {

		/**
		 * Checks the values.
		 * @throws LockConfigurationException naming the property that is out of range
		 */
		public Redis {
			PropertyChecks.keyPrefix(keyPrefix);
			PropertyChecks.pollInterval(pollInterval);
			PropertyChecks.notNegative("redis.quarantine", quarantine);
		}

	}

	/**
	 * What replicas must confirm.
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
	 * @param retryInterval How long a waiter pauses at the most before it asks again.
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

	/** What to do with what a check found. */
	public enum StartupCheck {

		/** Do not start. */
		FAIL,

		/** Log it. */
		WARN,

		/** Do not look. */
		OFF

	}

	/** Where locks can be kept. */
	public enum StoreType {

		/** In Redis, through the application's own connection factory. */
		REDIS,

		/** On a majority of independent Redis masters. */
		REDLOCK,

		/** In this process: for tests and applications that run once. */
		MEMORY

	}

}
