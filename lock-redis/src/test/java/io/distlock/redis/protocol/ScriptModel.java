package io.distlock.redis.protocol;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.redis.protocol.RandomSteps.Both;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.Grant;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;

/** The life of a lock in the in-memory store, which is simple enough to be read. */
final class ScriptModel {

	private final ModelTime time = new ModelTime();

	private final List<Runnable> undelivered = new ArrayList<>();

	private final List<String> heard = new ArrayList<>();

	private final InMemoryLockServer server = new InMemoryLockServer(this.time, this.undelivered::add);

	private final InMemoryLockStore store = new InMemoryLockStore(this.server);

	private final Map<RequestId, Sharing> kinds = new HashMap<>();

	private long highestToken;

	/**
	 * What one step showed.
	 *
	 * @param answer the answer
	 * @param heard what engines were told, sorted
	 * @param snapshot the lock afterwards
	 */
	record Observation(Object answer, List<String> heard, LockSnapshot snapshot) {
	}

	ScriptModel() {
		this.store.start("observer", new Ear("observer", this.heard));
		for (int i = 0; i < RandomSteps.LARGEST_CROWD; i++) {
			new InMemoryLockStore(this.server).start("i" + i, new Ear("i" + i, this.heard));
		}
	}

	List<Observation> run(List<Both> steps) {
		return steps.stream().map(this::run).toList();
	}

	private Observation run(Both both) {
		this.time.micros = both.step().micros();
		LockSnapshot before = get(this.store.inspect(RandomSteps.LOCK));
		Object answer = execute(both.command());
		this.undelivered.forEach(Runnable::run);
		this.undelivered.clear();
		LockSnapshot after = get(this.store.inspect(RandomSteps.LOCK));
		check(before, after);
		List<String> told = this.heard.stream().sorted().toList();
		this.heard.clear();
		return new Observation(answer, told, after);
	}

	private Object execute(Object command) {
		if (command.equals(RandomSteps.LOST)) {
			this.server.flush();
		}
		if (command instanceof String answer) {
			return answer;
		}
		if (command instanceof AcquireCommand acquire) {
			this.kinds.put(acquire.request(), acquire.sharing());
			return get(this.store.acquire(acquire));
		}
		if (command instanceof RenewCommand renew) {
			return get(this.store.renew(renew));
		}
		RandomSteps.Finish finish = (RandomSteps.Finish) command;
		this.kinds.computeIfAbsent(finish.request().kept(), (kept) -> this.kinds.get(finish.request()));
		return get(this.store.finish(RandomSteps.LOCK, finish.request(), finish.keepFor()));
	}

	/** What must be true of the model itself. */
	private void check(LockSnapshot before, LockSnapshot after) {
		List<RequestId> earlier = before.holds().stream().map(LockSnapshot.Hold::request).toList();
		List<Long> tokens = before.holds().stream().map(LockSnapshot.Hold::fencingToken).toList();
		for (LockSnapshot.Hold hold : after.holds()) {
			Sharing kind = this.kinds.get(hold.request());
			for (LockSnapshot.Hold other : after.holds()) {
				require(hold == other || kind.goesWith(this.kinds.get(other.request())), after);
			}
			if (hold.request().isKept()) {
				require(tokens.contains(hold.fencingToken()), after);
			}
			else if (!earlier.contains(hold.request())) {
				require(hold.fencingToken() > this.highestToken, after);
				// Of holds granted in one step, a later one may know of more permits.
				int holds = after.holds().indexOf(hold) + 1;
				require(kind.admits(holds - 1), after);
			}
		}
		this.highestToken = after.fencingToken();
	}

	private static void require(boolean condition, LockSnapshot snapshot) {
		if (!condition) {
			throw new AssertionError("The model breaks its rules: " + snapshot);
		}
	}

	private static <T> T get(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

	/** Records the messages that an engine receives. */
	record Ear(String engine, List<String> heard) implements StoreListener {

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			// A token far ahead of the clock has to be confirmed.
			boolean believed = grant.fencingToken() / 1000 - grant.storeTime() <= 1000;
			this.heard.add(this.engine + " " + key + " " + request + " " + grant.fencingToken() + " " + grant.tokens()
					+ " " + (believed ? grant.expiresAt() : grant.storeTime()) + " " + grant.storeTime());
		}

		@Override
		public void contended(String key) {
			this.heard.add(this.engine + " " + key + " contended");
		}

		@Override
		public void reconnected() {
			this.heard.add(this.engine + " reconnected");
		}

	}

	private static final class ModelTime implements LockClock {

		private long micros;

		@Override
		public long nanoTime() {
			return this.micros * 1000;
		}

		@Override
		public Instant instant() {
			return Instant.EPOCH.plus(this.micros, ChronoUnit.MICROS);
		}

		@Override
		public void park(long nanos) {
			throw new UnsupportedOperationException();
		}

	}

}
