package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.jspecify.annotations.Nullable;

/**
 * A random but repeatable life of one lock: live requests, late and doubled copies,
 * expiries hit to the millisecond, steps of the clock, lost and foreign data.
 */
final class RandomSteps {

	static final String KEY = "lk:stock";

	private static final String BOOT = "lk:boot";

	private static final long CLAIM = 1000;

	private static final long WAITER_TTL = 2000;

	private static final long LONG_LEASE = 200_000;

	private static final long KEEP = 3000;

	static final long LONG_KEEP = 9000;

	private static final int[] JUMPS = { 0, 0, 1, 100, 500, 500, 999, 1000, 1001, 2000, 3000, 3001, 6000, 10_000 };

	private static final int[] RAISES = { -1, 0, 0, 1, 7, 500, 40_000, 9_000_000 };

	private final Random random;

	private final long[] requests;

	/** Many instances that hardly ever give up: long queues. */
	private final boolean crowd;

	/** A crowd that gives up a lot: queues with many gaps. */
	private final boolean restless;

	private final boolean marker;

	private final boolean metadata;

	private long micros = 1_795_225_522_033_810L;

	/** The token of the latest hold, if all went well. */
	private long token = this.micros;

	/** One step: either a script or a plain command. */
	record Step(long micros, @Nullable LockScript script, List<String> keys, List<String> arguments) {

		@Override
		public String toString() {
			return this.micros + " " + ((this.script != null) ? this.script : "COMMAND") + " " + this.keys + " "
					+ this.arguments;
		}

	}

	RandomSteps(long seed) {
		this.random = new Random(seed);
		this.crowd = seed % 10 == 0;
		this.restless = seed % 20 == 0;
		this.requests = new long[this.crowd ? 60 : 2 + this.random.nextInt(4)];
		this.marker = this.random.nextInt(6) == 0;
		this.metadata = this.random.nextBoolean();
	}

	List<Step> take(int count) {
		List<Step> steps = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			steps.add(next());
		}
		return steps;
	}

	private Step next() {
		passTime();
		int instance = this.random.nextInt(this.requests.length);
		int dice = this.random.nextInt(200);
		if (dice < 1) {
			return command("DEL", KEY);
		}
		if (dice < 2) {
			return command("DEL", BOOT);
		}
		if (dice < 3) {
			return command("SET", KEY, "foreign");
		}
		if (dice < 4) {
			return command("HSET", KEY, "foreign", "1");
		}
		if (dice < (this.restless ? 110 : (this.crowd ? 190 : 110))) {
			return acquire(instance);
		}
		if (dice < (this.crowd ? 195 : 165)) {
			return finish(instance);
		}
		return (dice < (this.crowd ? 198 : 190)) ? renew(instance) : raise(instance);
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

	private Step acquire(int instance) {
		int dice = this.random.nextInt(10);
		if (this.requests[instance] == 0 || dice < (this.crowd ? 1 : 4)) {
			this.requests[instance]++;
		}
		long request = (dice == 9) ? stale(instance) : this.requests[instance];
		boolean queue = this.crowd || this.random.nextInt(4) != 0;
		long notAfter = (this.random.nextInt(4) == 0) ? this.micros / 1000 - 1 + this.random.nextInt(3) : 0;
		List<String> arguments = new ArrayList<>(arguments("i" + instance, request, lease(), CLAIM,
				queue ? WAITER_TTL : 0, 1 + this.random.nextInt(20), keep(), notAfter, "lk:ch:", 5000));
		arguments.add(this.metadata ? "about-" + instance : "");
		arguments.add(queue ? Inboxes.of("i" + instance).address(request, CLAIM) : "");
		this.token = this.micros;
		List<String> keys = this.marker ? List.of(KEY, BOOT) : List.of(KEY);
		return new Step(this.micros, LockScript.ACQUIRE, keys, arguments);
	}

	private Step finish(int instance) {
		long request = switch (this.random.nextInt(10)) {
			case 0 -> stale(instance);
			case 1 -> this.requests[instance] + 1;
			default -> Math.max(1, this.requests[instance]);
		};
		return new Step(this.micros, LockScript.FINISH, List.of(KEY),
				arguments("i" + instance, request, keep(), "lk:ch:", instance % 2));
	}

	private Step renew(int instance) {
		long request = (this.random.nextInt(8) == 0) ? stale(instance) : Math.max(1, this.requests[instance]);
		int tokens = this.random.nextBoolean() ? 0 : 1 + this.random.nextInt(30);
		return new Step(this.micros, LockScript.RENEW, List.of(KEY),
				arguments("i" + instance, request, lease(), tokens, keep()));
	}

	private Step raise(int instance) {
		long request = (this.random.nextInt(8) == 0) ? stale(instance) : Math.max(1, this.requests[instance]);
		this.token += RAISES[this.random.nextInt(RAISES.length)];
		return new Step(this.micros, LockScript.RAISE_TOKEN, List.of(KEY),
				arguments("i" + instance, request, this.token, keep(), 1));
	}

	private long stale(int instance) {
		return Math.max(1, this.requests[instance] - 1 - this.random.nextInt(2));
	}

	private long keep() {
		return (this.random.nextInt(10) == 0) ? LONG_KEEP : KEEP;
	}

	private long lease() {
		if (this.random.nextInt(100) == 0) {
			return LONG_LEASE;
		}
		return this.random.nextBoolean() ? 3000 : 6000;
	}

	private Step command(String... words) {
		return new Step(this.micros, null, List.of(), List.of(words));
	}

	private static List<String> arguments(Object... values) {
		return Arrays.stream(values).map(String::valueOf).toList();
	}

}
