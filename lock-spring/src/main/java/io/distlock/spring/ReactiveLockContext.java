package io.distlock.spring;

import java.util.List;

import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;

/**
 * Gives access to the lock that protects the running subscription, as {@link LockContext}
 * does for threads. It serves methods with {@link io.distlock.DistributedLock} that
 * return a reactive type or are Kotlin {@code suspend} functions. The lock travels with
 * the Reactor context, whichever threads do the work.
 */
public final class ReactiveLockContext {

	private ReactiveLockContext() {
	}

	/**
	 * Returns the innermost lock of the running subscription.
	 * @return the handle, which combines all locks if the method has several; empty
	 * outside of annotated methods
	 */
	public static Mono<LockHandle> current() {
		return Mono.deferContextual((context) -> Mono.justOrEmpty(entered(context).stream().findFirst()));
	}

	/**
	 * Returns all locks of the running subscription and of those around it. If a method
	 * has several locks, the list contains each of them.
	 * @return innermost first; an empty list outside of annotated methods
	 */
	public static Mono<List<LockHandle>> all() {
		return Mono.deferContextual(
				(context) -> Mono.just(entered(context).stream().flatMap((lock) -> lock.parts().stream()).toList()));
	}

	/**
	 * Fails unless all these locks are held. Call it before a step that must not run
	 * without the locks.
	 * @return empty if all locks are held; fails with {@link LockLostException} otherwise
	 */
	public static Mono<Void> ensureHeld() {
		return all().doOnNext((locks) -> locks.forEach(LockHandle::ensureHeld)).then();
	}

	private static List<LockHandle> entered(ContextView context) {
		return context.getOrDefault(ReactiveLockContext.class, List.of());
	}

}
