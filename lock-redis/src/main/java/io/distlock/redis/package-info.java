/**
 * Keeps locks in Redis, through the application's Spring Data connection factory.
 */
@NullMarked
package io.distlock.redis;

import org.jspecify.annotations.NullMarked;
