/**
 * The store that lives in this process: reference implementation of the store contract,
 * and the store of unit tests.
 */
@NullMarked
package io.distlock.memory;

import org.jspecify.annotations.NullMarked;
