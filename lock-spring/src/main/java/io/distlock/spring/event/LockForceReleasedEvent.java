package io.distlock.spring.event;

import io.distlock.operations.ForcedRelease;

/**
 * Reports that a lock was released by force through the {@code LockOperations} bean of
 * this process. It is published on the thread that released the lock.
 *
 * @param release the release, with the former holders, the operator and the reason
 */
public record LockForceReleasedEvent(ForcedRelease release) {
}
