/**
 * Small helpers that the API, the engine, stores and integrations share: keys and
 * durations in messages, and failures of futures. The package depends on nothing.
 */
@NullMarked
package io.distlock.support;

import org.jspecify.annotations.NullMarked;
