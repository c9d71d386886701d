/**
 * Configures the lock provider of ShedLock.
 */
@NullMarked
package io.distlock.autoconfigure.shedlock;

import org.jspecify.annotations.NullMarked;
