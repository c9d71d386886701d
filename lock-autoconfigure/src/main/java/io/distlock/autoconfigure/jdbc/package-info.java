/** Wires the store in a database, on the application's {@code DataSource}. */
@NullMarked
package io.distlock.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
