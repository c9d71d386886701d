/**
 * Contains the store inside this process: the reference implementation of the store
 * contract, and the store for unit tests.
 */
@NullMarked
package io.distlock.memory;

import org.jspecify.annotations.NullMarked;
