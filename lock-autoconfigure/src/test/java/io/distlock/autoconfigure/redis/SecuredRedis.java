package io.distlock.autoconfigure.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import org.springframework.util.FileSystemUtils;

import io.distlock.test.redis.FreePort;
import io.distlock.test.redis.RedisServer;

/** A server with a certificate that only a bundle trusts. */
final class SecuredRedis implements AutoCloseable {

	static final String BUNDLE = "shop";

	private static final String PASSWORD = "changeit";

	private final Path directory;

	private final int port = FreePort.find("127.0.0.1");

	private final RedisServer server;

	private SecuredRedis(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
		this.directory = directory;
		Path store = directory.resolve("server.p12");
		keytool("-genkeypair", "-keyalg", "RSA", "-keysize", "2048", "-dname", "CN=redis", "-ext", "san=ip:127.0.0.1",
				"-keystore", store.toString());
		KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
		String certificate = pem("CERTIFICATE", keys.getCertificate("redis").getEncoded());
		String key = pem("PRIVATE KEY", keys.getKey("redis", PASSWORD.toCharArray()).getEncoded());
		this.server = RedisServer.builder()
			.args("--tls-port", Integer.toString(this.port), "--tls-cert-file", certificate, "--tls-key-file", key,
					"--tls-ca-cert-file", certificate, "--tls-auth-clients", "no")
			.start();
	}

	static SecuredRedis start() {
		try {
			return new SecuredRedis(Files.createTempDirectory("secured-redis"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static void keytool(String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
		command.addAll(List.of(arguments));
		command.addAll(List.of("-alias", "redis", "-storetype", "PKCS12", "-storepass", PASSWORD));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String said = new String(process.getInputStream().readAllBytes());
		if (process.waitFor() != 0) {
			throw new IllegalStateException(said);
		}
	}

	private String pem(String type, byte[] bytes) throws IOException {
		String text = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(bytes);
		Path file = this.directory.resolve(type.replace(' ', '-') + ".pem");
		Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
		return file.toString();
	}

	/** Returns the properties of an application that knows server and bundle. */
	String[] properties(String... more) {
		List<String> all = new ArrayList<>(List.of("spring.data.redis.host=127.0.0.1",
				"spring.data.redis.port=" + this.port, "spring.ssl.bundle.pem." + BUNDLE + ".truststore.certificate="
						+ this.directory.resolve("CERTIFICATE.pem").toUri()));
		all.addAll(List.of(more));
		return all.toArray(String[]::new);
	}

	String url() {
		return "rediss://127.0.0.1:" + this.port;
	}

	@Override
	public void close() {
		this.server.close();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
