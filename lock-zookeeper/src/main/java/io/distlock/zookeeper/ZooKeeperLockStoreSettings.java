package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import io.distlock.records.RecordSettings;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * Settings of a {@link ZooKeeperLockStore}. All processes that share locks need the same
 * root.
 *
 * @param root the znode that contains all data of the store, an absolute path within the
 * chroot of the connect string and the namespace of the client
 * @param sessionTimeout how long the locks of a dead process stay taken, if the servers
 * agree
 * @param connectionTimeout how long connecting may take
 * @param commandTimeout how long an answer may take
 * @param acl which clients may read and change the locks, at least one entry
 */
public record ZooKeeperLockStoreSettings(String root, Duration sessionTimeout, Duration connectionTimeout,
		Duration commandTimeout, List<ACL> acl) {

	private static final Duration LONGEST = Duration.ofHours(1);

	/**
	 * The default settings: root {@code /distributed-lock}, session timeout 30 s,
	 * connection timeout 5 s, the command timeout of
	 * {@link io.distlock.LockSettings#DEFAULTS}, and access for all clients.
	 */
	public static final ZooKeeperLockStoreSettings DEFAULTS = builder().build();

	/**
	 * Checks the values. Applications use the {@linkplain #builder() builder}, because a
	 * further setting changes this constructor.
	 * @param root the znode that contains all data of the store
	 * @param sessionTimeout how long the locks of a dead process stay taken
	 * @param connectionTimeout how long connecting may take
	 * @param commandTimeout how long an answer may take
	 * @param acl which clients may read and change the locks
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public ZooKeeperLockStoreSettings {
		// ZooKeeper searches this list for null, and other immutable lists refuse that.
		acl = Collections.unmodifiableList(new ArrayList<>(acl));
		String violation = Znodes.violation(root);
		if (!violation.isEmpty()) {
			throw new IllegalArgumentException("The root '" + ForeignText.of(root)
					+ "' of a store on ZooKeeper cannot be used: " + violation + "; use one like /distributed-lock");
		}
		if (acl.isEmpty()) {
			throw new IllegalArgumentException(
					"The ACL of a store on ZooKeeper is empty, so no client could use the locks; add an entry");
		}
		require("session timeout", sessionTimeout, Duration.ofSeconds(1));
		require("connection timeout", connectionTimeout, Duration.ofMillis(100));
		require("command timeout", commandTimeout, Duration.ofMillis(10));
	}

	private static void require(String name, Duration value, Duration least) {
		if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("The " + name + " of a store on ZooKeeper must be between "
					+ DurationText.of(least) + " and " + DurationText.of(LONGEST) + ", was " + DurationText.of(value));
		}
	}

	/**
	 * Starts with the defaults.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/** Collects settings. */
	public static final class Builder {

		private String root = "/distributed-lock";

		private Duration sessionTimeout = Duration.ofSeconds(30);

		private Duration connectionTimeout = Duration.ofSeconds(5);

		private Duration commandTimeout = RecordSettings.NOTIFIED.commandTimeout();

		private List<ACL> acl = ZooDefs.Ids.OPEN_ACL_UNSAFE;

		private Builder() {
		}

		/**
		 * Sets the znode that contains all data of the store. The store creates the znode
		 * if it is missing.
		 * @param root an absolute path within the chroot of the connect string and the
		 * namespace of the client
		 * @return this builder
		 */
		public Builder root(String root) {
			this.root = Objects.requireNonNull(root, "'root' must not be null");
			return this;
		}

		/**
		 * Sets how long the locks of a dead process stay taken, if the servers agree. The
		 * servers allow 2 to 20 of their ticks. Without an answer, a process relies on
		 * its locks for at most two thirds of this timeout. It has an effect only if the
		 * store creates the client.
		 * @param sessionTimeout the session timeout, from 1 s to an hour
		 * @return this builder
		 */
		public Builder sessionTimeout(Duration sessionTimeout) {
			this.sessionTimeout = Objects.requireNonNull(sessionTimeout, "'sessionTimeout' must not be null");
			return this;
		}

		/**
		 * Sets how long connecting may take. It has an effect only if the store creates
		 * the client.
		 * @param connectionTimeout the connection timeout, from 100 ms to an hour
		 * @return this builder
		 */
		public Builder connectionTimeout(Duration connectionTimeout) {
			this.connectionTimeout = Objects.requireNonNull(connectionTimeout, "'connectionTimeout' must not be null");
			return this;
		}

		/**
		 * Sets how long an answer may take. If a template has another command timeout,
		 * set the same timeout here.
		 * @param commandTimeout the command timeout, from 10 ms to an hour
		 * @return this builder
		 */
		public Builder commandTimeout(Duration commandTimeout) {
			this.commandTimeout = Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
			return this;
		}

		/**
		 * Sets which clients may read and change the locks. The default is all clients.
		 * {@link org.apache.zookeeper.ZooDefs.Ids#CREATOR_ALL_ACL} allows only the user
		 * of the client.
		 * @param acl the entries, at least one
		 * @return this builder
		 */
		public Builder acl(List<ACL> acl) {
			this.acl = Objects.requireNonNull(acl, "'acl' must not be null");
			return this;
		}

		/**
		 * Checks the values.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of its range
		 */
		public ZooKeeperLockStoreSettings build() {
			return new ZooKeeperLockStoreSettings(this.root, this.sessionTimeout, this.connectionTimeout,
					this.commandTimeout, this.acl);
		}

	}

}
