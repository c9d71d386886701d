/**
 * Starts a Redis for this process when none is configured.
 */
@NullMarked
package io.distlock.sample.redis;

import org.jspecify.annotations.NullMarked;
