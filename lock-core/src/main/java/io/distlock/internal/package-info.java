/**
 * The engine: the entry points for the calls of users, the table of keys, the
 * housekeeping thread and the shutdown. This package is not exported, and code outside
 * this module must not use it.
 */
@NullMarked
package io.distlock.internal;

import org.jspecify.annotations.NullMarked;
