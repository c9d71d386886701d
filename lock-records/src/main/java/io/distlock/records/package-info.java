/**
 * Contains a full {@link io.distlock.spi.LockStore} on any place that keeps a small text
 * per lock and writes it only if it is still as expected. Such a place implements
 * {@link io.distlock.records.place.LockRecords}.
 * {@link io.distlock.records.RecordLockStore} makes a store of the place.
 */
@NullMarked
package io.distlock.records;

import org.jspecify.annotations.NullMarked;
