/**
 * Reports what happens to locks, step by step, to meters, traces, logs and listeners of
 * the application.
 */
@NullMarked
package io.distlock.observe;

import org.jspecify.annotations.NullMarked;
