package io.distlock.spring.intercept;

import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.NonBlocking;

import org.springframework.util.ClassUtils;

import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.LockStoreException;
import io.distlock.spring.definition.DeferredTypes;
import io.distlock.spring.definition.LockedMethodId;
import io.distlock.support.ForeignText;

/**
 * Runs a method on the calling thread. The thread waits for the lock, runs the body, and
 * releases the lock when the body returns.
 */
final class BlockingStyle implements CallStyle {

	private static final Logger logger = LoggerFactory.getLogger(BlockingStyle.class);

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.scheduler.NonBlocking",
			BlockingStyle.class.getClassLoader());

	/** Each method has a separate style, and logs one warning. */
	private final AtomicBoolean warned = new AtomicBoolean();

	private final AtomicBoolean warnedOfEntities = new AtomicBoolean();

	@Override
	public @Nullable Object run(LockedCall call, NoLockPolicy policy) throws Throwable {
		warnOfEventLoop(call.method().id());
		warnOfEntities(call.method().id());
		LockHandle lock;
		try {
			LockRequest request = call.request();
			LockHandle outer = NestedCalls.shared(LockContext.all(), request);
			lock = (outer != null) ? outer : call.acquire(request);
		}
		catch (LockBusyException | LockStoreException ex) {
			return policy.answer(call, (LockException) ex);
		}
		if (isLeftToTransaction(call, lock)) {
			return runInTransaction(call, lock);
		}
		try (lock; LockScopes.Scope scope = LockScopes.enter(lock)) {
			return proceed(call, lock);
		}
	}

	@Override
	public @Nullable Object fail(LockException reason) {
		throw reason;
	}

	private void warnOfEventLoop(LockedMethodId id) {
		if (REACTOR && EventLoop.isCurrent() && this.warned.compareAndSet(false, true)) {
			logger
				.warn("{} returns a plain value, so it blocks its caller, thread '{}', which must not block: an event "
						+ "loop serves no other request meanwhile. Return a Mono or Flux, or call it on another thread, "
						+ "for instance with subscribeOn(Schedulers.boundedElastic())", id.title(),
						ForeignText.nameOf(Thread.currentThread()));
		}
	}

	/** An outer method may have read the entities under the same lock. */
	private void warnOfEntities(LockedMethodId id) {
		if (!this.warnedOfEntities.get() && EarlyEntities.exist() && LockContext.all().isEmpty()
				&& this.warnedOfEntities.compareAndSet(false, true)) {
			logger
				.warn("{}: its caller has read entities before the lock, and keeps them in the persistence context of "
						+ "this thread (spring.jpa.open-in-view). Under the lock the method gets their old state, and updates "
						+ "can be lost. Read them inside of the method only, call EntityManager.refresh there, or give them "
						+ "a @Version", id.title());
		}
	}

	private static boolean isLeftToTransaction(LockedCall call, LockHandle lock) {
		OuterTransaction transactions = call.transactions();
		try {
			return transactions != null && transactions.releases(lock, call.method());
		}
		catch (RuntimeException | Error ex) {
			lock.close();
			throw ex;
		}
	}

	/** Runs the body and reports a loss at its end. The transaction releases the lock. */
	private static @Nullable Object runInTransaction(LockedCall call, LockHandle lock) throws Throwable {
		try (EndOfBody end = lock::ensureHeld; LockScopes.Scope scope = LockScopes.enter(lock)) {
			return proceed(call, lock);
		}
	}

	/** Runs the body. Throws the loss instead of an interrupt that the loss caused. */
	private static @Nullable Object proceed(LockedCall call, LockHandle lock) throws Throwable {
		try {
			return checked(call, call.proceed(lock));
		}
		catch (Throwable ex) {
			LockScopes.replaceInterrupt(lock, ex);
			throw ex;
		}
	}

	/** Checks the result, because the declared type may be as vague as {@code Object}. */
	private static @Nullable Object checked(LockedCall call, @Nullable Object result) {
		if (result != null && DeferredTypes.contains(result.getClass())) {
			throw new IllegalStateException(call.method().id().title() + ": it returned a "
					+ ClassUtils.getShortName(result.getClass()) + ", whose work may go on, but the lock was held for "
					+ "the call only. Declare the method to return that type, or return the finished result");
		}
		return result;
	}

	/** Needs Reactor on the class path. */
	private static final class EventLoop {

		static boolean isCurrent() {
			return Thread.currentThread() instanceof NonBlocking;
		}

	}

	/**
	 * A check at the end of the body. Its failure is suppressed if the body failed too.
	 */
	private interface EndOfBody extends AutoCloseable {

		@Override
		void close();

	}

}
