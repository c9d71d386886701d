/**
 * A process that is frozen while it holds the lock, and refused when it wakes up.
 */
@NullMarked
package io.distlock.lab.fencing;

import org.jspecify.annotations.NullMarked;
