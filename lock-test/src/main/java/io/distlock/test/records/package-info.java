/** The contract of places of records. */
@NullMarked
package io.distlock.test.records;

import org.jspecify.annotations.NullMarked;
