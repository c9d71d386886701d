/**
 * For places of records: their contract, and a place in memory whose clients suffer
 * faults.
 */
@NullMarked
package io.distlock.test.records;

import org.jspecify.annotations.NullMarked;
