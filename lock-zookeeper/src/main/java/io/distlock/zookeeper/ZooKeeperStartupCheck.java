package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.spi.StoreCheckResult;
import io.distlock.support.BoundedCall;
import io.distlock.support.ForeignText;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether ZooKeeper can keep locks: the root exists or can be created, the user
 * has all rights there, and fencing tokens are far from their end. The check leaves only
 * the root and its folders.
 */
public final class ZooKeeperStartupCheck {

	/** The number of elections from which tokens have only half of their range left. */
	private static final long MANY_ELECTIONS = 16_384;

	private static final int EPOCH_BITS = 32;

	private final Client client;

	private final ZooKeeperLockStoreSettings settings;

	/**
	 * Creates a check with a client of the application.
	 * @param client the client, started
	 * @param settings the settings of the store
	 */
	public ZooKeeperStartupCheck(CuratorFramework client, ZooKeeperLockStoreSettings settings) {
		this.client = new Client.Shared(client);
		this.settings = settings;
	}

	/**
	 * Creates a check with a separate client.
	 * @param client as for the store
	 * @param settings the settings of the store
	 * @throws IllegalArgumentException if the builder has no address
	 */
	public ZooKeeperStartupCheck(CuratorFrameworkFactory.Builder client, ZooKeeperLockStoreSettings settings) {
		this.client = Client.Own.of(client, settings);
		this.settings = settings;
	}

	/**
	 * Runs the check. It blocks for at most the connection timeout and five command
	 * timeouts.
	 * @return the result
	 */
	public StoreCheckResult run() {
		String place = "ZooKeeper at " + ForeignText.of(this.client.address());
		Duration limit = this.settings.connectionTimeout().plus(this.settings.commandTimeout().multipliedBy(5));
		try {
			return BoundedCall.<StoreCheckResult>run("distributed-lock-zookeeper-check",
					BoundedCall.within(limit.toNanos()), (answer) -> answer.complete(check(place)));
		}
		catch (TimeoutException ex) {
			return new StoreCheckResult.Unreachable(place + " did not answer within " + limit.toMillis() + " ms", null);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new StoreCheckResult.Unreachable("The check of " + place + " was interrupted", ex);
		}
		catch (ExecutionException ex) {
			return new StoreCheckResult.Unreachable("The check of " + place + " failed", ex.getCause());
		}
	}

	private StoreCheckResult check(String place) throws Exception {
		CuratorFramework opened = this.client.open();
		try {
			int limit = Math.toIntExact(this.settings.connectionTimeout().toMillis());
			if (!opened.blockUntilConnected(limit, TimeUnit.MILLISECONDS)) {
				return new StoreCheckResult.Unreachable(place + " could not be connected within " + limit + " ms",
						null);
			}
			return check(place, opened.getZookeeperClient().getZooKeeper());
		}
		finally {
			this.client.close(opened);
		}
	}

	private StoreCheckResult check(String place, ZooKeeper session) throws InterruptedException {
		Znodes znodes = new Znodes(this.client.namespace(), this.settings.root());
		String path = znodes.root();
		try {
			Folders folders = new Folders(session, this.settings.acl());
			for (String folder : znodes.folders()) {
				path = folder;
				folders.create(folder);
			}
			path = znodes.locks();
			folders.createSpread(znodes);
			long zxid = cycle(session, znodes);
			List<String> problems = new ArrayList<>();
			if (zxid >> EPOCH_BITS > MANY_ELECTIONS) {
				problems.add(place + " has elected a leader " + (zxid >> EPOCH_BITS)
						+ " times, and fencing tokens end at 32768; move the locks to new servers before");
			}
			return problems.isEmpty() ? new StoreCheckResult.Passed() : new StoreCheckResult.Problems(problems);
		}
		catch (KeeperException.NoNodeException ex) {
			return new StoreCheckResult.Problems(
					List.of("The chroot in the connect string of " + place + " does not exist; create it"));
		}
		catch (KeeperException ex) {
			String problem = place + ", znode " + path + ": " + ZooKeeperFailure.describe(ex.code());
			return ZooKeeperFailure.isPassing(ex.code()) ? new StoreCheckResult.Unreachable(problem, ex)
					: new StoreCheckResult.Problems(List.of(problem));
		}
	}

	/**
	 * Executes on a separate znode the operations of a lock. Each transaction is executed
	 * as a whole or not at all.
	 */
	private long cycle(ZooKeeper session, Znodes znodes) throws InterruptedException, KeeperException {
		String probe = "probe-" + UUID.randomUUID();
		String live = znodes.live(probe);
		String mail = znodes.mail(probe);
		String lock = znodes.lock(probe);
		byte[] data = new byte[0];
		List<OpResult> results = session.multi(List.of(Op.create(live, data, this.settings.acl(), CreateMode.EPHEMERAL),
				Op.create(mail, data, this.settings.acl(), CreateMode.EPHEMERAL), Op.setData(live, data, -1),
				Op.create(lock, data, this.settings.acl(), CreateMode.PERSISTENT),
				Op.create(lock + "/identity", data, this.settings.acl(), CreateMode.PERSISTENT)));
		boolean done = false;
		try {
			session.getData(lock, false, null);
			session.getChildren(znodes.lives(), false);
			done = true;
		}
		finally {
			delete(session, List.of(Op.delete(lock + "/identity", -1), Op.delete(lock, -1), Op.delete(mail, -1),
					Op.delete(live, -1)), done);
		}
		return ((OpResult.SetDataResult) results.get(2)).getStat().getMzxid();
	}

	private static void delete(ZooKeeper session, List<Op> operations, boolean required)
			throws InterruptedException, KeeperException {
		try {
			session.multi(operations);
		}
		catch (KeeperException ex) {
			if (required) {
				throw ex;
			}
		}
	}

}
