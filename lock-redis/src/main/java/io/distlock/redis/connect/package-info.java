/**
 * Chooses the client of a store, and keeps the verbs of a store that is started.
 */
@NullMarked
package io.distlock.redis.connect;

import org.jspecify.annotations.NullMarked;
