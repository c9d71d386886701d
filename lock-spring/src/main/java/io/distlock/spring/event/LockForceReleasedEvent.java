package io.distlock.spring.event;

import io.distlock.operations.ForcedRelease;

/**
 * Reports that a lock was released by force through the {@code LockOperations} bean of
 * this process. Published on the thread that did it.
 *
 * @param release whose holds were ended, by whom and why
 */
public record LockForceReleasedEvent(ForcedRelease release) {
}
