package io.distlock.spring;

import java.util.List;

import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;

/**
 * The lock that protects the running subscription, for methods with
 * {@link io.distlock.DistributedLock} that return a reactive type and for Kotlin
 * {@code suspend} functions with it: what {@link LockContext} is for threads. It travels
 * with the Reactor context, whichever threads the work is done on.
 */
public final class ReactiveLockContext {

	private ReactiveLockContext() {
	}

	/**
	 * The innermost lock of the running subscription.
	 * @return one handle of all if its method has several locks; empty outside of
	 * annotated methods
	 */
	public static Mono<LockHandle> current() {
		return Mono.deferContextual((context) -> Mono.justOrEmpty(entered(context).stream().findFirst()));
	}

	/**
	 * All locks of the running subscription and of those around it. Where a method has
	 * several, each of them.
	 * @return innermost first; an empty list outside of annotated methods
	 */
	public static Mono<List<LockHandle>> all() {
		return Mono.deferContextual(
				(context) -> Mono.just(entered(context).stream().flatMap((lock) -> lock.parts().stream()).toList()));
	}

	/**
	 * Fails unless all these locks are held. Put it in front of a step that must not
	 * happen without them.
	 * @return empty if they are held; fails with {@link LockLostException} otherwise
	 */
	public static Mono<Void> ensureHeld() {
		return all().doOnNext((locks) -> locks.forEach(LockHandle::ensureHeld)).then();
	}

	private static List<LockHandle> entered(ContextView context) {
		return context.getOrDefault(ReactiveLockContext.class, List.of());
	}

}
