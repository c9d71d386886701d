package io.distlock.redlock;

import java.util.List;

import io.distlock.spi.LockStore;
import io.distlock.test.LockStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LettuceRedlockStoreTests extends LockStoreContract {

	private static QuorumServers servers;

	private static List<RedlockNode> nodes;

	@BeforeAll
	static void start() {
		servers = QuorumServers.start(5, Client.LETTUCE);
		nodes = servers.connect();
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

	@Override
	protected LockStore newStore() {
		return new RedlockStore(nodes, QuorumServers.SETTINGS);
	}

	@Override
	protected boolean handsOver() {
		return false;
	}

	@Override
	protected boolean countsPermits() {
		return false;
	}

}
