package io.distlock.zookeeper;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.StoreListener;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;

/**
 * Keeps locks in ZooKeeper. A hold ends with its lease or with the session of its
 * process. A process relies on a hold only as long as committed writes prove that the
 * session lasts. This uses no clock except the monotonic clock of this machine. Fencing
 * tokens are transaction ids of ZooKeeper, so they rise in the order of the committed
 * grants.
 * <p>
 * A stop ends the session of a client that the store has created, or the incarnation of
 * this process in a client of the application. If locks are still held, this happens in
 * the background, when their leases are over.
 * <p>
 * The servers need a {@code minSessionTimeout} of at least two ticks, which is the
 * default. Locks of a process that dies stay taken until its session is over, whatever
 * their lease.
 */
public final class ZooKeeperLockStore extends DelegatingLockStore {

	private final ZooKeeperLockRecords records;

	private final Duration waiterLifetime;

	private ZooKeeperLockStore(Client client, ZooKeeperLockStoreSettings settings) {
		this(new ZooKeeperLockRecords(client, settings), settings);
	}

	private ZooKeeperLockStore(ZooKeeperLockRecords records, ZooKeeperLockStoreSettings settings) {
		super(new RecordLockStore(records, RecordSettings.NOTIFIED.withCommandTimeout(settings.commandTimeout())));
		this.records = records;
		this.waiterLifetime = settings.sessionTimeout();
	}

	/**
	 * Creates a store on a client of the application, which starts it before the store is
	 * used and closes it afterwards. Its session timeout and connection timeout count,
	 * not those of the settings. Its namespace is respected, its ACL provider is not.
	 * <p>
	 * Until the session of such a client is known to last, which takes up to half of its
	 * timeout, holds are granted only if this JVM was started less than half of the
	 * timeout ago.
	 * @param client the client
	 * @param settings root, command timeout and ACL
	 */
	public ZooKeeperLockStore(CuratorFramework client, ZooKeeperLockStoreSettings settings) {
		this(new Client.Shared(client), settings);
	}

	/**
	 * Creates a store with a separate client, made at each start and closed at each stop.
	 * @param client has the connect string or an ensemble provider, and optionally user,
	 * TLS and namespace; the store sets timeouts and retry policy
	 * @param settings timeouts, root and ACL
	 * @throws IllegalArgumentException if the builder has no address
	 */
	public ZooKeeperLockStore(CuratorFrameworkFactory.Builder client, ZooKeeperLockStoreSettings settings) {
		this(Client.Own.of(client, settings), settings);
	}

	@Override
	public void start(String instance, StoreListener listener) {
		// A hold of a former session is over, and its renewal will discover this.
		this.records.onNewSession(listener::failedOver);
		super.start(instance, listener);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		this.records.leased(command.lease());
		return super.acquire(command, caller);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		this.records.leased(command.lease());
		return super.renew(command);
	}

	/**
	 * Returns how long a queued request of a dead process lasts: until the end of its
	 * session.
	 */
	@Override
	public Duration waiterLifetime() {
		return this.waiterLifetime;
	}

}
