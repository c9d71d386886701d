package io.distlock.autoconfigure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.support.ForeignText;

/**
 * Limits names of locks to values of low cardinality. An application that uses keys as
 * names would get meters without limit, so names after the first {@value #MOST} share one
 * value. The class is public for the observations, and applications do not need it.
 */
public final class LockNames {

	static final int MOST = 200;

	static final String OTHER = "other";

	static final String NO_NAME = "unnamed";

	private static final Logger logger = LoggerFactory.getLogger(LockNames.class);

	private final Set<String> known = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean warned = new AtomicBoolean();

	/** Creates an empty set of names. */
	public LockNames() {
	}

	/**
	 * Returns the value for a name.
	 * @param name the name of locks, perhaps empty
	 * @return the name, or its replacement
	 */
	public String of(String name) {
		if (name.isEmpty()) {
			return NO_NAME;
		}
		if (this.known.contains(name) || add(name)) {
			return ForeignText.of(name);
		}
		if (this.warned.compareAndSet(false, true)) {
			logger.warn(
					"There are more than {} names of locks, for instance '{}': meters and observations call "
							+ "further ones '{}'. A name is for many locks, a key is for one",
					MOST, ForeignText.of(name), OTHER);
		}
		return OTHER;
	}

	/**
	 * Adds a name within the limit. Names that arrive at the same time may exceed the
	 * limit by a few.
	 */
	private boolean add(String name) {
		boolean fits = this.known.size() < MOST;
		if (fits) {
			this.known.add(name);
		}
		return fits;
	}

}
