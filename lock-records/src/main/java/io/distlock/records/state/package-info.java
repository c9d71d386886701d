/**
 * Contains the state machine of one lock, which the in-memory store and the stores on
 * records share. The module does not export this package, and no code outside the module
 * may use it.
 */
@NullMarked
package io.distlock.records.state;

import org.jspecify.annotations.NullMarked;
