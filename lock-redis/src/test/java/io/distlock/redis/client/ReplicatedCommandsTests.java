package io.distlock.redis.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.ScriptArguments;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which connections replicas confirm on. */
class ReplicatedCommandsTests {

	private static final List<Object> HELD = List.of(1L, 0L, 1L, 1L, 1L, 0L);

	private final ConcurrentLinkedQueue<Connection> opened = new ConcurrentLinkedQueue<>();

	private boolean slow;

	private Consumer<ReplicaConnection> openingLate = (connection) -> {
	};

	private final ReplicatedCommands commands = commands(false);

	private ReplicatedCommands commands(boolean pooled) {
		return new ReplicatedCommands(new Nothing(), (late) -> {
			if (this.slow) {
				this.openingLate = late;
				throw new IllegalStateException("not open yet");
			}
			Connection connection = new Connection();
			this.opened.add(connection);
			return connection;
		}, new ClientSettings(Duration.ofSeconds(1), Duration.ZERO, 1, Duration.ofMillis(500)), 1, pooled);
	}

	@AfterEach
	void close() {
		this.commands.close();
	}

	@Test
	void evalWhenConnectionIsSoundThenUsedAgain() throws Exception {
		assertThat(acquire(this.commands)).isEqualTo(HELD);
		assertThat(acquire(this.commands)).isEqualTo(HELD);
		assertThat(this.opened).hasSize(1);
	}

	@Test
	void evalWhenIdleConnectionWasLostThenAnotherOneConfirms() throws Exception {
		assertThat(acquire(this.commands)).isEqualTo(HELD);
		Connection first = this.opened.element();
		first.lost = true;
		assertThat(acquire(this.commands)).isEqualTo(HELD);
		assertThat(this.opened).hasSize(2);
		assertThat(first.closed).isTrue();
	}

	@Test
	void evalWhenAConnectionOpenedLateThenItIsUsedAndNoMoreThanThereAreThreadsAreKept() throws Exception {
		this.slow = true;
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> acquire(this.commands));
		Connection late = new Connection();
		Connection later = new Connection();
		this.openingLate.accept(late);
		this.openingLate.accept(later);
		assertThat(later.closed).isTrue();
		assertThat(acquire(this.commands)).isEqualTo(HELD);
		assertThat(late.used).isTrue();
		this.commands.close();
		assertThat(late.closed).isTrue();
	}

	@Test
	void closeThenAConnectionThatOpensLateIsClosed() throws Exception {
		this.slow = true;
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> acquire(this.commands));
		this.commands.close();
		Connection late = new Connection();
		this.openingLate.accept(late);
		assertThat(late.closed).isTrue();
	}

	@Test
	void evalWhenConnectionCannotBeClosedThenAnsweredNevertheless() throws Exception {
		ReplicatedCommands pooled = commands(true);
		assertThat(acquire(pooled)).isEqualTo(HELD);
		pooled.close();
	}

	private static List<Object> acquire(ReplicatedCommands commands) throws Exception {
		CompletableFuture<List<Object>> answered = new CompletableFuture<>();
		commands.eval(LockScript.ACQUIRE, ScriptArguments.of(List.of("lk:a"), List.of()), (reply, failure) -> {
			if (failure != null) {
				answered.completeExceptionally(failure);
			}
			else {
				answered.complete(reply);
			}
		});
		return answered.get(10, TimeUnit.SECONDS);
	}

	/** A connection with a replica that has all of it, as long as it is the same. */
	private static final class Connection implements ReplicaConnection {

		private volatile boolean lost;

		private volatile boolean closed;

		private volatile boolean used;

		@Override
		public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
			this.used = true;
			return HELD;
		}

		@Override
		public long awaitReplicas(int required, Duration timeout) {
			return this.lost ? 0 : 1;
		}

		@Override
		public boolean isSound() {
			return !this.lost;
		}

		@Override
		public void close() {
			this.closed = true;
			throw new IllegalStateException("closed already");
		}

	}

	/** What needs no replica is not asked for here. */
	private static final class Nothing implements RedisCommands {

		@Override
		public void evalSha(LockScript script, ScriptArguments arguments, Answer answer) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void eval(LockScript script, ScriptArguments arguments, Answer answer) {
			throw new UnsupportedOperationException();
		}

		@Override
		public String server() {
			return "none";
		}

		@Override
		public void close() {
			// There is nothing to close.
		}

	}

}
