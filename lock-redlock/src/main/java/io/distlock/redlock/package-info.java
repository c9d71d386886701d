/**
 * Keeps locks on a majority of independent Redis masters (Redlock).
 */
@NullMarked
package io.distlock.redlock;

import org.jspecify.annotations.NullMarked;
