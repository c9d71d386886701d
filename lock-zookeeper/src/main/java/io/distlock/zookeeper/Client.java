package io.distlock.zookeeper;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** The Curator client of a store. */
sealed interface Client {

	/**
	 * Returns a started client. The store calls this method once for each start.
	 */
	CuratorFramework open();

	/** Gives the client back. May block until the session is closed. */
	void close(CuratorFramework client);

	/**
	 * Returns a moment before the session of a client that is opened now, in nanoseconds.
	 */
	long before();

	/** Returns the connect string. */
	String address();

	/** Returns the namespace of the client, possibly empty. */
	String namespace();

	/**
	 * A client of the application, which starts and closes it.
	 *
	 * @param client the client
	 */
	record Shared(CuratorFramework client) implements Client {

		@Override
		public CuratorFramework open() {
			return this.client;
		}

		@Override
		public void close(CuratorFramework client) {
			// The application closes it.
		}

		/** No session is older than this JVM. */
		@Override
		public long before() {
			return System.nanoTime()
					- TimeUnit.MILLISECONDS.toNanos(ManagementFactory.getRuntimeMXBean().getUptime() + 1000);
		}

		@Override
		public String address() {
			return this.client.getZookeeperClient().getCurrentConnectionString();
		}

		@Override
		public String namespace() {
			String namespace = this.client.getNamespace();
			return (namespace != null) ? namespace : "";
		}

	}

	/**
	 * A client that the store makes, starts and closes.
	 *
	 * @param builder makes the client
	 * @param address the connect string
	 * @param space the namespace, possibly empty
	 */
	record Own(CuratorFrameworkFactory.Builder builder, String address, String space) implements Client {

		/**
		 * Makes a client with the timeouts of the settings.
		 * @param builder has the connect string or an ensemble provider, and the user
		 * @param settings the timeouts
		 */
		static Own of(CuratorFrameworkFactory.Builder builder, ZooKeeperLockStoreSettings settings) {
			if (builder.getEnsembleProvider() == null) {
				throw new IllegalArgumentException(
						"The builder of the Curator client has no address; call connectString or ensembleProvider");
			}
			// Curator repeats no commands, whatever its retry policy.
			builder.sessionTimeoutMs(Math.toIntExact(settings.sessionTimeout().toMillis()))
				.connectionTimeoutMs(Math.toIntExact(settings.connectionTimeout().toMillis()))
				.retryPolicy(new ExponentialBackoffRetry(100, 3));
			String space = builder.getNamespace();
			return new Own(builder, builder.getEnsembleProvider().getConnectionString(), (space != null) ? space : "");
		}

		@Override
		public CuratorFramework open() {
			CuratorFramework client = this.builder.build();
			client.start();
			return client;
		}

		@Override
		public void close(CuratorFramework client) {
			client.close();
		}

		@Override
		public long before() {
			return System.nanoTime();
		}

		@Override
		public String namespace() {
			return this.space;
		}

	}

}
