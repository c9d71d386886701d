package io.distlock.redis.simulation;

import java.time.Duration;
import java.util.Locale;

import io.distlock.LockMode;
import io.distlock.LockRequest;

/** How the callers of a world want its locks. */
enum Use {

	/** Each alone. */
	ALONE,

	/** Some read together, some write alone. */
	READERS,

	/** Each wants one of some permits. */
	PERMITS,

	/** All of it, on the same keys; some of those alone keep the lock for a while. */
	MIXED;

	/** Makes a wish. What is left to chance for those alone is as if there was no use. */
	LockRequest wish(LockRequest request, int permits, Chance chance) {
		return switch (this) {
			case ALONE -> request;
			case READERS -> chance.of(0.7) ? reader(request, chance) : request;
			case PERMITS -> request.permits(permits);
			case MIXED -> mixed(request, permits, chance);
		};
	}

	/** Those with a fixed lease share a hold with others whose lease is renewed. */
	private static LockRequest reader(LockRequest request, Chance chance) {
		LockRequest shared = request.mode(LockMode.SHARED);
		return chance.of(0.2) ? shared.leaseFor(Duration.ofMillis(1000 + chance.below(2000))) : shared;
	}

	private static LockRequest mixed(LockRequest request, int permits, Chance chance) {
		double dice = chance.fraction();
		if (dice < 0.35) {
			return request.mode(LockMode.SHARED);
		}
		if (dice < 0.7) {
			return request.permits(permits);
		}
		return (dice < 0.85) ? request : request.holdAtLeast(Duration.ofMillis(1 + chance.below(100)));
	}

	static Use named(String name) {
		return valueOf(name.toUpperCase(Locale.ROOT));
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
