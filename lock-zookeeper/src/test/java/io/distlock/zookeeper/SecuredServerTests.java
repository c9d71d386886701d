package io.distlock.zookeeper;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.StoreCheckResult;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.SASLAuthenticationProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A real server that speaks TLS only and knows its users by SASL. */
@Tag("ci")
class SecuredServerTests {

	private static final String PASSWORD = "changeit";

	/**
	 * With it, as by default, ZooKeeper has no DIGEST-MD5, which SASL without Kerberos
	 * needs.
	 */
	private static final String FIPS = "zookeeper.fips-mode";

	private static final Map<String, String> SERVER = Map.of(FIPS, "false", "zookeeper.authProvider.sasl",
			SASLAuthenticationProvider.class.getName(), "zookeeper.ssl.clientAuth", "none",
			ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, "org.apache.zookeeper.server.NettyServerCnxnFactory");

	@TempDir
	private static Path folder;

	private static ServerCnxnFactory server;

	private static Configuration before;

	@BeforeAll
	static void start() throws Exception {
		String keys = folder.resolve("keys.p12").toString();
		makeKeys(keys);
		makeTrust(keys, folder.resolve("trust.p12").toString());
		SERVER.forEach(System::setProperty);
		System.setProperty("zookeeper.ssl.keyStore.location", keys);
		System.setProperty("zookeeper.ssl.keyStore.password", PASSWORD);
		ProviderRegistry.reset();
		before = Configuration.getConfiguration();
		Configuration.setConfiguration(new Users());
		server = ServerCnxnFactory.createFactory();
		server.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100, -1, true);
		File data = folder.resolve("data").toFile();
		server.startup(new ZooKeeperServer(data, data, 2000));
	}

	@AfterAll
	static void stop() {
		server.shutdown();
		Configuration.setConfiguration(before);
		SERVER.keySet().forEach(System::clearProperty);
		System.clearProperty("zookeeper.ssl.keyStore.location");
		System.clearProperty("zookeeper.ssl.keyStore.password");
		ProviderRegistry.reset();
	}

	private static void makeKeys(String file) throws IOException, InterruptedException {
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-keyalg", "EC", "-alias", "server", "-dname", "CN=localhost", "-ext",
				"san=ip:127.0.0.1,dns:localhost", "-storetype", "PKCS12", "-keystore", file, "-storepass", PASSWORD)
			.redirectErrorStream(true)
			.start();
		String said = new String(keytool.getInputStream().readAllBytes());
		assertThat(keytool.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(keytool.exitValue()).as(said).isZero();
	}

	/** What clients trust: the certificate without its key. */
	private static void makeTrust(String keys, String file) throws IOException, GeneralSecurityException {
		KeyStore trust = KeyStore.getInstance("PKCS12");
		trust.load(null, null);
		trust.setCertificateEntry("server",
				KeyStore.getInstance(new File(keys), PASSWORD.toCharArray()).getCertificate("server"));
		try (OutputStream out = Files.newOutputStream(Path.of(file))) {
			trust.store(out, PASSWORD.toCharArray());
		}
	}

	/** As an application configures its client; only the user differs. */
	private static CuratorFrameworkFactory.Builder client(String user) {
		ZKClientConfig config = new ZKClientConfig();
		config.setProperty(FIPS, "false");
		config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
		config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
		config.setProperty("zookeeper.ssl.trustStore.location", folder.resolve("trust.p12").toString());
		config.setProperty("zookeeper.ssl.trustStore.password", PASSWORD);
		config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, Boolean.toString(!user.isEmpty()));
		config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, user);
		return Servers.client("127.0.0.1:" + server.getLocalPort()).zkClientConfig(config);
	}

	@Test
	void aUserOfSaslTakesLocksThatNobodyElseMayTouch() throws Exception {
		ZooKeeperLockStoreSettings own = settings().root("/shop").build();
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new ZooKeeperLockStore(client("shop"), own))
			.settings(LockSettings.builder()
				.leaseTime(Duration.ofSeconds(90))
				.commandTimeout(Duration.ofSeconds(30))
				.build())
			.build(); CuratorFramework look = Servers.started(client("shop"))) {
			try (LockHandle handle = template.acquire(LockRequest.of("stock:1").waitAtMost(Duration.ofSeconds(60)))) {
				assertThat(handle.fencingToken()).isPositive();
				assertThat(look.getACL().forPath("/shop/locks"))
					.containsExactly(new ACL(ZooDefs.Perms.ALL, new Id("sasl", "shop")));
			}
		}
		assertThat(check("shop", own)).isInstanceOf(StoreCheckResult.Passed.class);
		ZooKeeperStartupCheckTests.assertProblem(check("thief", own), "no right");
		ZooKeeperStartupCheckTests.assertProblem(check("", own), "no right");
	}

	@Test
	void aClientWithoutAUserCannotBeTheCreator() {
		ZooKeeperStartupCheckTests.assertProblem(check("", settings().root("/anonymous").build()), "needs a user");
	}

	/** The server does not understand it, so the check reports that nobody answers. */
	@Test
	void aClientWithoutTlsReachesNobody() {
		assertThat(new ZooKeeperStartupCheck(Servers.client("127.0.0.1:" + server.getLocalPort()),
				settings().connectionTimeout(Duration.ofMillis(700)).build())
			.run()).isInstanceOf(StoreCheckResult.Unreachable.class);
	}

	private static ZooKeeperLockStoreSettings.Builder settings() {
		return Servers.settings().connectionTimeout(Duration.ofSeconds(20)).acl(ZooDefs.Ids.CREATOR_ALL_ACL);
	}

	private static StoreCheckResult check(String user, ZooKeeperLockStoreSettings settings) {
		return new ZooKeeperStartupCheck(client(user), settings).run();
	}

	/**
	 * What a file of JAAS says: the users that the server knows, and those of clients.
	 */
	private static final class Users extends Configuration {

		@Override
		public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
			return switch (name) {
				case "Server" -> entry(Map.of("user_shop", "secret", "user_thief", "secret"));
				case "shop", "thief" -> entry(Map.of("username", name, "password", "secret"));
				default -> null;
			};
		}

		private static AppConfigurationEntry[] entry(Map<String, String> options) {
			return new AppConfigurationEntry[] { new AppConfigurationEntry(DigestLoginModule.class.getName(),
					LoginModuleControlFlag.REQUIRED, options) };
		}

	}

}
