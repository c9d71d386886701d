package io.distlock.test.redis;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

import io.distlock.test.ChildJvm;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

@Tag("ci")
class RedisServerTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	@Test
	void startGivesServerThatAnswers() throws IOException {
		try (RedisServer server = RedisServer.start()) {
			assertThat(command(server, "SET a 1")).isEqualTo("+OK");
			assertThat(command(server, "GET a")).isEqualTo("$1");
		}
	}

	@Test
	void closeEndsProcess() {
		RedisServer server = RedisServer.start();
		long pid = server.pid();
		server.close();
		assertThat(server.isRunning()).isFalse();
		assertThat(ProcessHandle.of(pid)).isEmpty();
		assertThat(RedisPing.answers(server.host(), server.port())).isFalse();
	}

	@Test
	void restartAfterKillKeepsPortAndData() throws IOException {
		try (RedisServer server = durable()) {
			int port = server.port();
			command(server, "SET a 1");
			server.kill();
			assertThat(server.isRunning()).isFalse();
			server.restart();
			assertThat(server.port()).isEqualTo(port);
			assertThat(command(server, "EXISTS a")).isEqualTo(":1");
		}
	}

	@Test
	void restartWithoutPersistenceForgets() throws IOException {
		try (RedisServer server = RedisServer.start()) {
			command(server, "SET a 1");
			server.restart();
			assertThat(command(server, "EXISTS a")).isEqualTo(":0");
		}
	}

	@Test
	void pauseHoldsAnswersBackUntilResume() throws IOException {
		try (RedisServer server = RedisServer.start()) {
			server.pause();
			assertThat(RedisPing.answers(server.host(), server.port())).isFalse();
			server.resume();
			assertThat(RedisPing.answers(server.host(), server.port())).isTrue();
		}
	}

	@Test
	void stopEndsPausedServer() {
		try (RedisServer server = RedisServer.start()) {
			server.pause();
			server.stop();
			assertThat(server.isRunning()).isFalse();
		}
	}

	@Test
	void startWhenOptionIsWrongThenShowsLog() {
		assertThatIllegalStateException().isThrownBy(() -> RedisServer.builder().args("--no-such-option", "1").start())
			.withMessageContaining("no-such-option");
	}

	@Test
	void startWhenFixedPortIsTakenThenSaysSo() throws IOException {
		try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			assertThatIllegalStateException().isThrownBy(
					() -> RedisServer.builder().port(other.getLocalPort()).startTimeout(Duration.ofSeconds(3)).start())
				.withMessageContaining("bind: Address");
		}
	}

	@RepeatedTest(5)
	void startWhenAnotherServerAnswersOnItsPortThenFails() {
		try (RedisServer other = RedisServer.start()) {
			assertThatIllegalStateException().isThrownBy(() -> RedisServer.builder().port(other.port()).start())
				.withMessageContaining("bind: Address");
		}
	}

	@Test
	void awaitWhenAnotherServerAnswersThenWaitsForThisOne() {
		try (RedisServer other = RedisServer.start()) {
			Iterator<Boolean> alive = List.of(true, true, false).iterator();
			assertThat(RedisPing.await(other.host(), other.port(), LIMIT, alive::next, () -> false)).isFalse();
			assertThat(RedisPing.await(other.host(), other.port(), LIMIT, () -> true, () -> true)).isTrue();
		}
	}

	@Test
	void serverEndsWhenJvmIsKilled() {
		try (ChildJvm jvm = ChildJvm.of(Owner.class).start()) {
			await().atMost(LIMIT).until(() -> !jvm.lines().isEmpty());
			int port = Integer.parseInt(jvm.lines().get(0));
			assertThat(RedisPing.answers("127.0.0.1", port)).isTrue();
			jvm.kill();
			await().atMost(LIMIT).until(() -> !RedisPing.answers("127.0.0.1", port));
		}
	}

	@Test
	void serverOnThePathIsRunByTheNameItHasThere(@TempDir Path directory) throws IOException {
		// As Debian has it. A server that is started by the name of the target is no
		// server.
		Files.copy(RedisBinary.find().toRealPath(), directory.resolve("redis-check-rdb"));
		Path link = Files.createSymbolicLink(directory.resolve("redis-server"), Path.of("redis-check-rdb"));
		assertThat(RedisBinary.onPath("/nowhere" + File.pathSeparator + directory)).isEqualTo(link);
	}

	@Test
	void pathWithoutServerHasNone(@TempDir Path directory) {
		assertThat(RedisBinary.onPath(directory.toString())).isNull();
		assertThat(RedisBinary.onPath(null)).isNull();
	}

	@Test
	void packedBinaryStarts() {
		Path binary = RedisBinary.packed();
		assertThat(Files.isExecutable(binary)).isTrue();
		assertThat(RedisBinary.packed()).isEqualTo(binary);
	}

	@Test
	void resourceNameFollowsPlatform() {
		assertThat(List.of(RedisBinary.resourceName("Mac OS X", "aarch64"), RedisBinary.resourceName("Linux", "amd64"),
				RedisBinary.resourceName("Linux", "aarch64")))
			.containsExactly("redis-server-7.0.15-darwin-arm64", "redis-server-7.0.15-linux-amd64",
					"redis-server-7.0.15-linux-arm64");
	}

	private static RedisServer durable() {
		return RedisServer.builder().args("--appendonly", "yes", "--appendfsync", "always").start();
	}

	private static String command(RedisServer server, String command) throws IOException {
		try (Socket socket = new Socket(server.host(), server.port())) {
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
			return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
				.readLine();
		}
	}

	/** A JVM that starts a server and is killed. */
	static final class Owner {

		private Owner() {
		}

		public static void main(String[] args) throws IOException {
			System.out.println(RedisServer.start().port());
			System.in.read();
		}

	}

}
