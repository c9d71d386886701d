package io.distlock.test.records;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordEvents;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.TransientStoreException;

/**
 * A client of a place behind a bad network: calls take time, get lost on the way there or
 * back, are executed twice, or long after everybody has given up; and the estimate of the
 * place's clock may be wrong. Time and chance come from outside, so what happens can be
 * repeated.
 */
public final class FaultyLockRecords implements LockRecords {

	private static final Duration PATIENCE = Duration.ofMillis(500);

	private static final long LATEST_MILLIS = 400;

	private final MemoryLockRecords records;

	private final BiConsumer<Duration, Runnable> schedule;

	private final Random random;

	private double faults;

	private long errorMillis;

	/**
	 * Creates a client.
	 * @param records the client behind the network
	 * @param schedule does something later, on the same thread as everything else
	 * @param random chance
	 * @param faults how likely each fault of a call is, from 0 to 1
	 */
	public FaultyLockRecords(MemoryLockRecords records, BiConsumer<Duration, Runnable> schedule, Random random,
			double faults) {
		this.records = records;
		this.schedule = schedule;
		this.random = random;
		this.faults = faults;
	}

	/**
	 * From now on the estimate of the place's clock is wrong.
	 * @param millis by how much, negative for behind
	 */
	public void err(long millis) {
		this.errorMillis = millis;
	}

	/**
	 * From now on calls are answered once and soon, and the estimate is right. What was
	 * sent before may still arrive.
	 */
	public void heal() {
		this.faults = 0;
		this.errorMillis = 0;
	}

	@Override
	public RecordTraits traits() {
		return this.records.traits();
	}

	@Override
	public void start(String engine, RecordEvents events) {
		this.records.start(engine, events);
	}

	@Override
	public void stop() {
		this.records.stop();
	}

	@Override
	public CompletionStage<Seen> read(String key) {
		return call(() -> this.records.read(key).toCompletableFuture().join(), false);
	}

	@Override
	public CompletionStage<Written> write(Change change) {
		return call(() -> this.records.write(change).toCompletableFuture().join(), true);
	}

	@Override
	public boolean lists() {
		return true;
	}

	@Override
	public CompletionStage<Listing> list(String prefix, String cursor, int most) {
		return call(() -> this.records.list(prefix, cursor, most).toCompletableFuture().join(), false);
	}

	@Override
	public Optional<StoreTime> estimate() {
		Optional<StoreTime> right = this.records.estimate();
		return right.map((time) -> {
			long now = time.now() + this.errorMillis;
			long tokenFloor = (time.tokenFloor() == 0) ? 0 : time.tokenFloor() + 1000 * this.errorMillis;
			return new StoreTime(now, tokenFloor, time.incarnation(), time.gone());
		});
	}

	private <T> CompletionStage<T> call(Supplier<T> execution, boolean repeatable) {
		CompletableFuture<T> answer = new CompletableFuture<>();
		boolean lost = occurs();
		if (!lost || (repeatable && occurs())) {
			// A copy that was believed lost may still be under way.
			Duration delay = lost || occurs() ? millis(LATEST_MILLIS) : micros();
			this.schedule.accept(delay, () -> {
				T result = execution.get();
				if (!occurs()) {
					this.schedule.accept(micros(), () -> answer.complete(result));
				}
			});
		}
		if (repeatable && occurs()) {
			this.schedule.accept(millis(LATEST_MILLIS), execution::get);
		}
		this.schedule.accept(PATIENCE,
				() -> answer.completeExceptionally(new TransientStoreException("", "The place did not answer", null)));
		return answer;
	}

	private boolean occurs() {
		return this.random.nextDouble() < this.faults;
	}

	private Duration millis(long longest) {
		return Duration.ofMillis(1 + this.random.nextInt((int) longest));
	}

	private Duration micros() {
		return Duration.ofNanos(1000L * (100 + this.random.nextInt(900)));
	}

}
