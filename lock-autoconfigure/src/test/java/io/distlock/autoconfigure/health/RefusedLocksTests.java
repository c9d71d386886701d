package io.distlock.autoconfigure.health;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.LockStoreDecorator;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.PostgresServer;
import io.distlock.databases.ZooKeeperServer;
import io.distlock.spi.LockStore;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Health as Spring Boot configures it is down while the store answers but refuses each
 * lock, says why, and is up again afterwards.
 */
@Tag("ci")
class RefusedLocksTests {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final String REFUSAL = "the place of the locks is full";

	/** What a test does to the store. */
	@FunctionalInterface
	private interface Step {

		void run() throws Exception;

	}

	private static void check(AutoConfigurations more, Step refuse, String reason, Step accept, String... properties)
			throws Exception {
		try (ConfigurableApplicationContext shop = LockApplications.start(withHealth(more), Shop.class, properties)) {
			LockHealth health = shop.getBean(LockHealth.class);
			LockTemplate template = shop.getBean(LockTemplate.class);
			Awaitility.await().atMost(PATIENCE).until(() -> health.check().up());
			refuse.run();
			// Connections from before may be the first that are refused.
			Awaitility.await()
				.atMost(PATIENCE)
				.untilAsserted(() -> assertThatExceptionOfType(LockStoreException.class)
					.isThrownBy(() -> template.acquire("stock"))
					.withMessageContaining(reason));
			// A client may just be connecting anew, because the server is no master.
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> saysWhyItIsDown(health.check()), (error) -> error.contains(reason));
			accept.run();
			Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertThat(health.check().up()).isTrue());
		}
	}

	private static String saysWhyItIsDown(LockHealth.Report report) {
		if (report.up()) {
			throw new IllegalStateException("Health is up while the store refuses locks");
		}
		return String.valueOf(report.details().get("error"));
	}

	private static AutoConfigurations withHealth(AutoConfigurations more) {
		return AutoConfigurations.of(Stream
			.concat(Stream.of(LockHealthAutoConfiguration.class), Stream.of(AutoConfigurations.getClasses(more)))
			.toArray(Class<?>[]::new));
	}

	private static void checkRedis(List<String> refuse, String reason, List<String> accept) throws Exception {
		try (RedisServer server = RedisServer.start()) {
			check(LockApplications.redis(), () -> server.command(refuse.toArray(String[]::new)), reason,
					() -> server.command(accept.toArray(String[]::new)), "distributed-lock.store=redis",
					"spring.data.redis.host=" + server.host(), "spring.data.redis.port=" + server.port(),
					"distributed-lock.redis.startup-check=warn", "distributed-lock.command-timeout=10s");
		}
	}

	@Test
	void aRedisThatIsFull() throws Exception {
		checkRedis(List.of("config", "set", "maxmemory", "1"), "OOM", List.of("config", "set", "maxmemory", "0"));
	}

	@Test
	void aRedisThatBecameAReplica() throws Exception {
		try (RedisServer master = RedisServer.start()) {
			checkRedis(List.of("replicaof", master.host(), Integer.toString(master.port())), "READONLY",
					List.of("replicaof", "no", "one"));
		}
	}

	@Test
	void aRedisThatTakesARightAway() throws Exception {
		checkRedis(List.of("acl", "setuser", "default", "-evalsha", "-eval"), "evalsha",
				List.of("acl", "setuser", "default", "+evalsha", "+eval"));
	}

	@Test
	void aRedisThatMissesItsReplicas() throws Exception {
		checkRedis(List.of("config", "set", "min-replicas-to-write", "1"), "NOREPLICAS",
				List.of("config", "set", "min-replicas-to-write", "0"));
	}

	@Test
	void aMajorityOfNodesThatIsFull() throws Exception {
		List<RedisServer> nodes = Stream.generate(RedisServer::start).limit(3).toList();
		try {
			// Nodes without data would grant nothing for as long as a lease.
			nodes.forEach((node) -> node.command("SET", "lk:%boot", "0"));
			check(LockApplications.redis(), () -> limit(nodes, "1"), "OOM", () -> limit(nodes, "0"),
					"distributed-lock.store=redlock", "distributed-lock.redis.startup-check=warn",
					"distributed-lock.command-timeout=10s",
					"distributed-lock.redlock.nodes=" + nodes.stream()
						.map((node) -> "redis://" + node.host() + ":" + node.port())
						.collect(Collectors.joining(",")));
		}
		finally {
			nodes.forEach(RedisServer::close);
		}
	}

	private static void limit(List<RedisServer> nodes, String memory) {
		nodes.subList(1, 3).forEach((node) -> node.command("config", "set", "maxmemory", memory));
	}

	private static void checkDatabase(String url, String user, String reason, Step refuse, Step accept)
			throws Exception {
		check(LockApplications.database(), refuse, reason, accept, "spring.datasource.url=" + url,
				"spring.datasource.username=" + user, "spring.datasource.password=secret",
				"distributed-lock.store=jdbc", "distributed-lock.jdbc.initialize-schema=never",
				"distributed-lock.jdbc.startup-check=warn", "distributed-lock.command-timeout=10s");
	}

	private static void execute(String url, String... statements) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url)) {
			for (String statement : statements) {
				connection.createStatement().execute(statement);
			}
		}
	}

	/** Creates the table as an application does that may. */
	private static void createTable(String url) {
		LockApplications
			.start(LockApplications.database(), Shop.class, "spring.datasource.url=" + url,
					"distributed-lock.store=jdbc", "distributed-lock.jdbc.initialize-schema=always",
					"distributed-lock.jdbc.startup-check=warn", "distributed-lock.command-timeout=10s")
			.close();
	}

	@Test
	void aDatabaseThatRefusesToWriteTheTable() throws Exception {
		String url = "jdbc:h2:mem:" + UUID.randomUUID();
		String operator = url + ";DB_CLOSE_DELAY=-1;USER=sa";
		createTable(operator);
		execute(operator, "CREATE USER shop PASSWORD 'secret'",
				"GRANT SELECT, INSERT, UPDATE, DELETE ON " + "distributed_lock TO shop");
		checkDatabase(url, "shop", "Not enough rights",
				() -> execute(operator, "REVOKE INSERT, UPDATE, DELETE ON distributed_lock FROM shop"),
				() -> execute(operator, "GRANT INSERT, UPDATE, DELETE ON distributed_lock TO shop"));
	}

	@Test
	void aPostgresThatCanOnlyBeRead() throws Exception {
		try (PostgresServer server = PostgresServer.start()) {
			createTable(server.url());
			String others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()";
			checkDatabase(server.url(), "postgres", "read-only transaction",
					() -> execute(server.url(), "ALTER ROLE postgres SET default_transaction_read_only = on", others),
					() -> execute(server.url(), "SET default_transaction_read_only = off",
							"ALTER ROLE postgres RESET default_transaction_read_only", others));
		}
	}

	@Test
	void aZooKeeperThatLetsThisUserOnlyRead() throws Exception {
		try (ZooKeeperServer server = ZooKeeperServer.start();
				CuratorFramework operator = CuratorFrameworkFactory.newClient(server.address(),
						new RetryOneTime(100))) {
			operator.start();
			check(AutoConfigurations.of(), () -> setAcl(operator, ZooDefs.Perms.READ), "no right",
					() -> setAcl(operator, ZooDefs.Perms.ALL), "distributed-lock.store=zookeeper",
					"distributed-lock.zookeeper.connect-string=" + server.address(),
					"distributed-lock.command-timeout=10s");
		}
	}

	private static void setAcl(CuratorFramework operator, int rights) throws Exception {
		for (String folder : operator.getChildren().forPath("/distributed-lock/locks")) {
			operator.setACL()
				.withACL(List.of(new ACL(rights | ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
				.forPath("/distributed-lock/locks/" + folder);
		}
	}

	@Test
	void anyStoreThatRefuses() throws Exception {
		Refusing.refuses = false;
		check(AutoConfigurations.of(Refusing.class), () -> Refusing.refuses = true, REFUSAL,
				() -> Refusing.refuses = false, "distributed-lock.store=memory");
	}

	@Test
	void oneOfSeveralStoresThatRefuses() {
		Refusing.refuses = false;
		try (ConfigurableApplicationContext shop = LockApplications.start(
				withHealth(AutoConfigurations.of(Refusing.class)), Shop.class, "distributed-lock.store=memory",
				"distributed-lock.stores.audit.type=memory", "distributed-lock.command-timeout=10s")) {
			LockHealth health = shop.getBean(LockHealth.class);
			assertThat(health.check().up()).isTrue();
			Refusing.refuses = true;
			LockHealth.Report report = health.check();
			assertThat(report.up()).isFalse();
			assertThat(report.details().get("stores").toString()).contains("audit", REFUSAL);
			Refusing.refuses = false;
			assertThat(health.check().up()).isTrue();
		}
	}

	/** On a server that knows users. */
	@NeedsMariaDb
	static class OnMariaDbTests {

		@Test
		void aDatabaseThatCanOnlyBeRead() throws Exception {
			try (MariaDbServer server = MariaDbServer.start()) {
				createTable(server.url());
				execute(server.url(), "CREATE USER shop IDENTIFIED BY 'secret'", "GRANT ALL ON test.* TO shop");
				String url = server.url().replaceAll("\\?.*", "");
				checkDatabase(url, "shop", "read-only", () -> execute(server.url(), "SET GLOBAL read_only = ON"),
						() -> execute(server.url(), "SET GLOBAL read_only = OFF"));
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

	}

	/** Refuses to grant locks, but reads them. */
	@Configuration(proxyBeanMethods = false)
	static class Refusing {

		static volatile boolean refuses;

		@Bean
		LockStoreDecorator refusing() {
			return (store) -> (LockStore) Proxy.newProxyInstance(getClass().getClassLoader(),
					ClassUtils.getAllInterfaces(store), (proxy, method, arguments) -> {
						if (refuses && method.getName().equals("acquire")) {
							return CompletableFuture.failedFuture(new LockStoreException("", REFUSAL, null));
						}
						try {
							return method.invoke(store, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

}
