package io.distlock.autoconfigure.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.distlock.LockHandle;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.StoreCheck;
import io.distlock.spi.LockStore;
import io.distlock.databases.ZooKeeperServer;
import io.distlock.zookeeper.ZooKeeperLockStore;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ZooKeeperLockAutoConfigurationTests {

	private static ZooKeeperServer server;

	private final AtomicReference<ZooKeeperLockStoreSettings> settings = new AtomicReference<>();

	/** As a user has it: without lock-redis. */
	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withClassLoader(new FilteredClassLoader("io.distlock.redis", "io.distlock.redlock"))
		.withBean("settings", ZooKeeperLockStoreBuilderCustomizer.class,
				() -> (id, builder) -> this.settings.set(builder.build()))
		.withPropertyValues("distributed-lock.command-timeout=10s",
				"distributed-lock.zookeeper.connect-string=" + server.address());

	@BeforeAll
	static void start() throws Exception {
		server = ZooKeeperServer.start();
	}

	@AfterAll
	static void stop() throws Exception {
		server.close();
	}

	@Test
	void zooKeeperIsUsedWhenThereIsAConnectString() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(ZooKeeperLockStore.class).hasSingleBean(LockStore.class);
			assertThat(this.settings.get()).as("otherwise the same as without Spring Boot")
				.isEqualTo(ZooKeeperLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(10)).build());
			assertKept(context.getBean(LockTemplate.class).acquire("a"), "", "/distributed-lock/locks");
		});
	}

	@Test
	void propertiesBecomeSettings() {
		this.runner
			.withPropertyValues("distributed-lock.zookeeper.root=/shop/locks",
					"distributed-lock.zookeeper.session-timeout=20s", "distributed-lock.command-timeout=9s")
			.withBean(ZooKeeperLockStoreBuilderCustomizer.class, () -> new Secured(this.settings, true))
			.run((context) -> {
				assertThat(this.settings.get()).isEqualTo(ZooKeeperLockStoreSettings.builder()
					.root("/shop/locks")
					.sessionTimeout(Duration.ofSeconds(20))
					.connectionTimeout(Duration.ofSeconds(3))
					.commandTimeout(Duration.ofSeconds(9))
					.acl(ZooDefs.Ids.CREATOR_ALL_ACL)
					.build());
				assertKept(context.getBean(LockTemplate.class).acquire("a"), "shop:secret", "/team/shop/locks/locks");
			});
	}

	@Test
	void userWithoutAnAclIsWarnedOf(CapturedOutput output) {
		String warning = "Locks in ZooKeeper are open to all clients although the client has credentials";
		this.runner.withPropertyValues("distributed-lock.zookeeper.root=/open").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain(warning);
		});
		this.runner.withPropertyValues("distributed-lock.zookeeper.root=/open")
			.withBean(ZooKeeperLockStoreBuilderCustomizer.class, () -> new Secured(this.settings, false))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).containsOnlyOnce(warning);
			});
	}

	@Test
	void sessionLastsAsLongAsALease() {
		this.runner
			.withPropertyValues("distributed-lock.lease-time=12s", "distributed-lock.command-timeout=4s",
					"distributed-lock.zookeeper.startup-check=off")
			.run((context) -> assertThat(this.settings.get().sessionTimeout()).isEqualTo(Duration.ofSeconds(12)));
		ZooKeeperLockProperties open = new ZooKeeperLockProperties(null, "/", null, StoreCheck.Mode.FAIL);
		assertThat(open.sessionTimeout(Duration.ofMillis(100))).isEqualTo(Duration.ofSeconds(1));
		assertThat(open.sessionTimeout(Duration.ofDays(1))).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void clientOfTheApplicationIsUsed() {
		noConnectString().withUserConfiguration(OneClient.class).run((context) -> {
			assertThat(context).hasSingleBean(ZooKeeperLockStore.class);
			assertKept(acquire(context.getBean(LockTemplate.class)), "", "/application/distributed-lock/locks");
		});
	}

	@Test
	void severalClientsNeedAChoice() {
		noConnectString().withUserConfiguration(TwoClients.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("Locks are kept in ZooKeeper, but there are several CuratorFramework beans: left, right. "
						+ "Mark one with @LockCuratorFramework, or set "
						+ "distributed-lock.zookeeper.connect-string for a client of the locks' own. All applications "
						+ "that share locks need the same ensemble."));
		noConnectString().withUserConfiguration(MarkedClient.class).run((context) -> {
			assertKept(acquire(context.getBean(LockTemplate.class)), "", "/marked/distributed-lock/locks");
		});
	}

	@Test
	void settingThatHasNoEffectIsRefused() {
		noConnectString().withUserConfiguration(OneClient.class)
			.withPropertyValues("distributed-lock.zookeeper.session-timeout=6s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("The property distributed-lock.zookeeper.session-timeout has no effect: "));
	}

	@Test
	void withoutClientAndConnectStringBothWaysAreNamed() {
		noConnectString().withPropertyValues("distributed-lock.store=zookeeper")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("Locks are kept in ZooKeeper, but there is no CuratorFramework bean and no "
						+ "distributed-lock.zookeeper.connect-string. Set distributed-lock.zookeeper.connect-string"));
	}

	@Test
	void withRedisOnTheClassPathTheChoiceIsTheUsers() {
		ApplicationContextRunner both = new ApplicationContextRunner()
			.withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(LockApplications.redis())
			.withPropertyValues("distributed-lock.redis.startup-check=off",
					"distributed-lock.zookeeper.connect-string=" + server.address());
		both.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("Set distributed-lock.store=redis or distributed-lock.store=zookeeper"));
		both.withPropertyValues("distributed-lock.store=zookeeper")
			.run((context) -> assertThat(context).hasSingleBean(ZooKeeperLockStore.class)
				.hasSingleBean(LockStore.class));
	}

	@Test
	void serversThatCannotKeepLocksAreRefused() {
		this.runner.withPropertyValues("distributed-lock.zookeeper.connect-string=" + server.address() + "/missing")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageStartingWith("ZooKeeper cannot keep locks:" + System.lineSeparator() + "  - ")
				.hasMessageContaining("The chroot in the connect string")
				.hasMessageEndingWith("Change the servers as described above, or accept the risk with "
						+ "distributed-lock.zookeeper.startup-check=warn."));
	}

	@Test
	void connectStringWithoutServersIsRefused() {
		this.runner.withPropertyValues("distributed-lock.zookeeper.connect-string=")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("The property distributed-lock.zookeeper.connect-string is empty. "
						+ "Set it, for instance to zk-1:2181,zk-2:2181,zk-3:2181, or remove it."));
	}

	@Test
	void applicationStartsWhileTheServersAreAway(CapturedOutput output) {
		this.runner.withPropertyValues("distributed-lock.zookeeper.connect-string=localhost:1")
			.withBean(ZooKeeperLockStoreBuilderCustomizer.class,
					() -> (id, builder) -> builder.connectionTimeout(Duration.ofMillis(200)))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("Whether it can keep locks was not checked");
	}

	private ApplicationContextRunner noConnectString() {
		return new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withClassLoader(new FilteredClassLoader("io.distlock.redis", "io.distlock.redlock"));
	}

	/** How old the session of such a client is, is known after a third of its timeout. */
	private static LockHandle acquire(LockTemplate template) {
		AtomicReference<LockHandle> acquired = new AtomicReference<>();
		Awaitility.await()
			.ignoreExceptionsInstanceOf(LockStoreException.class)
			.untilAsserted(() -> acquired.set(template.acquire("a")));
		return acquired.get();
	}

	private static void assertKept(LockHandle acquired, String credentials, String path) throws Exception {
		try (acquired) {
			assertThat(acquired.isHeld()).isTrue();
			assertThat(children(credentials, path)).containsExactly("ka");
		}
	}

	/** Returns the names of all records, which are spread among folders. */
	private static List<String> children(String credentials, String path) throws Exception {
		try (CuratorFramework client = client("", credentials)) {
			List<String> names = new ArrayList<>();
			for (String folder : client.getChildren().forPath(path)) {
				names.addAll(client.getChildren().forPath(path + "/" + folder));
			}
			return names;
		}
	}

	private static CuratorFramework client(String namespace, String credentials) {
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(server.address())
			.sessionTimeoutMs(6000)
			.retryPolicy(new RetryOneTime(100));
		if (!namespace.isEmpty()) {
			builder.namespace(namespace);
		}
		if (!credentials.isEmpty()) {
			builder.authorization("digest", credentials.getBytes());
		}
		CuratorFramework client = builder.build();
		client.start();
		return client;
	}

	@Configuration(proxyBeanMethods = false)
	static class OneClient {

		@Bean
		CuratorFramework client() {
			return ZooKeeperLockAutoConfigurationTests.client("application", "");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoClients {

		@Bean
		CuratorFramework left() {
			return ZooKeeperLockAutoConfigurationTests.client("left", "");
		}

		@Bean
		CuratorFramework right() {
			return ZooKeeperLockAutoConfigurationTests.client("right", "");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedClient extends TwoClients {

		@Bean
		@LockCuratorFramework
		CuratorFramework marked() {
			return ZooKeeperLockAutoConfigurationTests.client("marked", "");
		}

	}

	private record Secured(AtomicReference<ZooKeeperLockStoreSettings> settings,
			boolean closed) implements ZooKeeperLockStoreBuilderCustomizer {

		@Override
		public void customize(String id, ZooKeeperLockStoreSettings.Builder builder) {
			if (this.closed) {
				builder.acl(ZooDefs.Ids.CREATOR_ALL_ACL).connectionTimeout(Duration.ofSeconds(3));
			}
			this.settings.set(builder.build());
		}

		@Override
		public void customizeClient(String id, CuratorFrameworkFactory.Builder builder) {
			builder.authorization("digest", "shop:secret".getBytes(StandardCharsets.UTF_8)).namespace("team");
		}

	}

}
