package io.distlock.records.state;

import java.time.Instant;
import java.util.function.Predicate;

/**
 * When a command is executed, and for which process.
 *
 * @param now the store's clock, in milliseconds
 * @param stamp the lowest fencing token of a grant at this moment; 0 if it is known only
 * after the change is stored
 * @param instant the store's clock for people
 * @param life name of the present life of the process whose command it is: its engine, or
 * its session where holds last as long as a session
 * @param gone says which lives are over
 */
public record StateMoment(long now, long stamp, Instant instant, String life, Predicate<String> gone) {

	static final Predicate<String> NOBODY = (life) -> false;

	/**
	 * Creates a moment of a store without sessions.
	 * @param now the store's clock, in milliseconds
	 * @param stamp the lowest fencing token of a grant at this moment
	 * @param instant the store's clock for people
	 * @param engine the engine whose command it is
	 */
	public StateMoment(long now, long stamp, Instant instant, String engine) {
		this(now, stamp, instant, engine, NOBODY);
	}

	/**
	 * Creates a moment at which a lock is only looked at.
	 * @param now the store's clock, in milliseconds
	 * @param gone says which lives are over
	 * @return the moment
	 */
	public static StateMoment of(long now, Predicate<String> gone) {
		return new StateMoment(now, 0, Instant.ofEpochMilli(now), "", gone);
	}

}
