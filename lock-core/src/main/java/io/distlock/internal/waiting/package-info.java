/**
 * The callers that wait for a key, with a thread or without one, and the queue in which
 * they wait.
 */
@NullMarked
package io.distlock.internal.waiting;

import org.jspecify.annotations.NullMarked;
