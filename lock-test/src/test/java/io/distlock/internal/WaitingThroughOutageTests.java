package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A caller that waits in line goes on waiting while its store is away, as long as it may
 * wait. On virtual time.
 */
class WaitingThroughOutageTests {

	private static final Duration TIMEOUT = LockSettings.DEFAULTS.commandTimeout();

	private static final Duration LEASE = Duration.ofSeconds(30);

	/** How late the housekeeper may be. */
	private static final Duration ROUND = Duration.ofMillis(20);

	private final ModelClock time = new ModelClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.time.elsewhere(), Runnable::run);

	private final AwayStore store = new AwayStore(new InMemoryLockStore(this.server));

	private final LockEngine engine = engine(this.store, "here");

	private final LockEngine elsewhere = engine(new InMemoryLockStore(this.server), "elsewhere");

	private LockEngine engine(LockStore of, String name) {
		LockSettings settings = LockSettings.builder().leaseTime(LEASE).build();
		return new LockEngine(new EngineContext(of, settings, this.time, name, LockTemplates.DEFAULT, LockObserver.NONE,
				Runnable::run, () -> 0.5));
	}

	private void pass(Duration duration) {
		long end = this.time.nanoTime() + duration.toNanos();
		while (end - this.time.nanoTime() > 0) {
			this.time.moveTo(this.time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10));
			for (LockEngine each : List.of(this.engine, this.elsewhere)) {
				each.housekeeper().visitDue(this.time.nanoTime());
			}
		}
	}

	private LockHandle hold(LockRequest request) {
		return this.elsewhere.acquireAsync(request).toCompletableFuture().join();
	}

	private CompletableFuture<LockHandle> await(LockRequest request) {
		return this.engine.acquireAsync(request).toCompletableFuture();
	}

	private static Throwable failure(CompletableFuture<?> call) {
		return call.handle((lock, failure) -> failure).join();
	}

	@ParameterizedTest
	@EnumSource(Away.class)
	void outageThatEndsInTimeThenTheCallerGetsTheLock(Away how) {
		LockHandle held = hold(LockRequest.of("a"));
		List<CompletableFuture<LockHandle>> calls = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			calls.add(await(LockRequest.of("a").waitAtMost(Duration.ofMinutes(1))));
		}
		pass(Duration.ofSeconds(2));
		this.store.away = how;
		pass(Duration.ofSeconds(20));
		assertThat(calls).noneMatch(CompletableFuture::isDone);
		held.closeAsync();
		this.store.away = null;
		pass(TIMEOUT.plusSeconds(1));
		for (CompletableFuture<LockHandle> call : calls) {
			assertThat(call).isCompleted();
			call.join().closeAsync();
			pass(Duration.ofSeconds(1));
		}
		assertThat(this.engine.isIdle()).isTrue();
	}

	@ParameterizedTest
	@EnumSource(Away.class)
	void outageThatEndsInTimeThenTheCallerGetsThePermit(Away how) {
		LockRequest permit = LockRequest.permit("a", 1);
		LockHandle held = hold(permit);
		CompletableFuture<LockHandle> first = await(permit.waitAtMost(Duration.ofMinutes(1)));
		CompletableFuture<LockHandle> second = await(permit.waitAtMost(Duration.ofMinutes(1)));
		pass(Duration.ofSeconds(2));
		this.store.away = how;
		pass(Duration.ofSeconds(20));
		held.closeAsync();
		this.store.away = null;
		pass(TIMEOUT.plusSeconds(1));
		first.join().closeAsync();
		pass(TIMEOUT.plusSeconds(1));
		second.join().closeAsync();
	}

	/**
	 * Neither does it wait longer than it may, nor does it read that the lock is busy.
	 */
	@ParameterizedTest
	@CsvSource({ "false,REFUSES", "true,REFUSES", "false,HANGS", "true,HANGS" })
	void timeThatIsOverInAnOutageThenTheCallerLearnsOfIt(boolean permits, Away how) {
		LockRequest request = permits ? LockRequest.permit("a", 1) : LockRequest.of("a");
		LockHandle held = hold(request);
		CompletableFuture<LockHandle> first = await(request.waitAtMost(Duration.ofSeconds(5)));
		CompletableFuture<LockHandle> second = await(request.waitAtMost(Duration.ofSeconds(7)));
		pass(Duration.ofSeconds(2));
		this.store.away = how;
		pass(Duration.ofSeconds(3).minus(ROUND));
		assertThat(first).isNotDone();
		pass(ROUND.multipliedBy(2));
		assertThat(failure(first)).isInstanceOf(LockStoreException.class).isNotInstanceOf(LockBusyException.class);
		assertThat(second).isNotDone();
		pass(Duration.ofSeconds(2));
		assertThat(failure(second)).isInstanceOf(LockStoreException.class);
		this.store.away = null;
		held.closeAsync();
		pass(Duration.ofMinutes(2));
		assertThat(this.engine.isIdle()).isTrue();
	}

	/** Commands that hung are executed, and answered, when the caller has its lock. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void commandsThatArriveLateThenTheyChangeNothing(boolean permits) {
		LockRequest request = permits ? LockRequest.permit("a", 1) : LockRequest.of("a");
		LockHandle held = hold(request);
		CompletableFuture<LockHandle> call = await(request.waitAtMost(Duration.ofMinutes(1)));
		pass(Duration.ofSeconds(2));
		this.store.away = Away.HANGS;
		pass(TIMEOUT.multipliedBy(3));
		this.store.away = null;
		held.closeAsync();
		pass(TIMEOUT.plusSeconds(1));
		assertThat(this.store.hung).hasSizeGreaterThan(1);
		this.store.arrive();
		LockHandle lock = call.join();
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.elsewhere.tryAcquire(request.waitAtMost(Duration.ZERO))).isEmpty();
		lock.closeAsync();
		pass(Duration.ofSeconds(1));
		assertThat(this.engine.isIdle()).isTrue();
		hold(request).closeAsync();
	}

	/** Its place in line is lost meanwhile, so it waits at the end of it. */
	@ParameterizedTest
	@EnumSource(Away.class)
	void outageThatLastsForLeasesThenTheCallerStillGetsTheLock(Away how) {
		LockHandle held = hold(LockRequest.of("a"));
		CompletableFuture<LockHandle> call = await(LockRequest.of("a").waitAtMost(Duration.ofHours(1)));
		pass(Duration.ofSeconds(2));
		this.store.away = how;
		pass(LEASE.multipliedBy(3));
		assertThat(call).isNotDone();
		held.closeAsync();
		this.store.away = null;
		pass(TIMEOUT.plusSeconds(1));
		call.join().closeAsync();
		pass(Duration.ofSeconds(1));
		assertThat(this.engine.isIdle()).isTrue();
	}

	@Test
	void firstCommandWithoutAnAnswerThenTheCallerLearnsOfTheOutageAtOnce() {
		for (Away away : Away.values()) {
			this.store.away = away;
			CompletableFuture<LockHandle> call = await(LockRequest.of("a" + away).waitAtMost(Duration.ofHours(1)));
			pass(TIMEOUT.plus(ROUND));
			assertThat(failure(call)).isInstanceOf(LockStoreException.class);
		}
	}

	/** How a store is away. */
	private enum Away {

		REFUSES, HANGS

	}

	/** A store that this process does not reach for a while. */
	private static final class AwayStore extends DelegatingLockStore {

		private final List<Runnable> hung = new ArrayList<>();

		private Away away;

		AwayStore(LockStore store) {
			super(store);
		}

		private <T> CompletionStage<T> gone(Supplier<CompletionStage<T>> command) {
			if (this.away == Away.REFUSES) {
				return CompletableFuture.failedFuture(new TransientStoreException("", "Connection refused", null));
			}
			CompletableFuture<T> answer = new CompletableFuture<>();
			this.hung.add(() -> command.get().thenAccept(answer::complete));
			return answer;
		}

		/** Executes and answers the commands that hung. */
		void arrive() {
			this.hung.forEach(Runnable::run);
			this.hung.clear();
		}

		@Override
		public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
			return (this.away != null) ? gone(() -> super.acquire(command, caller)) : super.acquire(command, caller);
		}

		@Override
		public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor,
				CallingThread caller) {
			return (this.away != null) ? gone(() -> super.finish(key, request, keepFor, caller))
					: super.finish(key, request, keepFor, caller);
		}

		@Override
		public CompletionStage<RenewResult> renew(RenewCommand command) {
			return (this.away != null) ? gone(() -> super.renew(command)) : super.renew(command);
		}

	}

}
