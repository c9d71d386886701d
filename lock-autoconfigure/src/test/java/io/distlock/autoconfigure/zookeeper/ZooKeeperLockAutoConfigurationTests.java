package io.distlock.autoconfigure.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.test.redis.FreePort;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.ZooDefs;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
import io.distlock.autoconfigure.LockProperties;
import io.distlock.autoconfigure.LockProperties.StartupCheck;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.zookeeper.ZooKeeperLockStore;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;
import io.distlock.zookeeper.ZooKeeperStartupCheck;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ZooKeeperLockAutoConfigurationTests {

	private static TestingServer server;

	/** As a user has it: without lock-redis. */
	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withClassLoader(new FilteredClassLoader("io.distlock.redis", "io.distlock.redlock"))
		.withPropertyValues("distributed-lock.zookeeper.connect-string=" + server.getConnectString());

	@BeforeAll
	static void start() throws Exception {
		server = new TestingServer(FreePort.find("127.0.0.1"));
	}

	@AfterAll
	static void stop() throws Exception {
		server.close();
	}

	@Test
	void zooKeeperIsUsedWhenThereIsAConnectString() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(ZooKeeperLockStore.class).hasSingleBean(LockStore.class);
			assertThat(context.getBean(ZooKeeperLockStoreSettings.class)).as("the same as without Spring Boot")
				.isEqualTo(ZooKeeperLockStoreSettings.DEFAULTS);
			try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
				assertThat(lock.isHeld()).isTrue();
				assertThat(children("", "/distributed-lock/locks")).containsExactly("ka");
			}
		});
	}

	@Test
	void propertiesBecomeSettings() {
		this.runner
			.withPropertyValues("distributed-lock.zookeeper.root=/shop/locks",
					"distributed-lock.zookeeper.session-timeout=6s", "distributed-lock.zookeeper.connection-timeout=3s",
					"distributed-lock.zookeeper.namespace=team", "distributed-lock.zookeeper.auth.scheme=digest",
					"distributed-lock.zookeeper.auth.credentials=shop:secret", "distributed-lock.zookeeper.acl=creator",
					"distributed-lock.command-timeout=2s")
			.run((context) -> {
				assertThat(context.getBean(ZooKeeperLockStoreSettings.class))
					.isEqualTo(ZooKeeperLockStoreSettings.builder()
						.root("/shop/locks")
						.sessionTimeout(Duration.ofSeconds(6))
						.connectionTimeout(Duration.ofSeconds(3))
						.commandTimeout(Duration.ofSeconds(2))
						.acl(ZooDefs.Ids.CREATOR_ALL_ACL)
						.build());
				assertThat(context.getBean(LockProperties.class).toString()).doesNotContain("secret");
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("a")) {
					assertThat(lock.isHeld()).isTrue();
					assertThat(children("shop:secret", "/team/shop/locks/locks")).containsExactly("ka");
				}
			});
	}

	@Test
	void userWithoutAnAclIsWarnedOf(CapturedOutput output) {
		String warning = "Locks in ZooKeeper are open to all clients although distributed-lock.zookeeper.auth.scheme is set";
		this.runner.withPropertyValues("distributed-lock.zookeeper.root=/open").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain(warning);
		});
		this.runner
			.withPropertyValues("distributed-lock.zookeeper.root=/open",
					"distributed-lock.zookeeper.auth.scheme=digest",
					"distributed-lock.zookeeper.auth.credentials=shop:secret")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).containsOnlyOnce(warning);
			});
	}

	@Test
	void sessionLastsAsLongAsALease() {
		this.runner
			.withPropertyValues("distributed-lock.lease-time=12s", "distributed-lock.zookeeper.startup-check=off")
			.run((context) -> assertThat(context.getBean(ZooKeeperLockStoreSettings.class).sessionTimeout())
				.isEqualTo(Duration.ofSeconds(12)));
		LockProperties.ZooKeeper open = new LockProperties.ZooKeeper(null, null, "/", null, null, Duration.ofSeconds(5),
				new LockProperties.ZooKeeperAuth(null, null), LockProperties.ZooKeeperAcl.OPEN, StartupCheck.FAIL);
		assertThat(open.sessionTimeout(Duration.ofMillis(100))).isEqualTo(Duration.ofSeconds(1));
		assertThat(open.sessionTimeout(Duration.ofDays(1))).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void clientOfTheApplicationIsUsed() {
		noConnectString().withUserConfiguration(OneClient.class).run((context) -> {
			assertThat(context).hasSingleBean(ZooKeeperLockStore.class);
			try (LockHandle lock = acquire(context.getBean(LockTemplate.class))) {
				assertThat(lock.isHeld()).isTrue();
				assertThat(children("", "/application/distributed-lock/locks")).containsExactly("ka");
			}
		});
	}

	@Test
	void severalClientsNeedAChoice() {
		noConnectString().withUserConfiguration(TwoClients.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("Locks are kept in ZooKeeper, but there are several CuratorFramework beans: left, right. "
						+ "Set distributed-lock.zookeeper.client to the name of one, or "
						+ "distributed-lock.zookeeper.connect-string for a client of the locks' own. All applications "
						+ "that share locks need the same ensemble."));
		noConnectString().withUserConfiguration(TwoClients.class)
			.withPropertyValues("distributed-lock.zookeeper.client=right")
			.run((context) -> acquire(context.getBean(LockTemplate.class)).close());
		noConnectString().withUserConfiguration(TwoClients.class)
			.withPropertyValues("distributed-lock.zookeeper.client=middle")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("The property distributed-lock.zookeeper.client is 'middle', but no CuratorFramework bean "
						+ "has this name. Set it to one of: left, right."));
	}

	@ParameterizedTest
	@CsvSource({ "namespace=team, namespace", "session-timeout=6s, session-timeout", "auth.scheme=digest, auth.scheme",
			"auth.credentials=shop:secret, auth.credentials" })
	void settingsThatHaveNoEffectAreRefused(String setting, String name) {
		noConnectString().withUserConfiguration(OneClient.class)
			.withPropertyValues("distributed-lock.zookeeper." + setting)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("The property distributed-lock.zookeeper." + name + " has no effect: ")
				.hasMessageNotContaining("secret"));
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
					"distributed-lock.zookeeper.connect-string=" + server.getConnectString());
		both.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("Set distributed-lock.store=redis or distributed-lock.store=zookeeper"));
		both.withPropertyValues("distributed-lock.store=zookeeper")
			.run((context) -> assertThat(context).hasSingleBean(ZooKeeperLockStore.class)
				.hasSingleBean(LockStore.class));
	}

	@Test
	void serversThatCannotKeepLocksAreRefused() {
		this.runner
			.withPropertyValues("distributed-lock.zookeeper.connect-string=" + server.getConnectString() + "/missing")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageStartingWith("ZooKeeper cannot keep locks:" + System.lineSeparator() + "  - ")
				.hasMessageContaining("The chroot in the connect string")
				.hasMessageEndingWith("Change the servers as described above, or accept the risk with "
						+ "distributed-lock.zookeeper.startup-check=warn."));
	}

	@Test
	void applicationStartsWhileTheServersAreAway(CapturedOutput output) {
		this.runner
			.withPropertyValues("distributed-lock.zookeeper.connect-string=localhost:1",
					"distributed-lock.zookeeper.connection-timeout=200ms")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("Whether it can keep locks was not checked");
	}

	@Test
	void ownStoreReplacesZooKeeperAndIsNotChecked() {
		this.runner.withBean(LockStore.class, InMemoryLockStore::new)
			.run((context) -> assertThat(context).doesNotHaveBean(ZooKeeperLockStore.class)
				.doesNotHaveBean(ZooKeeperStartupCheck.class));
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

	private static List<String> children(String credentials, String path) throws Exception {
		try (CuratorFramework client = client("", credentials)) {
			return client.getChildren().forPath(path);
		}
	}

	private static CuratorFramework client(String namespace, String credentials) {
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(server.getConnectString())
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

}
