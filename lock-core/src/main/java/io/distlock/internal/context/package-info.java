/**
 * What all keys of one engine share: its parts and settings, the threads of callbacks and
 * the texts of exceptions.
 */
@NullMarked
package io.distlock.internal.context;

import org.jspecify.annotations.NullMarked;
