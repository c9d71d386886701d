package io.distlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.FutureTask;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.pooled.DedicatedServer;
import io.distlock.spi.TransientRefusalException;
import io.distlock.test.redis.FreePort;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.exceptions.JedisConnectionException;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A server with a certificate made for this test. */
@Tag("ci")
class TlsTests {

	private static final String PASSWORD = "changeit";

	private static final RedisLockStoreSettings PATIENT = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(10))
		.build();

	/** Commands are repeated until three of them are over. */
	private static final RedisLockStoreSettings REFUSED = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(2))
		.build();

	@TempDir
	private static Path directory;

	private static RedisServer server;

	private static int port;

	@BeforeAll
	static void start() throws Exception {
		keyStore("server.p12", "127.0.0.1");
		keyStore("other.p12", "somebody-else");
		KeyStore keys = KeyStore.getInstance(directory.resolve("server.p12").toFile(), PASSWORD.toCharArray());
		String certificate = pem("CERTIFICATE", keys.getCertificate("redis").getEncoded());
		String key = pem("PRIVATE KEY", keys.getKey("redis", PASSWORD.toCharArray()).getEncoded());
		port = FreePort.find("127.0.0.1");
		server = RedisServer.builder()
			.args("--tls-port", Integer.toString(port), "--tls-cert-file", certificate, "--tls-key-file", key,
					"--tls-ca-cert-file", certificate, "--tls-auth-clients", "no")
			.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	/** By a message, since polls are seldom. */
	@ParameterizedTest
	@EnumSource(Client.class)
	void lockWhenTheServerIsTrustedThenPassedOnByAMessage(Client client) throws Exception {
		RedisConnectionFactory factory = connect(client, "server.p12");
		try (TemplatesUnderTest templates = new TemplatesUnderTest(factory, TemplatesUnderTest.SELDOM);
				StoreUnderTest observer = new StoreUnderTest(factory)) {
			String key = "tls:" + client;
			LockHandle held = templates.addPatient().acquire(key);
			FutureTask<Long> waiter = TemplatesUnderTest.waiter(templates.addPatient(), key);
			await().until(() -> observer.inspect(key).waiters().size() == 1);
			held.close();
			assertThat(TemplatesUnderTest.get(waiter, Duration.ofSeconds(20))).isGreaterThan(held.fencingToken());
		}
		finally {
			Client.close(factory);
		}
	}

	/** As with {@code distributed-lock.redis.client=jedis}. */
	@ParameterizedTest
	@EnumSource(Client.class)
	void lockOnConnectionsOfItsOwnWhenTheServerIsTrustedThenAcquiredAndReleased(Client client) {
		RedisConnectionFactory application = connect(client, "server.p12");
		try (JedisConnections own = own(application, client, "server.p12");
				CloseableLockTemplate template = patient(own)) {
			assertThat(own.factory()).isInstanceOf(DedicatedServer.class);
			String key = "own:" + client;
			for (int i = 0; i < 3; i++) {
				try (LockHandle held = template.acquire(key)) {
					assertThat(server.command("EXISTS", "lk:" + key)).isEqualTo("1");
					assertThat(held.key()).isEqualTo(key);
				}
			}
			assertThat(server.command("CLIENT", "LIST", "TYPE", "normal").lines())
				.filteredOn((connection) -> connection.contains(" cmd=eval"))
				.isNotEmpty()
				.allSatisfy((connection) -> assertThat(connection).contains(" laddr=127.0.0.1:" + port + " "));
		}
		finally {
			Client.close(application);
		}
	}

	/** What follows from that is the same as with any other connection. */
	@ParameterizedTest
	@EnumSource(Client.class)
	void connectionOfLocksOnlyWhenTheServerIsNotTrustedThenNotOpened(Client client) {
		RedisConnectionFactory application = connect(client, "other.p12");
		try (JedisConnections own = own(application, client, "other.p12");
				ConnectionPool pool = ((DedicatedServer) own.factory()).openPool()) {
			assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(pool::getResource)
				.havingRootCause()
				.withMessageContaining("certification path");
		}
		finally {
			Client.close(application);
		}
	}

	/** The options of Lettuce are known only from a bundle. */
	private static JedisConnections own(RedisConnectionFactory application, Client client, String trusted) {
		return JedisConnections.like(application, PATIENT.commandTimeout(), (client == Client.JEDIS) ? null
				: new JedisConnections.Tls(context(trusted).getSocketFactory(), new SSLParameters()));
	}

	private static CloseableLockTemplate patient(JedisConnections own) {
		return LockTemplateBuilder.forStore(new RedisLockStore(own.factory(), PATIENT))
			.settings(LockSettings.builder().commandTimeout(PATIENT.commandTimeout()).build())
			.build();
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	@Execution(ExecutionMode.CONCURRENT)
	void lockWhenTheServerIsNotTrustedThenRefused(Client client) {
		RedisConnectionFactory factory = connect(client, "other.p12");
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new RedisLockStore(factory, REFUSED))
			.settings(LockSettings.builder().commandTimeout(REFUSED.commandTimeout()).build())
			.build()) {
			// A command that the end of the time meets on its way has no answer.
			await().atMost(Duration.ofMinutes(2))
				.untilAsserted(() -> assertThatExceptionOfType(TransientRefusalException.class)
					.isThrownBy(() -> template.acquire(LockRequest.of("untrusted")))
					.withMessageContaining("no secure connection to the server (acquire of lock 'untrusted'")
					.withMessageContaining("certification path"));
			assertThat(server.command("EXISTS", "lk:untrusted")).isEqualTo("0");
		}
		finally {
			Client.close(factory);
		}
	}

	private static RedisConnectionFactory connect(Client client, String trusted) {
		RedisStandaloneConfiguration address = new RedisStandaloneConfiguration("127.0.0.1", port);
		if (client == Client.JEDIS) {
			JedisConnectionFactory jedis = new JedisConnectionFactory(address,
					JedisClientConfiguration.builder()
						.useSsl()
						.sslSocketFactory(context(trusted).getSocketFactory())
						.and()
						.usePooling()
						.build());
			jedis.afterPropertiesSet();
			jedis.start();
			return jedis;
		}
		SslOptions ssl = SslOptions.builder()
			.jdkSslProvider()
			.truststore(directory.resolve(trusted).toFile(), PASSWORD)
			.build();
		LettuceConnectionFactory lettuce = new LettuceConnectionFactory(address,
				LettuceClientConfiguration.builder()
					.clientOptions(ClientOptions.builder().sslOptions(ssl).build())
					.shutdownTimeout(Duration.ZERO)
					.useSsl()
					.build());
		lettuce.afterPropertiesSet();
		lettuce.start();
		return lettuce;
	}

	private static SSLContext context(String trusted) {
		try (InputStream in = Files.newInputStream(directory.resolve(trusted))) {
			KeyStore keys = KeyStore.getInstance("PKCS12");
			keys.load(in, PASSWORD.toCharArray());
			TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			trust.init(keys);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, trust.getTrustManagers(), null);
			return context;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Key and certificate, and the certificate once more for those who trust it. */
	private static void keyStore(String file, String name) throws Exception {
		keytool("-genkeypair", "-alias", "redis", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=" + name, "-ext",
				"san=ip:127.0.0.1", "-keystore", file);
		Path path = directory.resolve(file);
		KeyStore keys = KeyStore.getInstance(path.toFile(), PASSWORD.toCharArray());
		keys.setCertificateEntry("trusted", keys.getCertificate("redis"));
		try (OutputStream out = Files.newOutputStream(path)) {
			keys.store(out, PASSWORD.toCharArray());
		}
	}

	private static void keytool(String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
		command.addAll(List.of(arguments));
		command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
		Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
		String said = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor()).as(said).isZero();
	}

	private static String pem(String type, byte[] bytes) throws IOException {
		String text = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(bytes);
		Path file = directory.resolve(type.replace(' ', '-') + ".pem");
		Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
		return file.toString();
	}

}
