/**
 * Chooses the client of a store, and keeps the verbs of a started store.
 */
@NullMarked
package io.distlock.redis.connect;

import org.jspecify.annotations.NullMarked;
