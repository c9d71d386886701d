/**
 * A real Redis server as a child process, for tests and for development.
 */
@NullMarked
package io.distlock.test.redis;

import org.jspecify.annotations.NullMarked;
