/**
 * What the callers over HTTP see when a lock is busy, lost or cannot be asked for.
 */
@NullMarked
package io.distlock.sample.web;

import org.jspecify.annotations.NullMarked;
