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
import io.distlock.redis.protocol.RandomSteps.Step;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;

/**
 * A random but repeatable life of one lock that some want to share, some to have one of
 * its permits, and some alone: live requests, late and doubled copies, expiries hit to
 * the millisecond, small steps of the clock.
 */
final class TogetherSteps {

	static final String LOCK = "stock";

	/** Long enough to remember everything within a life. */
	static final long KEEP = 100_000_000;

	private static final long WAITER_TTL = 2000;

	private static final QueueTimes TIMES = new QueueTimes(Duration.ofMillis(500), Duration.ofMillis(WAITER_TTL),
			Duration.ofSeconds(10));

	private static final int[] JUMPS = { 0, 0, 0, 1, 100, 500, 500, 1000, 1499, 1500, 1501, 2000, 3000, 3001, 6000 };

	private static final List<Sharing> KINDS = List.of(Sharing.EXCLUSIVE, Sharing.SHARED, Sharing.SHARED,
			new Sharing.Permit(1), new Sharing.Permit(2), new Sharing.Permit(3));

	private final Random random;

	private final List<String> instances = new ArrayList<>();

	private final Map<String, Long> numbers = new HashMap<>();

	private final Map<RequestId, Sharing> kinds = new HashMap<>();

	/** Most requests are of this kind. */
	private final Sharing mostly;

	private long micros = 1_795_225_522_033_810L;

	/**
	 * One step for the scripts and for the model.
	 *
	 * @param step the script with its arguments
	 * @param command the same for the model
	 */
	record Both(Step step, Object command) {
	}

	/**
	 * The end of a request.
	 *
	 * @param request the request
	 * @param keepFor how long its hold is kept
	 */
	record Finish(RequestId request, Duration keepFor) {
	}

	TogetherSteps(long seed) {
		this.random = new Random(seed);
		int engines = 2 + this.random.nextInt(3);
		for (int i = 0; i < engines; i++) {
			this.instances.add("i" + i);
			if (this.random.nextBoolean()) {
				this.instances.addAll(List.of("i" + i + ".1", "i" + i + ".2"));
			}
		}
		this.mostly = KINDS.get(this.random.nextInt(KINDS.size()));
	}

	List<Both> take(int count) {
		List<Both> steps = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			passTime();
			String instance = this.instances.get(this.random.nextInt(this.instances.size()));
			int dice = this.random.nextInt(100);
			steps.add((dice < 50) ? acquire(instance) : (dice < 75) ? finish(instance) : renew(instance));
		}
		return steps;
	}

	private void passTime() {
		this.micros += JUMPS[this.random.nextInt(JUMPS.length)] * 1000L;
		if (this.random.nextInt(3) == 0) {
			this.micros += this.random.nextInt(3000);
		}
		if (this.random.nextInt(80) == 0) {
			this.micros -= this.random.nextInt(3_000_000);
		}
	}

	private Both acquire(String instance) {
		long number = this.numbers.getOrDefault(instance, 0L);
		int dice = this.random.nextInt(10);
		if (number == 0 || dice < 4) {
			number++;
			this.numbers.put(instance, number);
		}
		RequestId request = RequestId.parse(instance, (dice == 9) ? stale(instance) : number);
		Sharing sharing = this.kinds.computeIfAbsent(request, (first) -> kind());
		boolean queue = this.random.nextInt(4) != 0;
		int tokens = 1 + this.random.nextInt(20);
		long lease = lease();
		long claim = TIMES.claimMillis(Duration.ofMillis(lease));
		Holder holder = new Holder("app of " + instance, "host;", instance, "thread\\", "caller", Instant.EPOCH);
		List<String> arguments = new ArrayList<>(arguments(instance, request.number(), lease, claim,
				queue ? WAITER_TTL : 0, tokens, KEEP, 0, "lk:ch:", 0, new HolderCodec().encode(holder)));
		arguments.add(queue ? Inboxes.of(request.engine()).address(request.number(), claim) : "");
		if (!(sharing instanceof Sharing.Exclusive)) {
			arguments.add((sharing instanceof Sharing.Permit permit) ? String.valueOf(permit.of()) : "S");
		}
		return both(LockScript.ACQUIRE, arguments, new AcquireCommand(LOCK, request, Duration.ofMillis(lease), sharing,
				queue, tokens, Duration.ofSeconds(1), holder));
	}

	private Sharing kind() {
		return (this.random.nextInt(4) == 0) ? KINDS.get(this.random.nextInt(KINDS.size())) : this.mostly;
	}

	private Both finish(String instance) {
		long number = switch (this.random.nextInt(12)) {
			case 0 -> stale(instance);
			case 1 -> this.numbers.merge(instance, 1L, Long::sum);
			default -> Math.max(1, this.numbers.getOrDefault(instance, 1L));
		};
		long rest = (this.random.nextInt(4) == 0) ? lease() : 0;
		List<String> arguments = new ArrayList<>(arguments(instance, number, KEEP, "lk:ch:", number % 2));
		if (rest > 0) {
			arguments.addAll(List.of("", String.valueOf(rest)));
		}
		return both(LockScript.FINISH, arguments,
				new Finish(RequestId.parse(instance, number), Duration.ofMillis(rest)));
	}

	private Both renew(String instance) {
		long number = (this.random.nextInt(8) == 0) ? stale(instance)
				: Math.max(1, this.numbers.getOrDefault(instance, 1L));
		int tokens = this.random.nextBoolean() ? 0 : 1 + this.random.nextInt(30);
		long lease = lease();
		// Not drawn, so that the lives of the other steps stay what they were.
		boolean shared = tokens % 9 == 4;
		return both(LockScript.RENEW, arguments(instance, number, lease, tokens, KEEP, shared ? 1 : 0, "lk:ch:"),
				new RenewCommand(LOCK, RequestId.parse(instance, number), Duration.ofMillis(lease), tokens, shared));
	}

	private long stale(String instance) {
		return Math.max(1, this.numbers.getOrDefault(instance, 1L) - 1 - this.random.nextInt(2));
	}

	private long lease() {
		return switch (this.random.nextInt(6)) {
			case 0, 1 -> 500;
			case 2, 3 -> 6000;
			default -> 3000;
		};
	}

	private Both both(LockScript script, List<String> arguments, Object command) {
		return new Both(new Step(this.micros, script, List.of(RandomSteps.KEY), arguments), command);
	}

	private static List<String> arguments(Object... values) {
		return Arrays.stream(values).map(String::valueOf).toList();
	}

}
