package io.distlock.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The first lock of a process, through a gate that opens late or never. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("ci")
class ColdStartTests {

	private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

	/** For what is to succeed, also where the first command of a JVM takes its time. */
	private static final Duration PATIENT_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration NEVER = Duration.ofMinutes(5);

	private static final RedisServer SERVER = SharedServers.standalone();

	private final LockRequest request = LockRequest.of("first:" + UUID.randomUUID()).waitAtMost(Duration.ZERO);

	@ParameterizedTest
	@EnumSource
	void acquireWhenConnectingTakesLongerThanTheCommandTimeoutThenGranted(Client client) throws Exception {
		try (Gate gate = new Gate(PATIENT_TIMEOUT.plusSeconds(2));
				Process process = new Process(client, gate, Duration.ofSeconds(30), PATIENT_TIMEOUT)) {
			process.template.acquire(this.request).close();
			assertThat(process.age()).isGreaterThan(PATIENT_TIMEOUT);
		}
	}

	@ParameterizedTest
	@EnumSource
	void acquireWhenConnectingCountsAgainstTheCommandTimeoutThenFails(Client client) throws Exception {
		try (Gate gate = new Gate(NEVER); Process process = new Process(client, gate, Duration.ZERO)) {
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> process.template.acquire(this.request));
			assertThat(process.age()).isGreaterThanOrEqualTo(COMMAND_TIMEOUT);
		}
	}

	@ParameterizedTest
	@EnumSource
	void acquireWhenNothingAnswersThenFailsAfterBothTimeouts(Client client) throws Exception {
		// More than a busy machine needs for the next call.
		Duration connectTimeout = Duration.ofSeconds(6);
		try (Gate gate = new Gate(NEVER); Process process = new Process(client, gate, connectTimeout)) {
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> process.template.acquire(this.request));
			// The call began a little after connecting did.
			assertThat(process.age()).isBetween(connectTimeout.plus(COMMAND_TIMEOUT), Duration.ofSeconds(20));
			long begun = System.nanoTime();
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> process.template.acquire(this.request));
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).as("the next call")
				.isLessThan(connectTimeout.plus(COMMAND_TIMEOUT));
		}
	}

	/** A template of its own, as a process that just started has it. */
	private static final class Process implements AutoCloseable {

		private final long since = System.nanoTime();

		private final RedisConnectionFactory factory;

		private final CloseableLockTemplate template;

		private Process(Client client, Gate gate, Duration connectTimeout) {
			this(client, gate, connectTimeout, COMMAND_TIMEOUT);
		}

		private Process(Client client, Gate gate, Duration connectTimeout, Duration commandTimeout) {
			this.factory = client.connect(new RedisStandaloneConfiguration("127.0.0.1", gate.port()));
			RedisLockStoreSettings settings = RedisLockStoreSettings.builder()
				.commandTimeout(commandTimeout)
				.connectTimeout(connectTimeout)
				.build();
			this.template = LockTemplateBuilder.forStore(new RedisLockStore(this.factory, settings))
				.settings(LockSettings.builder().commandTimeout(commandTimeout).build())
				.build();
		}

		private Duration age() {
			return Duration.ofNanos(System.nanoTime() - this.since);
		}

		@Override
		public void close() {
			this.template.close();
			Client.close(this.factory);
		}

	}

	/** Accepts connections at once, and passes nothing on before it opens. */
	private static final class Gate implements AutoCloseable {

		private final ServerSocket entrance;

		private final CountDownLatch closed = new CountDownLatch(1);

		private final List<Socket> sockets = new CopyOnWriteArrayList<>();

		private final long opensAt;

		private Gate(Duration opensAfter) throws IOException {
			this.entrance = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
			this.opensAt = System.nanoTime() + opensAfter.toNanos();
			TestThreads.inThread(() -> {
				while (!this.entrance.isClosed()) {
					Socket from = accepted(this.entrance.accept());
					TestThreads.inThread(() -> pass(from));
				}
				return null;
			});
		}

		private int port() {
			return this.entrance.getLocalPort();
		}

		private Socket accepted(Socket socket) {
			this.sockets.add(socket);
			return socket;
		}

		private Void pass(Socket from) throws Exception {
			if (!this.closed.await(this.opensAt - System.nanoTime(), TimeUnit.NANOSECONDS)) {
				Socket to = accepted(new Socket(SERVER.host(), SERVER.port()));
				TestThreads.inThread(() -> to.getInputStream().transferTo(from.getOutputStream()));
				from.getInputStream().transferTo(to.getOutputStream());
			}
			return null;
		}

		@Override
		public void close() throws IOException {
			this.closed.countDown();
			this.entrance.close();
			this.sockets.forEach((socket) -> {
				try {
					socket.close();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
		}

	}

}
