/**
 * The engine: what users' calls reach first, the table of keys, the housekeeping thread
 * and the shutdown. Not exported; nothing outside this module may use it.
 */
@NullMarked
package io.distlock.internal;

import org.jspecify.annotations.NullMarked;
