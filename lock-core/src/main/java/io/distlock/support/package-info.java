/**
 * Small helpers that the API, the engine, stores and integrations share: keys, durations
 * and foreign text in messages, names that were meant, and failures of futures. The
 * package depends on nothing.
 */
@NullMarked
package io.distlock.support;

import org.jspecify.annotations.NullMarked;
