/**
 * Formats keys and durations for messages. Used by the API, the engine, stores and
 * integrations; depends on nothing.
 */
@NullMarked
package io.distlock.text;

import org.jspecify.annotations.NullMarked;
