package io.distlock.spring.intercept;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.LockRequest;
import io.distlock.support.KeyText;

/**
 * Warns of locks that code takes with a template inside of an open transaction. An
 * annotated method holds its lock until the commit, but a template cannot know when its
 * caller commits. Needs Spring's transactions on the class path.
 */
public final class LocksInTransactions {

	private static final Logger logger = LoggerFactory.getLogger(LocksInTransactions.class);

	/** More names than anybody reads warnings, because keys are data. */
	private static final int LIMIT = 100;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Warns once for each name of locks. Called on the thread of the caller.
	 * @param request the request, for one key
	 */
	public void acquiring(LockRequest request) {
		if (OuterTransaction.isOpen() && !isKnown(nameOf(request)) && !OuterTransaction.keeps(request.key())
				&& this.warned.add(nameOf(request))) {
			logger.warn("Lock '{}' is taken with LockTemplate inside the open transaction{}. If it is released before "
					+ "the commit, its next holder does not see the changes, and updates can be lost. Take it before "
					+ "the transaction begins, or annotate the method with @DistributedLock, which holds its lock until "
					+ "the commit", KeyText.of(request.key()), OuterTransaction.ofTransaction());
		}
	}

	private boolean isKnown(String name) {
		return this.warned.contains(name) || this.warned.size() >= LIMIT;
	}

	/** Returns the name of a lock, or of its key. All keys without a name are one. */
	private static String nameOf(LockRequest request) {
		String key = request.key();
		return request.name().isEmpty() ? key.substring(0, Math.max(0, key.indexOf(':'))) : request.name();
	}

}
