package io.distlock.spring.intercept;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;

import io.distlock.observe.LockNotTaken;
import io.distlock.observe.LockObserver;
import io.distlock.spring.definition.LockedMethod;

/**
 * Runs calls that do not take their lock, because the lock is switched off or its
 * condition is false. Reports all calls that have no lock and do not fail.
 */
final class UnlockedCalls {

	private static final Logger logger = LoggerFactory.getLogger(UnlockedCalls.class);

	private final BeanFactory beans;

	private volatile @Nullable LockObserver found;

	/**
	 * Creates the runner.
	 * @param beans has the application's observer
	 */
	UnlockedCalls(BeanFactory beans) {
		this.beans = beans;
	}

	/** Runs the body with the caller's arguments. */
	@Nullable Object run(LockedCall call, LockNotTaken.Reason reason) throws Throwable {
		LockNotTaken notTaken = report(call.method(), reason);
		if (logger.isDebugEnabled()) {
			logger.debug("{}", notTaken.describe());
		}
		return call.proceedBody();
	}

	/** Notifies the application's observer. */
	LockNotTaken report(LockedMethod method, LockNotTaken.Reason reason) {
		LockNotTaken notTaken = new LockNotTaken(method.group(), method.id().caller(), reason);
		observer().notTaken(notTaken);
		return notTaken;
	}

	/** Looks up the observer late, because it may depend on beans with locked methods. */
	private LockObserver observer() {
		LockObserver known = this.found;
		if (known == null) {
			known = LockObserver
				.all(List.of(this.beans.getBeanProvider(LockObserver.class).getIfUnique(() -> LockObserver.NONE)));
			this.found = known;
		}
		return known;
	}

}
