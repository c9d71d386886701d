package io.distlock.benchmark.peer;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The implementations that are compared. */
public enum Implementation {

	/** Ours; a release waits for the server's word. */
	OURS_CONFIRMED("ours, confirmed", OurPeer::confirmed, Trait.SHARED, Trait.WAITS, Trait.REENTRANT, Trait.RENEWS,
			Trait.TOGETHER),

	/** Ours; a release returns once it is sent. */
	OURS_SENT("ours, sent", OurPeer::sent, Trait.SHARED, Trait.WAITS, Trait.REENTRANT, Trait.RENEWS, Trait.TOGETHER),

	/** Ours, confirmed, with all meters. */
	OURS_METERED("ours, metered", OurPeer::metered, Trait.SHARED),

	/** Ours with an observation and a span for each acquisition and each hold. */
	OURS_TRACED("ours, traced", OurPeer::traced, Trait.SHARED),

	/** Ours on Jedis; the caller sends its commands itself. */
	OURS_DIRECT("ours, direct", OurPeer::direct, Trait.SHARED, Trait.WAITS, Trait.REENTRANT, Trait.RENEWS,
			Trait.TOGETHER),

	/** Redisson's RLock. */
	REDISSON("Redisson", RedissonPeer::plain, Trait.SHARED, Trait.WAITS, Trait.REENTRANT, Trait.RENEWS, Trait.TOGETHER),

	/** Redisson's fair lock. */
	REDISSON_FAIR("Redisson fair", RedissonPeer::fair, Trait.SHARED, Trait.WAITS, Trait.REENTRANT),

	/** Spring Integration's registry. */
	SPRING_INTEGRATION("Spring Integration", SpringIntegrationPeer::plain, Trait.SHARED, Trait.WAITS, Trait.REENTRANT),

	/** Spring Integration's registry, told to renew its locks. */
	SPRING_INTEGRATION_RENEWING("Spring Integration, renewing", SpringIntegrationPeer::renewing, Trait.RENEWS),

	/** Spring Integration's registry on Jedis. */
	SPRING_INTEGRATION_JEDIS("Spring Integration, Jedis", SpringIntegrationPeer::jedis, Trait.SHARED, Trait.WAITS,
			Trait.REENTRANT),

	/** lock4j on RedisTemplate. */
	LOCK4J("lock4j", Lock4jPeer::new, Trait.SHARED, Trait.WAITS),

	/** The lock of tutorials. */
	TUTORIAL("tutorial", TutorialPeer::new, Trait.SHARED, Trait.WAITS, Trait.REENTRANT),

	/** The JDK's fair lock. */
	REENTRANT_LOCK("ReentrantLock(true)", (redis) -> new LocalPeer(), Trait.WAITS),

	/** Two round trips and nothing else. */
	FLOOR("floor", FloorPeer::new, Trait.SHARED),

	/** The same, sent by the caller with Jedis. */
	FLOOR_DIRECT("floor, direct", DirectFloorPeer::new, Trait.SHARED);

	private final String label;

	private final Function<RedisAddress, Peer> opener;

	private final Set<Trait> traits;

	Implementation(String label, Function<RedisAddress, Peer> opener, Trait... traits) {
		this.label = label;
		this.opener = opener;
		this.traits = EnumSet.noneOf(Trait.class);
		this.traits.addAll(Set.of(traits));
	}

	/** What an implementation can do. */
	public enum Trait {

		/** Excludes other processes, at least when nobody has to wait. */
		SHARED,

		/** Lets threads wait for each other. */
		WAITS,

		/** Lets a thread acquire what it holds. */
		REENTRANT,

		/** Keeps a lock for longer than its lease. */
		RENEWS,

		/** Has read/write locks, and permits that come back from processes that died. */
		TOGETHER

	}

	/**
	 * All that have these traits.
	 * @param traits what to ask for
	 * @return the implementations, ours first
	 */
	public static Stream<Implementation> with(Trait... traits) {
		return Stream.of(values()).filter((one) -> one.traits.containsAll(Set.of(traits)));
	}

	/**
	 * Says what this one can do.
	 * @param trait what to ask for
	 * @return whether it can
	 */
	public boolean has(Trait trait) {
		return this.traits.contains(trait);
	}

	/**
	 * Name in tables.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Connects.
	 * @param redis the server
	 * @return a lock of this kind; close it when done
	 */
	public Peer open(RedisAddress redis) {
		return this.opener.apply(redis);
	}

}
