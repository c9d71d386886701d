/**
 * What happens to locks, step by step: for meters, traces, logs and the application's own
 * listeners.
 */
@NullMarked
package io.distlock.observe;

import org.jspecify.annotations.NullMarked;
