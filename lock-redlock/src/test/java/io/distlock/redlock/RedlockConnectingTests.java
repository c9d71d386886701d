package io.distlock.redlock;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisAddress;
import io.distlock.redis.RedisConnections;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The first calls of a process, while its nodes connect. */
class RedlockConnectingTests {

	private static final Duration CONNECT = RedlockSettings.DEFAULTS.connectTimeout();

	private static final Duration MOMENT = Duration.ofMillis(1);

	private final QuorumUnderTest quorum = new QuorumUnderTest((node) -> node.firstAnswer = new CompletableFuture<>());

	@Test
	void acquireWhileConnectingThenNodesMayTakeLonger() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.timer.pass(CONNECT.minus(MOMENT));
		assertThat(answer).isNotDone();
		this.quorum.each((node) -> node.grant(100), 1, 2, 3);
		this.quorum.each((node) -> node.accept(true), 1, 2, 3);
		assertThat(QuorumUnderTest.done(answer)).isInstanceOf(AcquireResult.Granted.class);
	}

	@Test
	void acquireWhenNoNodeConnectsThenFailsAfterBothTimeouts() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.timer.pass(CONNECT.plus(QuorumUnderTest.SETTINGS.nodeTimeout()).minus(MOMENT));
		assertThat(answer).isNotDone();
		this.quorum.timer.pass(MOMENT);
		assertThat(QuorumUnderTest.failure(answer)).hasMessageContaining("n1");
		assertThat(this.quorum.store.connecting()).isZero();
		CompletableFuture<AcquireResult> next = this.quorum.acquire(2, false);
		this.quorum.timeout();
		assertThat(next).isCompletedExceptionally();
	}

	/** Both steps of an acquisition together, so that the engine waits as long. */
	@Test
	void acquireWhenTheSecondStepBeginsLateThenItGetsWhatIsLeft() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.timer.pass(CONNECT);
		this.quorum.each((node) -> node.grant(100), 1, 2, 3);
		assertThat(answer).isNotDone();
		this.quorum.timeout();
		assertThat(answer).isCompletedExceptionally();
	}

	@Test
	void acquireWhenAMajorityHasConnectedThenNodesMayTakeTheUsualTime() {
		assertThat(this.quorum.store.connecting()).isEqualTo(CONNECT);
		this.quorum.each((node) -> node.firstAnswer.complete(null), 1, 2);
		assertThat(this.quorum.store.connecting()).isEqualTo(CONNECT);
		this.quorum.timer.pass(Duration.ofSeconds(1));
		assertThat(this.quorum.store.connecting()).isEqualTo(CONNECT.minusSeconds(1));
		this.quorum.node(3).firstAnswer.complete(null);
		assertThat(this.quorum.store.connecting()).isZero();
		assertFailsAfterTheNodeTimeout();
	}

	@Test
	void acquireWhenNoMajorityCanConnectThenItIsNotWaitedFor() {
		this.quorum.each((node) -> node.firstAnswer.completeExceptionally(new IOException("refused")), 1, 2);
		assertThat(this.quorum.store.connecting()).isEqualTo(CONNECT);
		this.quorum.node(3).firstAnswer.completeExceptionally(new IOException("refused"));
		assertThat(this.quorum.store.connecting()).isZero();
		assertFailsAfterTheNodeTimeout();
	}

	/** Or else the engine would give it up before two silent nodes count as failed. */
	@Test
	void acquireWhileConnectingWhenAMajorityConnectsThenTheOthersGetTheUsualTimeFromThere() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.timer.pass(Duration.ofMillis(50));
		this.quorum.each((node) -> node.firstAnswer.complete(null), 1, 2, 3);
		this.quorum.node(1).grant(100);
		this.quorum.each(ControlledNode::refuse, 2, 3);
		this.quorum.timer.pass(QuorumUnderTest.SETTINGS.nodeTimeout().minus(MOMENT));
		assertThat(answer).isNotDone();
		this.quorum.timer.pass(MOMENT);
		assertThat(QuorumUnderTest.done(answer)).isInstanceOf(AcquireResult.Busy.class);
	}

	@Test
	void acquireWhileConnectingWhenNoMajorityAnswersThenFailureSaysHowLongItTook() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.timer.pass(Duration.ofMillis(50));
		this.quorum.each((node) -> node.firstAnswer.completeExceptionally(new IOException("refused")), 1, 2, 3);
		this.quorum.timeout();
		assertThat(QuorumUnderTest.failure(answer)).hasMessageContaining(
				"n4 did not answer within " + QuorumUnderTest.SETTINGS.nodeTimeout().plusMillis(50).toMillis() + " ms");
	}

	/** These want the answer of each node. */
	@Test
	void inspectWhileConnectingWhenAMajorityConnectsThenADeadNodeGetsTheUsualTime() {
		CompletableFuture<LockSnapshot> seen = this.quorum.store.inspect(QuorumUnderTest.KEY).toCompletableFuture();
		CompletableFuture<?> released = this.quorum.store
			.forceRelease(new ForceReleaseCommand(QuorumUnderTest.KEY, Set.of(QuorumUnderTest.request(1))))
			.toCompletableFuture();
		this.quorum.each((node) -> node.firstAnswer.complete(null), 1, 2, 3);
		this.quorum.timer.pass(QuorumUnderTest.SETTINGS.nodeTimeout().minus(MOMENT));
		assertThat(seen).isNotDone();
		assertThat(released).isNotDone();
		this.quorum.timer.pass(MOMENT);
		assertThat(seen).isDone();
		assertThat(released).isDone();
	}

	/** What ends a call early must not end it late. */
	@Test
	void acquireWhenAMajorityConnectsAtTheEndThenTheFirstLimitHolds() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.timer.pass(CONNECT.plus(QuorumUnderTest.SETTINGS.nodeTimeout()).minus(MOMENT));
		this.quorum.each((node) -> node.firstAnswer.complete(null), 1, 2, 3);
		this.quorum.timer.pass(MOMENT);
		assertThat(answer).isCompletedExceptionally();
	}

	/** A copy may wait for its connection, to be executed when the caller is gone. */
	@Test
	void requestWhileConnectingThenRememberedForLonger() {
		RequestId request = QuorumUnderTest.request(1);
		ManualTimer timer = new ManualTimer();
		FirstConnections first = new FirstConnections(List.of(new CompletableFuture<>()), 1, CONNECT, timer::nanoTime);
		RunningQuorum requests = new RunningQuorum(
				new Quorum(List.of(new ControlledNode("n1")), Duration.ofSeconds(1), first, timer),
				QuorumUnderTest.SETTINGS, () -> 0.5);
		requests.finish(QuorumUnderTest.KEY, request, Duration.ZERO);
		Duration usual = QuorumUnderTest.SETTINGS.commandTimeout().multipliedBy(2);
		timer.pass(usual.plus(CONNECT).plus(RunningQuorum.UNKNOWN_LEASE).minus(MOMENT));
		assertThat(requests.find(QuorumUnderTest.KEY, request)).isNotNull();
		timer.pass(QuorumUnderTest.SETTINGS.nodeTimeout());
		assertThat(requests.find(QuorumUnderTest.KEY, request)).isNull();
	}

	/** A minority that is not connected may execute a copy later, too. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void requestUntilEachNodeHasConnectedOrFailedThenRememberedForLonger(int connected) {
		assertThat(rememberedFor(connected))
			.isEqualTo(QuorumUnderTest.SETTINGS.commandTimeout().multipliedBy(2).plus(CONNECT));
	}

	@Test
	void requestWhenEachNodeHasConnectedOrFailedThenRememberedForTheUsualTime() {
		assertThat(rememberedFor(3)).isEqualTo(QuorumUnderTest.SETTINGS.commandTimeout().multipliedBy(2));
	}

	/** How long a request is known after its lease, of three nodes some connected. */
	private static Duration rememberedFor(int connected) {
		List<CompletableFuture<?>> answers = List.of(new CompletableFuture<>(), new CompletableFuture<>(),
				new CompletableFuture<>());
		ManualTimer timer = new ManualTimer();
		FirstConnections first = new FirstConnections(answers, 2, CONNECT, timer::nanoTime);
		RunningQuorum requests = new RunningQuorum(
				new Quorum(List.of(new ControlledNode("n1")), Duration.ofSeconds(1), first, timer),
				QuorumUnderTest.SETTINGS, () -> 0.5);
		for (int i = 0; i < connected; i++) {
			if (i == 2) {
				answers.get(i).completeExceptionally(new IOException("refused"));
			}
			else {
				answers.get(i).complete(null);
			}
		}
		long begun = timer.nanoTime();
		requests.finish(QuorumUnderTest.KEY, QuorumUnderTest.request(1), Duration.ZERO);
		return Duration.ofNanos(known(requests).overAt() - begun).minus(RunningQuorum.UNKNOWN_LEASE);
	}

	private static QuorumRequest known(RunningQuorum requests) {
		QuorumRequest known = requests.find(QuorumUnderTest.KEY, QuorumUnderTest.request(1));
		assertThat(known).isNotNull();
		return known;
	}

	private void assertFailsAfterTheNodeTimeout() {
		CompletableFuture<AcquireResult> answer = this.quorum.acquire(1, false);
		this.quorum.timeout();
		assertThat(answer).isCompletedExceptionally();
	}

	/** As behind a firewall that drops packets. */
	@ParameterizedTest
	@EnumSource
	void acquireWhenNoConnectionIsAcceptedThenEndsWithinBothTimeouts(Client client) throws IOException {
		Duration commandTimeout = Duration.ofMillis(400);
		Duration connectTimeout = Duration.ofMillis(400);
		try (DeafServers servers = new DeafServers();
				RedisConnections connections = (client == Client.LETTUCE)
						? RedisConnections.withLettuce(servers.addresses(), commandTimeout, connectTimeout)
						: RedisConnections.withJedis(servers.addresses(), commandTimeout, connectTimeout);
				CloseableLockTemplate template = LockTemplateBuilder
					.forStore(new RedlockStore(RedlockNode.of(connections),
							RedlockSettings.builder()
								.commandTimeout(commandTimeout)
								.connectTimeout(connectTimeout)
								.build()))
					.settings(LockSettings.builder().commandTimeout(commandTimeout).build())
					.build()) {
			long begun = System.nanoTime();
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> template.acquire(LockRequest.of("first").waitAtMost(Duration.ZERO)));
			// With patience for a machine that does much else.
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofMillis(300),
					commandTimeout.plus(connectTimeout).plusSeconds(8));
		}
	}

	/** Accept no connection, because those that nobody accepts fill their backlog. */
	private static final class DeafServers implements AutoCloseable {

		private final List<ServerSocket> servers = new ArrayList<>();

		private final List<Socket> waiting = new ArrayList<>();

		DeafServers() throws IOException {
			for (int i = 0; i < 3; i++) {
				ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
				this.servers.add(server);
				fill(server);
			}
		}

		private void fill(ServerSocket server) throws IOException {
			boolean full = false;
			while (!full) {
				Socket socket = new Socket();
				this.waiting.add(socket);
				try {
					socket.connect(server.getLocalSocketAddress(), 50);
				}
				catch (SocketTimeoutException ex) {
					full = true;
				}
			}
		}

		List<RedisAddress> addresses() {
			return this.servers.stream()
				.map((server) -> RedisAddress.parse("127.0.0.1:" + server.getLocalPort()))
				.toList();
		}

		@Override
		public void close() throws IOException {
			for (Socket socket : this.waiting) {
				socket.close();
			}
			for (ServerSocket server : this.servers) {
				server.close();
			}
		}

	}

}
