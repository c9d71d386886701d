/**
 * Several stores in one application: which lock is kept where, and locks that move from
 * one store to another without a gap.
 */
@NullMarked
package io.distlock.stores;

import org.jspecify.annotations.NullMarked;
