/** Wires the store in a database, on the {@code DataSource} that the application has. */
@NullMarked
package io.distlock.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
