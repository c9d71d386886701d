/**
 * Runs scripts and receives messages through Lettuce, without a thread that waits.
 */
@NullMarked
package io.distlock.redis.lettuce;

import org.jspecify.annotations.NullMarked;
