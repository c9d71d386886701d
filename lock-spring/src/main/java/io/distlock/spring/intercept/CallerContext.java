package io.distlock.spring.intercept;

import java.util.function.BiConsumer;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

import io.distlock.LockHandle;

/**
 * Takes thread locals of a caller along to the thread that runs its body. These are the
 * thread locals whose accessors are registered with Micrometer's context propagation, if
 * that is on the class path.
 */
final class CallerContext {

	private static final boolean PROPAGATION = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			CallerContext.class.getClassLoader());

	private CallerContext() {
	}

	/**
	 * Captures the thread locals of the calling thread.
	 * @param next runs on another thread
	 * @return runs the same with the captured thread locals, and restores those of its
	 * thread
	 */
	static BiConsumer<@Nullable LockHandle, @Nullable Throwable> captured(
			BiConsumer<@Nullable LockHandle, @Nullable Throwable> next) {
		return PROPAGATION ? Snapshot.captured(next) : next;
	}

	/** Needs context propagation on the class path. */
	private static final class Snapshot {

		private static final ContextSnapshotFactory FACTORY = ContextSnapshotFactory.builder().build();

		static BiConsumer<@Nullable LockHandle, @Nullable Throwable> captured(
				BiConsumer<@Nullable LockHandle, @Nullable Throwable> next) {
			ContextSnapshot caller = FACTORY.captureAll();
			return (lock, failure) -> {
				try (ContextSnapshot.Scope scope = caller.setThreadLocals()) {
					next.accept(lock, failure);
				}
			};
		}

	}

}
