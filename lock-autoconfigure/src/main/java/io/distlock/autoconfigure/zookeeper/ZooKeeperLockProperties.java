package io.distlock.autoconfigure.zookeeper;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.distlock.autoconfigure.StoreCheck;

/**
 * Configuration of stores on ZooKeeper.
 *
 * @param connectString Addresses of the servers, with a chroot or not:
 * host:port,host:port/chroot. The default is the application's CuratorFramework bean.
 * @param root The znode under which everything is kept; the same in all applications that
 * share locks.
 * @param sessionTimeout For how long the locks of a dead process stay taken, if the
 * servers agree. The default is the lease time. Only with a connect string.
 * @param startupCheck What to do at startup when the servers cannot keep locks. Servers
 * that do not answer only cause a warning.
 */
@ConfigurationProperties("distributed-lock.zookeeper")
record ZooKeeperLockProperties(@Nullable String connectString, @DefaultValue("/distributed-lock") String root,
		@Nullable Duration sessionTimeout, @DefaultValue("fail") StoreCheck.Mode startupCheck) {

	static final String GROUP = "zookeeper";

	private static final Duration SHORTEST_SESSION = Duration.ofSeconds(1);

	private static final Duration LONGEST_SESSION = Duration.ofHours(1);

	/**
	 * Returns the session timeout, or its default if it is not set.
	 * @param leaseTime the default, limited to the range of a session timeout
	 * @return the timeout to request from the servers
	 */
	Duration sessionTimeout(Duration leaseTime) {
		if (this.sessionTimeout != null) {
			return this.sessionTimeout;
		}
		Duration atLeast = (leaseTime.compareTo(SHORTEST_SESSION) < 0) ? SHORTEST_SESSION : leaseTime;
		return (atLeast.compareTo(LONGEST_SESSION) > 0) ? LONGEST_SESSION : atLeast;
	}

}
