package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.distlock.records.RecordSettings;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * Settings of a {@link ZooKeeperLockStore}. All processes that share locks need the same
 * root.
 *
 * @param root the znode under which everything is kept, an absolute path within the
 * chroot of the connect string and the namespace of the client; created if it is missing
 * @param sessionTimeout for how long the locks of a dead process stay taken, if the
 * servers agree: they allow 2 to 20 of their ticks; at least 1 s. A hold is never granted
 * for more than two thirds of it without renewal. Only for a client of the store's own
 * @param connectionTimeout how long a connection may take, at least 100 ms; only for a
 * client of the store's own
 * @param commandTimeout how long an answer may take, at least 10 ms
 * @param acl which clients may read and change what is kept, not empty; by default all.
 * {@link org.apache.zookeeper.ZooDefs.Ids#CREATOR_ALL_ACL} for the user of the client
 */
public record ZooKeeperLockStoreSettings(String root, Duration sessionTimeout, Duration connectionTimeout,
		Duration commandTimeout, List<ACL> acl) {

	private static final Duration LONGEST = Duration.ofHours(1);

	/**
	 * {@code /distributed-lock}, 30 s, 5 s, the command timeout of
	 * {@link io.distlock.LockSettings#DEFAULTS}, open to all clients. A template with
	 * another command timeout needs it here too.
	 */
	public static final ZooKeeperLockStoreSettings DEFAULTS = new ZooKeeperLockStoreSettings("/distributed-lock",
			Duration.ofSeconds(30), Duration.ofSeconds(5), RecordSettings.NOTIFIED.commandTimeout(),
			ZooDefs.Ids.OPEN_ACL_UNSAFE);

	/**
	 * Checks the values.
	 * @param root the znode under which everything is kept
	 * @param sessionTimeout for how long the locks of a dead process stay taken
	 * @param connectionTimeout how long a connection may take
	 * @param commandTimeout how long an answer may take
	 * @param acl which clients may read and change what is kept
	 * @throws IllegalArgumentException if one is out of its range
	 */
	public ZooKeeperLockStoreSettings {
		// ZooKeeper looks for null in it, which other immutable lists refuse.
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
	 * Returns these settings with another root.
	 * @param changed an absolute path
	 * @return the settings
	 */
	public ZooKeeperLockStoreSettings withRoot(String changed) {
		return new ZooKeeperLockStoreSettings(changed, this.sessionTimeout, this.connectionTimeout, this.commandTimeout,
				this.acl);
	}

	/**
	 * Returns these settings with another session timeout.
	 * @param changed for how long the locks of a dead process stay taken
	 * @return the settings
	 */
	public ZooKeeperLockStoreSettings withSessionTimeout(Duration changed) {
		return new ZooKeeperLockStoreSettings(this.root, changed, this.connectionTimeout, this.commandTimeout,
				this.acl);
	}

	/**
	 * Returns these settings with another connection timeout.
	 * @param changed how long a connection may take
	 * @return the settings
	 */
	public ZooKeeperLockStoreSettings withConnectionTimeout(Duration changed) {
		return new ZooKeeperLockStoreSettings(this.root, this.sessionTimeout, changed, this.commandTimeout, this.acl);
	}

	/**
	 * Returns these settings with another command timeout.
	 * @param changed how long an answer may take
	 * @return the settings
	 */
	public ZooKeeperLockStoreSettings withCommandTimeout(Duration changed) {
		return new ZooKeeperLockStoreSettings(this.root, this.sessionTimeout, this.connectionTimeout, changed,
				this.acl);
	}

	/**
	 * Returns these settings with another ACL.
	 * @param changed which clients may read and change what is kept
	 * @return the settings
	 */
	public ZooKeeperLockStoreSettings withAcl(List<ACL> changed) {
		return new ZooKeeperLockStoreSettings(this.root, this.sessionTimeout, this.connectionTimeout,
				this.commandTimeout, changed);
	}

}
