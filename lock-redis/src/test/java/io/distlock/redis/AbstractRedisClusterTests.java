package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.FutureTask;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RenewResult;
import io.distlock.spi.StoreCheckResult;
import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What is different when locks live on several masters. */
abstract class AbstractRedisClusterTests {

	/** Less than the poll interval, far more than a message takes. */
	private static final Duration PUSHED = Duration.ofSeconds(15);

	private final RedisCluster cluster = SharedServers.cluster();

	private final RedisConnectionFactory factory;

	AbstractRedisClusterTests(Client client) {
		this.factory = SharedServers.cluster(client);
	}

	@Test
	void releaseWhenOtherInstanceWaitsThenGrantIsPushedFromEveryMaster() throws Exception {
		try (TemplatesUnderTest templates = new TemplatesUnderTest(this.factory, TemplatesUnderTest.SELDOM)) {
			CloseableLockTemplate one = templates.addPatient();
			CloseableLockTemplate two = templates.addPatient();
			RedisServer subscribedTo = subscribedTo(two.instance());
			Map<RedisServer, String> keys = keyOfEachMaster();
			assertThat(keys).hasSize(3).containsKey(subscribedTo);
			for (String key : keys.values()) {
				LockHandle held = one.acquire(LockRequest.of(key));
				FutureTask<Long> waiter = TemplatesUnderTest.waiter(two, key);
				awaitQueued(key, two.instance());
				held.close();
				assertThat(TemplatesUnderTest.get(waiter, PUSHED)).isGreaterThan(held.fencingToken());
			}
		}
	}

	@Test
	void releaseWhenSubscriptionsWereKilledThenWaitersAreServed() throws Exception {
		try (TemplatesUnderTest templates = new TemplatesUnderTest(this.factory, TemplatesUnderTest.SELDOM)) {
			CloseableLockTemplate one = templates.addPatient();
			CloseableLockTemplate two = templates.addPatient();
			List<LockHandle> held = new ArrayList<>();
			List<FutureTask<Long>> waiters = new ArrayList<>();
			for (String key : keyOfEachMaster().values()) {
				held.add(one.acquire(LockRequest.of(key)));
				waiters.add(TemplatesUnderTest.waiter(two, key));
				awaitQueued(key, two.instance());
			}
			subscribedTo(two.instance());
			for (RedisServer node : this.cluster.nodes()) {
				node.command("CLIENT", "KILL", "TYPE", "pubsub");
			}
			held.forEach(LockHandle::close);
			for (FutureTask<Long> waiter : waiters) {
				assertThat(TemplatesUnderTest.get(waiter, PUSHED)).isPositive();
			}
		}
	}

	@Test
	void commandsWhenScriptsWereFlushedThenWorkOnEveryMaster() throws Exception {
		try (StoreUnderTest store = new StoreUnderTest(this.factory)) {
			for (String key : keyOfEachMaster().values()) {
				flushScripts();
				store.acquired(key, 1);
				flushScripts();
				assertThat(store.renew(key, 1)).isInstanceOf(RenewResult.Renewed.class);
				flushScripts();
				assertThat(store.finish(key, 1)).isEqualTo(FinishResult.RELEASED);
				flushScripts();
				assertThat(store.inspect(key).owner()).isNull();
			}
		}
	}

	@Test
	void commandsWhenSlotMovesThenHoldAndQueueMoveWithIt() throws Exception {
		String key = "moving:" + UUID.randomUUID();
		int slot = this.cluster.slot("lk:" + key);
		RedisServer source = this.cluster.masterOf("lk:" + key);
		RedisServer target = this.cluster.nodes().stream().filter((node) -> node != source).findFirst().orElseThrow();
		try (StoreUnderTest one = new StoreUnderTest(this.factory);
				StoreUnderTest two = new StoreUnderTest(this.factory)) {
			two.acquired("other:" + UUID.randomUUID(), 1);
			await().until(() -> two.reconnects.get() > 0);
			long token = one.acquired(key, 1).fencingToken();
			assertThat(two.acquire(key, 1, true)).isInstanceOf(AcquireResult.Queued.class);
			this.cluster.beginToMove(slot, target);
			assertThat(one.renew(key, 1)).isInstanceOf(RenewResult.Renewed.class);
			source.command("MIGRATE", target.host(), String.valueOf(target.port()), "lk:" + key, "0", "5000");
			flushScripts();
			assertThat(one.renew(key, 1)).isInstanceOf(RenewResult.Renewed.class);
			assertThat(two.acquire(key, 1, true)).isInstanceOf(AcquireResult.Queued.class);
			this.cluster.move(slot, target);
			assertThat(one.renew(key, 1)).isInstanceOf(RenewResult.Renewed.class);
			assertThat(one.finish(key, 1)).isEqualTo(FinishResult.RELEASED);
			await().until(() -> !two.grants.isEmpty());
			assertThat(two.grants.element().fencingToken()).isGreaterThan(token);
			assertThat(two.renew(key, 1)).isInstanceOf(RenewResult.Renewed.class);
			assertThat(target.command("EXISTS", "lk:" + key)).isEqualTo("1");
		}
		finally {
			this.cluster.move(slot, source);
		}
	}

	/**
	 * A key that is empty for a moment would be on the other master for the next command
	 * of the script.
	 */
	@Test
	void releaseWhenSlotBeganToMoveThenEndIsRemembered() throws Exception {
		String key = "moving:" + UUID.randomUUID();
		int slot = this.cluster.slot("lk:" + key);
		RedisServer source = this.cluster.masterOf("lk:" + key);
		RedisServer target = this.cluster.nodes().stream().filter((node) -> node != source).findFirst().orElseThrow();
		try (StoreUnderTest store = new StoreUnderTest(this.factory)) {
			store.acquired(key, 1);
			this.cluster.beginToMove(slot, target);
			assertThat(store.finish(key, 1)).isEqualTo(FinishResult.RELEASED);
			assertThat(source.command("EXISTS", "lk:" + key)).isEqualTo("1");
			assertThat(store.acquire(key, 1, false)).as("a late copy").isInstanceOf(AcquireResult.Ended.class);
			source.command("MIGRATE", target.host(), String.valueOf(target.port()), "lk:" + key, "0", "5000");
			assertThat(store.acquire(key, 1, false)).as("a late copy").isInstanceOf(AcquireResult.Ended.class);
			assertThat(store.finish(key, 1)).as("the first answer").isEqualTo(FinishResult.RELEASED);
			this.cluster.move(slot, target);
		}
		finally {
			this.cluster.move(slot, source);
		}
	}

	@Test
	void startupCheckLooksAtEveryNode() {
		RedisStartupCheck check = new RedisStartupCheck(this.factory, RedisLockStoreSettings.DEFAULTS);
		assertThat(check.run()).isEqualTo(new StoreCheckResult.Passed());
		RedisServer last = this.cluster.nodes().get(2);
		last.command("CONFIG", "SET", "maxmemory", "100mb");
		last.command("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
		try {
			assertThat(check.run()).isInstanceOfSatisfying(StoreCheckResult.Problems.class,
					(found) -> assertThat(found.problems()).singleElement().asString().contains("volatile-lru"));
		}
		finally {
			last.command("CONFIG", "SET", "maxmemory", "0");
			last.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
		}
	}

	private void flushScripts() {
		this.cluster.nodes().forEach((node) -> node.command("SCRIPT", "FLUSH"));
	}

	private Map<RedisServer, String> keyOfEachMaster() {
		Map<RedisServer, String> keys = new LinkedHashMap<>();
		while (keys.size() < this.cluster.nodes().size()) {
			String key = "cluster:" + UUID.randomUUID();
			keys.putIfAbsent(this.cluster.masterOf("lk:" + key), key);
		}
		return keys;
	}

	private void awaitQueued(String key, String instance) {
		await().until(() -> this.cluster.masterOf("lk:" + key).command("HKEYS", "lk:" + key).contains("w:" + instance));
	}

	/** The node that the instance's subscription is connected to. */
	private RedisServer subscribedTo(String instance) {
		return await()
			.until(() -> this.cluster.nodes()
				.stream()
				.filter((node) -> node.command("PUBSUB", "NUMSUB", StoreUnderTest.channel(instance)).endsWith("\n1"))
				.toList(), (nodes) -> nodes.size() == 1)
			.get(0);
	}

}
