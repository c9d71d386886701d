package io.distlock.redis.lettuce;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.lettuce.LettuceLinks.Link;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.ScriptArguments;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.protocol.RedisCommand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands are directed to another server at each moment of a call, which is not
 * protected by a monitor. Invariant: no answer of the former server counts, and each call
 * is sent to the new one and ended once.
 */
class DirectedElsewhereTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final Runnable NOTHING = () -> {
	};

	private final Server former = new Server("former");

	private final Server next = new Server("next");

	private final Deque<Server> servers = new ArrayDeque<>(List.of(this.former, this.next));

	private final List<String> answers = new ArrayList<>();

	/** Attempts to connect, which begin when nothing else runs. */
	private final Deque<Runnable> connecting = new ArrayDeque<>();

	private LettuceCommands commands;

	@BeforeEach
	void connect() {
		this.commands = new LettuceCommands(() -> this.servers.remove().link(), () -> "Redis", this.connecting::add,
				new ClientSettings(TIMEOUT, Duration.ZERO), NOTHING, NOTHING);
		call();
		openConnections();
		this.former.answer();
		assertThat(this.answers).containsExactly("former");
		this.answers.clear();
	}

	@Test
	void callWhenDirectedElsewhereAfterItChoseTheConnectionThenSentToTheNewServerOnly() {
		// First it is asked whether the connection is silent, then it is chosen.
		this.former.whenAskedIfOpen = () -> this.former.whenAskedIfOpen = this::moveOnce;
		call();
		openConnections();
		assertThat(this.former.commands).isEmpty();
		this.next.answer();
		assertThat(this.answers).containsExactly("next");
	}

	@Test
	void callWhenDirectedElsewhereBeforeItIsSentThenAnswerOfTheFormerServerDoesNotCount() {
		this.former.whenSent = this::moveOnce;
		call();
		this.former.answer();
		assertThat(this.answers).isEmpty();
		this.next.answer();
		assertThat(this.answers).containsExactly("next");
	}

	@Test
	void callWhenDirectedElsewhereAfterItWasSentThenSentAgain() {
		call();
		this.commands.moveOver();
		openConnections();
		this.former.answer();
		assertThat(this.answers).isEmpty();
		this.next.answer();
		assertThat(this.answers).containsExactly("next");
	}

	@Test
	void callWhenConnectionFailsItWhileItIsSentThenFailsOnce() {
		this.former.refuses = true;
		call();
		assertThat(this.answers).containsExactly("failed");
	}

	/** The answer enters the monitor of a key, in which others wait for this one. */
	@Test
	void callWhenNewConnectionFailsWhatWaitedThenFailsOutsideOfTheMonitor() {
		this.next.refuses = true;
		call((reply, failure) -> {
			CompletableFuture<String> other = CompletableFuture.supplyAsync(() -> {
				this.commands.moveOver();
				return "failed outside";
			});
			this.answers.add(other.completeOnTimeout("failed inside", 3, TimeUnit.SECONDS).join());
		});
		this.commands.moveOver();
		this.connecting.remove().run();
		assertThat(this.answers).containsExactly("failed outside");
	}

	private void moveOnce() {
		this.former.whenAskedIfOpen = NOTHING;
		this.former.whenSent = NOTHING;
		this.commands.moveOver();
		openConnections();
	}

	private void openConnections() {
		for (Runnable next = this.connecting.poll(); next != null; next = this.connecting.poll()) {
			next.run();
		}
	}

	private void call() {
		call((reply, failure) -> this.answers.add((failure != null) ? "failed" : String.valueOf(reply.get(0))));
	}

	private void call(RedisCommands.Answer answer) {
		this.commands.evalSha(LockScript.INSPECT, ScriptArguments.of(List.of("key"), List.of()), answer);
	}

	/** A connection whose answers the test gives. */
	private static final class Server {

		private final String name;

		private final List<RedisCommand<?, ?, ?>> commands = new ArrayList<>();

		private Runnable whenAskedIfOpen = NOTHING;

		private Runnable whenSent = NOTHING;

		private boolean refuses;

		private Server(String name) {
			this.name = name;
		}

		void answer() {
			List<RedisCommand<?, ?, ?>> sent = List.copyOf(this.commands);
			this.commands.clear();
			sent.forEach((command) -> {
				command.getOutput().set(StandardCharsets.UTF_8.encode(this.name));
				command.complete();
			});
		}

		@SuppressWarnings("unchecked")
		Link link() {
			StatefulConnection<byte[], byte[]> connection = proxy(StatefulConnection.class);
			RedisClusterAsyncCommands<byte[], byte[]> none = proxy(RedisClusterAsyncCommands.class);
			return new Link(connection, none, new UnansweredTimer());
		}

		@SuppressWarnings("unchecked")
		private <T> T proxy(Class<?> type) {
			return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> switch (method.getName()) {
						case "isOpen" -> isOpen();
						case "dispatch" -> dispatch((RedisCommand<?, ?, ?>) arguments[0]);
						case "closeAsync" -> CompletableFuture.completedFuture(null);
						default -> throw new UnsupportedOperationException(method.getName());
					});
		}

		private boolean isOpen() {
			this.whenAskedIfOpen.run();
			return true;
		}

		private RedisCommand<?, ?, ?> dispatch(RedisCommand<?, ?, ?> command) {
			this.whenSent.run();
			if (this.refuses) {
				command.completeExceptionally(new IllegalStateException("refused"));
			}
			else {
				this.commands.add(command);
			}
			return command;
		}

	}

}
