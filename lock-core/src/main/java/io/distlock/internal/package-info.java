/**
 * The engine: local queue, holds, renewal. Not exported; nothing outside this module may
 * use it.
 */
@NullMarked
package io.distlock.internal;

import org.jspecify.annotations.NullMarked;
