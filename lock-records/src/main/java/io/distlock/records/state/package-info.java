/**
 * The state machine of one lock, which the in-memory store and the stores on records
 * share. Not exported; nothing outside this module may use it.
 */
@NullMarked
package io.distlock.records.state;

import org.jspecify.annotations.NullMarked;
