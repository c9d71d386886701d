/**
 * The lease that the store keeps for a key: its end, its renewals and their terms, and
 * the hand-offs that it allows within this process.
 */
@NullMarked
package io.distlock.internal.lease;

import org.jspecify.annotations.NullMarked;
