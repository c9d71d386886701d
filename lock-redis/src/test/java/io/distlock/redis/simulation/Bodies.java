package io.distlock.redis.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.distlock.spi.Sharing;

/** What those who were granted one lock made of it. */
final class Bodies {

	/** How long a process passes a lock on without a look at the store, and a bit. */
	private static final long UNSEEN = TimeUnit.MILLISECONDS.toNanos(1010);

	private final World world;

	private final Rules rules;

	private final LockHistory store;

	/** When the first body of each request began. */
	private final Map<String, Long> firstOfRequest = new HashMap<>();

	/** The body with the highest token of each kind. */
	private final Map<Class<?>, Held> highest = new HashMap<>();

	private final Set<Long> permits = new HashSet<>();

	private long lastWriter;

	private long lastReader;

	private long keptUntil;

	Bodies(World world, Rules rules, LockHistory store) {
		this.world = world;
		this.rules = rules;
		this.store = store;
	}

	/** A body begins with a token of a block that the store gave to its process. */
	void begun(Held held) {
		LockHistory.Block block = this.store.block(held.token());
		this.rules.require(held.node().is(block.owner()), "I8 no body runs without a grant", held,
				"but that token is of", block);
		// What was released by force may be passed on with old tokens for a while.
		if (this.store.forcedUntil(held.token()) != null) {
			return;
		}
		if (this.world.scenario().exclusive()) {
			checkToken(held);
		}
		this.highest.merge(held.sharing().getClass(), held,
				(one, other) -> (one.token() > other.token()) ? one : other);
		Long first = this.firstOfRequest.putIfAbsent(block.id(), held.since());
		if (first != null) {
			this.world.figures().passedOn++;
			checkNobodyStarves(held, block.owner(), first);
		}
		if (this.world.scenario().prompt()) {
			this.rules.require(held.since() >= this.keptUntil, "I1 a minimum hold keeps others out", held);
		}
	}

	/** Higher than all that it does not go with; those of permits differ. */
	private void checkToken(Held held) {
		long before = this.highest.values()
			.stream()
			.filter((other) -> !other.goesWith(held))
			.mapToLong(Held::token)
			.max()
			.orElse(0);
		boolean unique = !(held.sharing() instanceof Sharing.Permit) || this.permits.add(held.token());
		this.rules.require(held.token() > before && unique, "I2 tokens increase from holder to holder", held, "after",
				before);
	}

	/**
	 * No lock or permit is passed on, or joined by readers, but by who has just learned
	 * of it, while others wait for long.
	 */
	private void checkNobodyStarves(Held held, String instance, long first) {
		boolean late = held.node().justWoke() || held.node().justTold() || !this.world.scenario().steady();
		long since = Math.min(this.store.othersWait(instance), held.since() - first);
		this.rules.require(late || since <= UNSEEN, "I6 nobody waits while others go on for ever", held, "for", since,
				"ns");
	}

	/** It is closed, and nobody gets it before some time is over. */
	void kept(Held held) {
		Duration minHold = held.request().options().minHold();
		if (minHold != null) {
			// Counted from before the body began, on a clock that may be fast.
			long least = minHold.toNanos() - minHold.toNanos() / 1000 - 1_000_000;
			this.keptUntil = Math.max(this.keptUntil, held.since() + least);
		}
	}

	/** When it may be given to the next one at the latest, if it is kept. */
	long keptUntil() {
		return this.keptUntil + (this.keptUntil > 0 ? 2_000_000 : 0);
	}

	/**
	 * The resource took what somebody did: nothing of an earlier writer after somebody
	 * else, and nothing of an earlier reader after a writer.
	 */
	void used(long token, boolean alone) {
		long grant = this.store.block(token).grant();
		long before = alone ? Math.max(this.lastWriter, this.lastReader) : this.lastWriter;
		this.rules.require(grant >= before, "I2 the resource refuses earlier holders", "grant", grant, "after", before);
		if (alone) {
			this.lastWriter = grant;
		}
		else {
			this.lastReader = Math.max(this.lastReader, grant);
		}
	}

}
