/**
 * Small helpers that the API, the engine, stores and integrations share: keys, durations
 * and foreign text in messages, the name that a misspelt one may mean, and failures of
 * futures. The package depends on nothing.
 */
@NullMarked
package io.distlock.support;

import org.jspecify.annotations.NullMarked;
