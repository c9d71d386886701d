package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.core.env.Environment;

import io.distlock.LockOptions;
import io.distlock.OnBusy;
import io.distlock.OnLost;
import io.distlock.OnStoreFailure;
import io.distlock.ReleaseMode;
import io.distlock.spring.ConfiguredLock;
import io.distlock.spring.SelfInvocation;

/**
 * Configuration of the lock that does not depend on its store.
 *
 * @param enabled Whether to configure locks. If not, annotated methods run without a lock
 * and there is no LockTemplate bean.
 * @param store Type of the store that keeps the locks. Needed only if more than one could
 * keep them. Memory excludes only threads of this process and is never the default.
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
 * after a warning run without their lock.
 * @param commitGuard Whether transactions are rolled back instead of committed when a
 * lock of the method was lost.
 * @param adviceOrder Order of the lock among a proxy's other advice. Advice of a higher
 * order runs inside the lock. By default the lock is inside of Spring Security and
 * outside of transactions.
 * @param adviceMode How calls of annotated methods are intercepted: by proxies, or by
 * AspectJ weaving too, which intercepts calls within the same bean.
 * @param selfInvocation What the check at startup does about annotated methods that are
 * called within their own bean and so without their lock: warn, or fail the start.
 * @param shutdownTimeout How long to wait at shutdown for running methods to release
 * their locks.
 * @param locks Settings by lock name, which win over the annotation's.
 * @param stores Further stores by id, for locks that name one of them.
 * @param web Answers to HTTP requests that fail because of a lock.
 */
@ConfigurationProperties(LockProperties.PREFIX)
public record LockProperties(@DefaultValue("true") boolean enabled, @Nullable String store,
		@DefaultValue("5s") Duration waitTime, @DefaultValue("30s") Duration leaseTime,
		@Nullable Duration commandTimeout, @DefaultValue("confirmed") ReleaseMode release, @Nullable Integer maxWaiters,
		@DefaultValue("report") OnLost onLost, @Nullable Duration maxHold,
		@DefaultValue("fail") OnStoreFailure onStoreFailure, @DefaultValue("true") boolean commitGuard,
		@Nullable Integer adviceOrder, @DefaultValue("proxy") AdviceMode adviceMode,
		@DefaultValue("warn") SelfInvocation selfInvocation, @DefaultValue("10s") Duration shutdownTimeout,
		@DefaultValue Map<String, Lock> locks, @DefaultValue Map<String, Store> stores, @DefaultValue Web web) {

	static final String PREFIX = "distributed-lock";

	/**
	 * Checks the values.
	 * @throws LockConfigurationException if a property is out of range; it names the
	 * property
	 */
	public LockProperties {
		PropertyChecks.options("",
				LockOptions.NONE.withWaitTime(waitTime)
					.withLeaseTime(leaseTime)
					.withMaxWaiters(maxWaiters)
					.withMaxHold(maxHold));
		PropertyChecks.commandTimeout(commandTimeout, leaseTime);
		PropertyChecks.notNegative("shutdown-timeout", shutdownTimeout);
		locks = Map.copyOf(locks);
		stores = Collections.unmodifiableMap(new TreeMap<>(stores));
		locks.forEach((name, lock) -> {
			PropertyChecks.options("locks." + name + ".", lock.options());
			PropertyChecks.fallback("locks." + name + ".fallback", lock.fallback());
		});
	}

	/**
	 * Binds the properties for code that runs before the bean of this type exists.
	 * @param environment the environment
	 * @return the same values as in the bean
	 */
	static LockProperties of(Environment environment) {
		return Binder.get(environment).bindOrCreate(PREFIX, LockProperties.class);
	}

	/**
	 * Returns the configuration by lock name, for the names of annotated methods. It
	 * omits an entry with only a store, because code may be the only user of such a name.
	 * @param ofVariables the names that come from environment variables
	 */
	Map<String, ConfiguredLock> configured(Set<String> ofVariables) {
		return this.locks.entrySet()
			.stream()
			.filter((lock) -> lock.getValue().store().isEmpty()
					|| !lock.getValue().configured(false).equals(ConfiguredLock.NONE))
			.collect(Collectors.toMap(Map.Entry::getKey,
					(lock) -> lock.getValue().configured(ofVariables.contains(lock.getKey()))));
	}

	/** Returns the ids of stores by lock name, for locks with configured stores. */
	Map<String, List<String>> routes() {
		return this.locks.entrySet()
			.stream()
			.filter((lock) -> !lock.getValue().store().isEmpty())
			.collect(Collectors.toMap(Map.Entry::getKey, (lock) -> lock.getValue().store()));
	}

	/**
	 * Settings of one lock, which override the annotation.
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

		ConfiguredLock configured(boolean ofVariable) {
			return new ConfiguredLock(options(), this.enabled, this.onBusy, this.fallback, ofVariable);
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
	 * A further store.
	 *
	 * @param type Type of the store. Its settings are below, in a group of that name.
	 */
	public record Store(@Nullable String type) {
	}

	/**
	 * Configuration of the answers to HTTP requests that fail because of a lock.
	 *
	 * @param enabled Whether HTTP requests that fail because of a lock are answered with
	 * a problem detail: 409 if the lock is busy, 503 if too many callers wait or the
	 * store does not answer, 500 if the lock was lost.
	 */
	public record Web(@DefaultValue("true") boolean enabled) {
	}

}
