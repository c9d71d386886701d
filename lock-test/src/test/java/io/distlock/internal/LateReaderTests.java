package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.context.EngineContext;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockObserver;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store without messages, and a reader that comes after a writer of another process.
 */
class LateReaderTests {

	private static final LockRequest READ = LockRequest.of("catalog").mode(LockMode.SHARED);

	private final ModelClock clock = new ModelClock();

	private final InMemoryLockServer server = new InMemoryLockServer(this.clock.elsewhere(), (message) -> {
	});

	private final LockEngine here = engine("here");

	private final LockEngine elsewhere = engine("elsewhere");

	private LockEngine engine(String name) {
		return new LockEngine(new EngineContext(new InMemoryLockStore(this.server), LockSettings.DEFAULTS, this.clock,
				name, LockTemplates.DEFAULT, LockObserver.NONE, Runnable::run, () -> 0.5));
	}

	private static CompletableFuture<LockHandle> ask(LockEngine engine, LockRequest request, Duration wait) {
		return engine.acquireAsync(request.waitAtMost(wait)).toCompletableFuture();
	}

	private void pass(Duration time) {
		long end = this.clock.nanoTime() + time.toNanos();
		while (this.clock.nanoTime() - end < 0) {
			this.here.housekeeper().visitDue(this.clock.nanoTime());
			this.elsewhere.housekeeper().visitDue(this.clock.nanoTime());
			this.clock.moveTo(this.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(10));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1100, 1300, 2000, 4000, 8000, 12000 })
	void acquireWhenAWriterWaitsElsewhereForASecondThenBehindIt(int millis) {
		LockHandle first = ask(this.here, READ, Duration.ZERO).join();
		CompletableFuture<LockHandle> writer = ask(this.elsewhere, LockRequest.of("catalog"), Duration.ofHours(1));
		pass(Duration.ofMillis(millis));
		CompletableFuture<LockHandle> late = ask(this.here, READ, Duration.ofMinutes(1));
		pass(Duration.ofSeconds(1));
		assertThat(late).as("overtakes the writer").isNotDone();
		first.closeAsync();
		pass(Duration.ofSeconds(1));
		assertThat(writer).isCompleted();
		writer.join().closeAsync();
		pass(Duration.ofSeconds(2));
		assertThat(late).isCompleted();
	}

	/** The writer has gone: the next question finds that out. */
	@Test
	void acquireWhenTheWriterGivesUpThenJoins() {
		ask(this.here, READ, Duration.ZERO).join();
		CompletableFuture<LockHandle> writer = ask(this.elsewhere, LockRequest.of("catalog"), Duration.ofHours(1));
		pass(Duration.ofSeconds(2));
		CompletableFuture<LockHandle> late = ask(this.here, READ, Duration.ofMinutes(1));
		pass(Duration.ofSeconds(1));
		assertThat(late).isNotDone();
		writer.cancel(false);
		pass(Duration.ofSeconds(1));
		assertThat(late).isCompleted();
	}

}
