package io.distlock.autoconfigure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.support.ForeignText;

/**
 * Names of locks as values of low cardinality. An application that uses keys as names
 * would get meters without end, so further names than {@value #MOST} are one. Public for
 * the observations; applications have no need for it.
 */
public final class LockNames {

	static final int MOST = 200;

	static final String OTHER = "other";

	static final String NO_NAME = "unnamed";

	private static final Logger logger = LoggerFactory.getLogger(LockNames.class);

	private final Set<String> known = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean warned = new AtomicBoolean();

	/** Creates it without names. */
	public LockNames() {
	}

	/**
	 * Returns the value for a name.
	 * @param name of locks, may be empty
	 * @return the name, or what stands for it
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

	/** Names that come together may exceed the limit by a few. */
	private boolean add(String name) {
		boolean fits = this.known.size() < MOST;
		if (fits) {
			this.known.add(name);
		}
		return fits;
	}

}
