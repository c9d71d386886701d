package io.distlock.redis.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.distlock.Holder;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * A random but repeatable life of one lock that some want to share, some to have one of
 * its permits, and some alone: live requests, late and doubled copies, expiries hit to
 * the millisecond, steps of the clock, lost data.
 */
final class RandomSteps {

	static final String LOCK = "stock";

	static final String KEY = "lk:stock";

	/** The answer to a request that is too late for the server. */
	static final String TOO_LATE = "too late";

	/** The server loses the lock. */
	static final String LOST = "lost";

	/** A script removes dead waiters from a longer queue, which the model never does. */
	static final int LARGEST_CROWD = 30;

	private static final long KEEP = 10_000;

	private static final long LONG_KEEP = 25_000;

	/** Long enough to remember everybody of a crowd within a life. */
	private static final long KEEP_OF_CROWD = 100_000_000;

	private static final long WAITER_TTL = 2000;

	private static final QueueTimes TIMES = new QueueTimes(Duration.ofMillis(500), Duration.ofMillis(WAITER_TTL),
			Duration.ofMillis(KEEP));

	private static final int[] JUMPS = { 0, 0, 0, 1, 100, 500, 500, 999, 1000, 1001, 1499, 1500, 1501, 2000, 3000, 3001,
			6000, 10_000 };

	private static final List<Sharing> KINDS = List.of(Sharing.EXCLUSIVE, Sharing.SHARED, Sharing.SHARED,
			new Sharing.Permit(1), new Sharing.Permit(2), new Sharing.Permit(3));

	private final Random random;

	private final List<String> instances = new ArrayList<>();

	private final Map<String, Long> numbers = new HashMap<>();

	private final Map<RequestId, Sharing> kinds = new HashMap<>();

	/** Many instances that hardly ever give up: long queues. */
	private final boolean crowd;

	/** A crowd that gives up a lot: queues with many gaps. */
	private final boolean restless;

	/** Nobody wants to have the lock together with others. */
	private final boolean alone;

	/** Most requests are of this kind. */
	private final Sharing mostly;

	private long micros = 1_795_225_522_033_810L;

	/**
	 * One step of the scripts.
	 *
	 * @param micros when
	 * @param script what is executed; without one the server loses the lock
	 * @param keys its keys
	 * @param arguments its arguments
	 */
	record Step(long micros, @Nullable LockScript script, List<String> keys, List<String> arguments) {

		long millis() {
			return this.micros / 1000;
		}

	}

	/**
	 * One step for the scripts and for the model.
	 *
	 * @param step the script with its arguments
	 * @param command the same for the model
	 * @param keep how long the script remembers what ended
	 */
	record Both(Step step, Object command, long keep) {
	}

	/**
	 * The end of a request.
	 *
	 * @param request the request
	 * @param keepFor how long its hold is kept
	 */
	record Finish(RequestId request, Duration keepFor) {
	}

	RandomSteps(long seed) {
		this.random = new Random(seed);
		this.crowd = seed % 10 == 0;
		this.restless = seed % 20 == 0;
		this.alone = seed % 3 != 0;
		int engines = this.crowd ? LARGEST_CROWD : 2 + this.random.nextInt(3);
		for (int i = 0; i < engines; i++) {
			this.instances.add("i" + i);
			if (!this.crowd && this.random.nextBoolean()) {
				this.instances.addAll(List.of("i" + i + ".1", "i" + i + ".2"));
			}
		}
		this.mostly = this.alone ? Sharing.EXCLUSIVE : KINDS.get(this.random.nextInt(KINDS.size()));
	}

	List<Both> take(int count) {
		List<Both> steps = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			passTime();
			String instance = this.instances.get(this.random.nextInt(this.instances.size()));
			steps.add(next(instance, this.random.nextInt(200)));
		}
		return steps;
	}

	private Both next(String instance, int dice) {
		if (dice < 1) {
			return new Both(new Step(this.micros, null, List.of(), List.of()), LOST, 0);
		}
		if (dice < (this.crowd && !this.restless ? 190 : 110)) {
			return acquire(instance);
		}
		return (dice < (this.crowd ? 195 : 160)) ? finish(instance) : renew(instance);
	}

	private void passTime() {
		if (this.crowd) {
			this.micros += this.random.nextInt(100_000);
			return;
		}
		this.micros += JUMPS[this.random.nextInt(JUMPS.length)] * 1000L;
		if (this.random.nextInt(3) == 0) {
			this.micros += this.random.nextInt(3000);
		}
		if (this.random.nextInt(60) == 0) {
			this.micros -= this.random.nextInt((this.random.nextInt(4) == 0) ? 90_000_000 : 4_000_000);
		}
	}

	private Both acquire(String instance) {
		long number = this.numbers.getOrDefault(instance, 0L);
		int dice = this.random.nextInt(10);
		if (number == 0 || dice < (this.crowd ? 1 : 4)) {
			number++;
			this.numbers.put(instance, number);
		}
		RequestId request = RequestId.parse(instance, (dice == 9) ? stale(instance) : number);
		Sharing sharing = this.kinds.computeIfAbsent(request, (first) -> kind());
		boolean queue = this.crowd || this.random.nextInt(4) != 0;
		long notAfter = (this.random.nextInt(4) == 0) ? this.micros / 1000 - 1 + this.random.nextInt(3) : 0;
		long keep = keep();
		int tokens = 1 + this.random.nextInt(20);
		long lease = lease();
		long claim = TIMES.claimMillis(Duration.ofMillis(lease));
		Holder holder = new Holder("app of " + instance, "host;", instance, "thread\\", "caller", Instant.EPOCH);
		List<String> arguments = new ArrayList<>(arguments(instance, request.number(), lease, claim,
				queue ? WAITER_TTL : 0, tokens, keep, notAfter, "lk:ch:", 0, new HolderCodec().encode(holder)));
		arguments.add(queue ? Inboxes.of(request.engine()).address(request.number(), claim) : "");
		if (!(sharing instanceof Sharing.Exclusive)) {
			arguments.add((sharing instanceof Sharing.Permit permit) ? String.valueOf(permit.of()) : "S");
		}
		boolean late = notAfter > 0 && this.micros / 1000 > notAfter;
		return both(LockScript.ACQUIRE, arguments, late ? TOO_LATE : new AcquireCommand(LOCK, request,
				Duration.ofMillis(lease), sharing, queue, tokens, Duration.ofSeconds(1), holder), keep);
	}

	private Sharing kind() {
		return (!this.alone && this.random.nextInt(4) == 0) ? KINDS.get(this.random.nextInt(KINDS.size()))
				: this.mostly;
	}

	private Both finish(String instance) {
		long number = switch (this.random.nextInt(12)) {
			case 0 -> stale(instance);
			case 1 -> this.numbers.merge(instance, 1L, Long::sum);
			default -> Math.max(1, this.numbers.getOrDefault(instance, 1L));
		};
		long keep = keep();
		long rest = (this.random.nextInt(4) == 0) ? lease() : 0;
		List<String> arguments = new ArrayList<>(arguments(instance, number, keep, "lk:ch:", number % 2));
		if (rest > 0) {
			arguments.addAll(List.of("", String.valueOf(rest)));
		}
		return both(LockScript.FINISH, arguments,
				new Finish(RequestId.parse(instance, number), Duration.ofMillis(rest)), keep);
	}

	private Both renew(String instance) {
		long number = (this.random.nextInt(8) == 0) ? stale(instance)
				: Math.max(1, this.numbers.getOrDefault(instance, 1L));
		int tokens = this.random.nextBoolean() ? 0 : 1 + this.random.nextInt(30);
		long lease = lease();
		long keep = keep();
		return both(LockScript.RENEW, arguments(instance, number, lease, tokens, keep),
				new RenewCommand(LOCK, RequestId.parse(instance, number), Duration.ofMillis(lease), tokens), keep);
	}

	private long stale(String instance) {
		return Math.max(1, this.numbers.getOrDefault(instance, 1L) - 1 - this.random.nextInt(2));
	}

	private long keep() {
		return this.crowd ? KEEP_OF_CROWD : (this.random.nextInt(10) == 0) ? LONG_KEEP : KEEP;
	}

	private long lease() {
		if (this.random.nextInt(100) == 0) {
			return 200_000;
		}
		return switch (this.random.nextInt(6)) {
			case 0, 1 -> 500;
			case 2, 3 -> 6000;
			default -> 3000;
		};
	}

	private Both both(LockScript script, List<String> arguments, Object command, long keep) {
		return new Both(new Step(this.micros, script, List.of(KEY), arguments), command, keep);
	}

	private static List<String> arguments(Object... values) {
		return Arrays.stream(values).map(String::valueOf).toList();
	}

}
