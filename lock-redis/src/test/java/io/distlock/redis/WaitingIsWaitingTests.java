package io.distlock.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.operations.LockOperations;
import io.distlock.test.Pause;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A caller in line that may wait for a minute does not fail because the server refuses or
 * does not answer for a while.
 */
@Tag("ci")
class WaitingIsWaitingTests {

	private static final LockRequest PATIENT = LockRequest.of("stock").waitAtMost(Duration.ofMinutes(1));

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	/** Long enough for a poll that is not answered, and the next one. */
	private static final Duration OUTAGE = TIMEOUT.multipliedBy(2).plusSeconds(1);

	/** Returns a template whose connections are open. */
	private static CloseableLockTemplate template(Way.Opened connections) {
		RedisLockStore store = new RedisLockStore(connections.factory(),
				RedisLockStoreSettings.builder().commandTimeout(TIMEOUT).build());
		CloseableLockTemplate template = LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder().commandTimeout(TIMEOUT).build())
			.build();
		await().ignoreExceptions().until(() -> isUsable(template));
		return template;
	}

	private static boolean isUsable(CloseableLockTemplate template) {
		try (LockHandle lock = template.acquire("warm")) {
			return lock.isHeld();
		}
	}

	/** The outage begins when the caller is in line, and ends before the lock is free. */
	private static void waitsAcross(Way way, Consumer<RedisServer> begin, Consumer<RedisServer> end) throws Exception {
		try (RedisServer server = RedisServer.start();
				Way.Opened connections = way.to(Client.of(server));
				CloseableLockTemplate template = template(connections);
				CloseableLockTemplate other = template(connections)) {
			LockHandle held = other.acquire(PATIENT);
			CompletableFuture<LockHandle> acquired = template.acquireAsync(PATIENT).toCompletableFuture();
			await().ignoreExceptions().until(() -> isInLine(template));
			begin.accept(server);
			Pause.of(OUTAGE);
			assertThat(acquired).isNotDone();
			end.accept(server);
			// Repeated until the server confirms it.
			held.closeAsync();
			LockHandle lock = acquired.get(1, TimeUnit.MINUTES);
			assertThat(lock.isHeld()).isTrue();
			lock.closeAsync();
		}
	}

	private static boolean isInLine(CloseableLockTemplate template) {
		return !LockOperations.of(template).find(PATIENT.key()).waiters().isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void acquireWhenAnotherScriptRunsForLongThenGrantedAfterIt(Way way) throws Exception {
		waitsAcross(way, WaitingIsWaitingTests::runForLong, (server) -> server.command("SCRIPT", "KILL"));
	}

	@ParameterizedTest
	@EnumSource
	void acquireWhenTheServerStandsStillThenGrantedAfterIt(Way way) throws Exception {
		waitsAcross(way, RedisServer::pause, RedisServer::resume);
	}

	private static void runForLong(RedisServer server) {
		server.command("CONFIG", "SET", "busy-reply-threshold", "10");
		CompletableFuture.runAsync(() -> server.command("EVAL", "while true do end", "0"));
		await().until(() -> isBusy(server));
	}

	private static boolean isBusy(RedisServer server) {
		try {
			server.command("PING");
			return false;
		}
		catch (IllegalStateException ex) {
			return ex.getMessage().contains("BUSY");
		}
	}

}
