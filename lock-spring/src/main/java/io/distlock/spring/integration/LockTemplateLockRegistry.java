package io.distlock.spring.integration;

import java.util.concurrent.locks.Lock;

import io.distlock.LockRequest;
import io.distlock.LockTemplate;

import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * The lock registry of Spring Integration on a {@link LockTemplate}. The lock of key
 * {@code 42} in the registry {@code orders} is the lock {@code orders:42} of the
 * template. Such a lock is owned by its thread, reentrant, and renewed while it is held.
 * <p>
 * {@code unlock()} throws {@link io.distlock.LockLostException} if the lock was lost, and
 * {@link IllegalMonitorStateException} if the calling thread does not hold it. Any method
 * throws {@link io.distlock.LockStoreException} if the store cannot answer. So
 * {@code tryLock()} returns {@code false} only if the lock is busy.
 * <p>
 * With Spring Integration 7 each lock is a {@code DistributedLock}, which also takes a
 * time to live: a fixed lease, which is not renewed. The registry can be injected as
 * {@code LockRegistry<DistributedLock>}. It names no type argument, because the type has
 * none in Spring Integration 6.
 */
@SuppressWarnings("rawtypes")
public final class LockTemplateLockRegistry implements LockRegistry {

	private static final boolean TIMED = ClassUtils.isPresent(
			"org.springframework.integration.support.locks.DistributedLock",
			LockTemplateLockRegistry.class.getClassLoader());

	private final LockTemplate locks;

	private final String name;

	private final HeldLocks held = new HeldLocks();

	/**
	 * Creates a registry.
	 * @param locks acquires the locks
	 * @param name the name of all its locks, for instance {@code integration}; registries
	 * with different names have different locks
	 */
	public LockTemplateLockRegistry(LockTemplate locks, String name) {
		Assert.hasText(name, "The name of a lock registry must not be blank");
		this.locks = locks;
		this.name = name;
	}

	/**
	 * Returns the lock of a key. All locks of one key are equal and interchangeable. This
	 * method is cheap and does not block.
	 * @param key the key, a text that is not blank
	 * @return the lock
	 * @throws IllegalArgumentException if the key is no text, because the text of another
	 * object may differ from process to process
	 */
	@Override
	public Lock obtain(Object key) {
		Assert.isTrue(key instanceof String text && !text.isBlank(),
				() -> "The key of a lock of registry '" + this.name + "' must be a String that is not blank, was "
						+ ((key != null) ? "a " + key.getClass().getTypeName() : "null"));
		LockRequest request = LockRequest.of(String.join(":", this.name, (String) key)).named(this.name);
		return TIMED ? new TimedLock(request, this.locks, this.held) : new ThreadLock(request, this.locks, this.held);
	}

	@Override
	public String toString() {
		return "LockTemplateLockRegistry[" + this.name + "]";
	}

}
