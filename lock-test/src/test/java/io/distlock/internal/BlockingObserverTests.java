package io.distlock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.distlock.Holder;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockReleased;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import io.distlock.stores.LockTemplates;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * No command waits for an observer: it runs on the thread of its caller after the
 * commands of that thread, or on a thread that sends none.
 */
class BlockingObserverTests {

	private static final LockRequest REQUEST = LockRequest.of("stock:42").waitAtMost(Duration.ofSeconds(1));

	private static final LockRequest READ = REQUEST.mode(LockMode.SHARED);

	private final ModelClock time = new ModelClock();

	private final List<String> steps = new ArrayList<>();

	/** What threads run that send no commands. */
	private final Deque<Runnable> later = new ArrayDeque<>();

	private final InMemoryLockServer server = new InMemoryLockServer(this.time.elsewhere(), Runnable::run);

	private final LockEngine engine = engine(byCallers(new InMemoryLockStore(this.server)), "here",
			new EachObserved(this::observer));

	/** Whether other threads run while one parks. */
	private boolean othersRun;

	private boolean renewalsFail;

	/** Whether another thread could use the lock while a line was logged. */
	private boolean used;

	private LockEngine engine(LockStore store, String name, LockObserver observer) {
		return new LockEngine(new EngineContext(store, LockSettings.DEFAULTS, clock(), name, LockTemplates.DEFAULT,
				observer, this.later::add, () -> 0.5));
	}

	private AcquisitionObserver observer() {
		return new AcquisitionObserver() {

			@Override
			public void waits(@Nullable Holder holder) {
				BlockingObserverTests.this.steps.add("waits");
			}

			@Override
			public void lost(LockLoss loss) {
				BlockingObserverTests.this.steps.add("lost");
			}

			@Override
			public void released(LockReleased released) {
				BlockingObserverTests.this.steps.add("released");
			}

		};
	}

	/** A thread that parks lets the time pass. */
	private LockClock clock() {
		return new LockClock() {

			@Override
			public long nanoTime() {
				return BlockingObserverTests.this.time.nanoTime();
			}

			@Override
			public Instant instant() {
				return BlockingObserverTests.this.time.instant();
			}

			@Override
			public void park(long nanos) {
				pass(Duration.ofNanos(nanos));
				if (BlockingObserverTests.this.othersRun) {
					runLater();
				}
			}

		};
	}

	private void pass(Duration duration) {
		this.time.moveTo(this.time.nanoTime() + duration.toNanos());
	}

	private LockHandle acquireAsync(LockRequest request) {
		CompletableFuture<LockHandle> acquired = this.engine.acquireAsync(request).toCompletableFuture();
		runLater();
		this.steps.clear();
		return acquired.join();
	}

	private void runLater() {
		while (!this.later.isEmpty()) {
			this.later.remove().run();
		}
	}

	@Test
	void lostThenTheHousekeeperRenewsOtherLocksFirst() {
		acquireAsync(REQUEST.leaseFor(Duration.ofSeconds(1)));
		acquireAsync(LockRequest.of("stock:43"));
		pass(Duration.ofSeconds(10));
		this.engine.housekeeper().visitDue(this.time.nanoTime());
		assertThat(this.steps).containsExactly("renew");
		runLater();
		assertThat(this.steps).containsExactly("renew", "lost");
	}

	@Test
	void lostWhenALeavingReaderFindsItThenTheReleaseIsExecutedFirst() {
		LockHandle leaving = this.engine.acquire(READ);
		acquireAsync(READ.leaseFor(Duration.ofSeconds(1)));
		pass(Duration.ofSeconds(2));
		leaving.close();
		runLater();
		assertThat(this.steps).containsExactly("finish", "released", "lost");
	}

	/** Other commands for the lock may wait for this one. */
	@Test
	void releasedThenTheCallerHasExecutedItsCommandFirst() {
		this.engine.acquire(REQUEST).close();
		runLater();
		assertThat(this.steps).containsExactly("acquire", "finish", "released");
	}

	@Test
	void waitsThenTheCallerExecutesItsCommandFirst() {
		LockHandle reader = acquireAsync(READ);
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.engine.acquire(REQUEST));
		assertThat(this.steps).startsWith("acquire", "waits").containsOnlyOnce("waits");
		reader.closeAsync();
	}

	@Test
	void waitsWhenAnAnswerSaysSoThenNotOnTheThreadThatBringsIt() {
		LockHandle elsewhere = engine(new InMemoryLockStore(this.server), "there", LockObserver.NONE).acquire(REQUEST);
		this.engine.acquireAsync(REQUEST);
		assertThat(this.steps).containsExactly("acquire");
		runLater();
		assertThat(this.steps).containsExactly("acquire", "waits");
		elsewhere.close();
	}

	@Test
	void waitsWhenObserversDoNotKeepUpThenSomeAreDropped() {
		LockHandle held = acquireAsync(REQUEST);
		for (int i = 0; i < 10_010; i++) {
			this.engine.acquireAsync(REQUEST);
		}
		runLater();
		assertThat(this.steps.stream().filter("waits"::equals)).hasSize(10_000);
		held.closeAsync();
	}

	/**
	 * Such threads do not keep the process alive, and the line about a loss is the last
	 * one.
	 */
	@Test
	void shutDownThenWhatWasFoundIsReportedFirst() {
		acquireAsync(REQUEST.leaseFor(Duration.ofSeconds(1)));
		pass(Duration.ofSeconds(2));
		this.engine.housekeeper().visitDue(this.time.nanoTime());
		this.othersRun = true;
		assertThat(this.engine.shutdown(Duration.ZERO)).isTrue();
		assertThat(this.steps).contains("lost");
	}

	@Test
	void shutDownWhileAnObserverHangsThenThatIsNotAwaitedForEver() {
		acquireAsync(REQUEST.leaseFor(Duration.ofSeconds(1)));
		pass(Duration.ofSeconds(2));
		this.engine.housekeeper().visitDue(this.time.nanoTime());
		long before = this.time.nanoTime();
		assertThat(this.engine.shutdown(Duration.ZERO)).isTrue();
		assertThat(Duration.ofNanos(this.time.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
	}

	@Test
	void lostWhenAnObserverHangsThenLinesAreLogged() {
		acquireAsync(REQUEST.leaseFor(Duration.ofSeconds(1)));
		pass(Duration.ofSeconds(2));
		try (CapturedLog log = new CapturedLog(() -> {
		})) {
			this.engine.housekeeper().visitDue(this.time.nanoTime());
			assertThat(log.lines("was lost")).hasSize(1);
			assertThat(this.steps).doesNotContain("lost");
		}
	}

	@Test
	void lostWhileTheLineIsLoggedThenOthersUseTheLock() {
		acquireAsync(REQUEST.leaseFor(Duration.ofSeconds(1)));
		pass(Duration.ofSeconds(2));
		try (CapturedLog log = new CapturedLog(this::useInOtherThread)) {
			this.engine.housekeeper().visitDue(this.time.nanoTime());
			assertThat(log.lines("was lost")).hasSize(1);
		}
		assertThat(this.used).isTrue();
	}

	@Test
	void storeFailsWhileTheLineIsLoggedThenOthersUseTheLock() {
		acquireAsync(REQUEST);
		this.renewalsFail = true;
		pass(Duration.ofSeconds(10));
		try (CapturedLog log = new CapturedLog(this::useInOtherThread)) {
			this.engine.housekeeper().visitDue(this.time.nanoTime());
			assertThat(log.lines("The store does not answer")).hasSize(1);
		}
		assertThat(this.used).isTrue();
	}

	/** Enters the monitor of the lock. */
	private void useInOtherThread() {
		Thread other = new Thread(() -> this.engine.acquireAsync(REQUEST));
		other.start();
		try {
			other.join(5_000);
			this.used = !other.isAlive();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Lets callers execute their commands if they can. */
	private LockStore byCallers(LockStore store) {
		return new DelegatingLockStore(store) {

			@Override
			public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
				return execute("acquire", caller, () -> super.acquire(command, CallingThread.NONE));
			}

			@Override
			public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor,
					CallingThread caller) {
				return execute("finish", caller, () -> super.finish(key, request, keepFor, CallingThread.NONE));
			}

			@Override
			public CompletionStage<RenewResult> renew(RenewCommand command) {
				return execute("renew", CallingThread.NONE,
						() -> BlockingObserverTests.this.renewalsFail
								? CompletableFuture
									.failedFuture(new TransientStoreException("", "The server is away", null))
								: super.renew(command));
			}

		};
	}

	private <T> CompletionStage<T> execute(String step, CallingThread caller, Supplier<CompletionStage<T>> command) {
		CompletableFuture<T> answer = new CompletableFuture<>();
		Runnable execution = () -> {
			this.steps.add(step);
			command.get().whenComplete((result, failure) -> {
				if (failure != null) {
					answer.completeExceptionally(failure);
				}
				else {
					answer.complete(result);
				}
			});
		};
		if (!caller.offer(execution)) {
			execution.run();
		}
		return answer;
	}

	/** Collects the lines that the engine logs. */
	private static final class CapturedLog implements AutoCloseable {

		private final Logger logger = (Logger) LoggerFactory.getLogger("io.distlock.internal");

		private final ListAppender<ILoggingEvent> appender = new ListAppender<>() {

			@Override
			protected void append(ILoggingEvent event) {
				super.append(event);
				CapturedLog.this.duringALine.run();
			}

		};

		private final Runnable duringALine;

		CapturedLog(Runnable duringALine) {
			this.duringALine = duringALine;
			this.appender.start();
			// Whatever others have switched off.
			this.logger.setLevel(Level.WARN);
			this.logger.addAppender(this.appender);
		}

		List<String> lines(String... parts) {
			return this.appender.list.stream()
				.map(ILoggingEvent::getFormattedMessage)
				.filter((line) -> Stream.of(parts).allMatch(line::contains))
				.toList();
		}

		@Override
		public void close() {
			this.logger.detachAppender(this.appender);
			this.logger.setLevel(null);
		}

	}

}
