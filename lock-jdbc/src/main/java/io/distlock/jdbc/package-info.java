/**
 * Locks in one table of a relational database: PostgreSQL, MySQL, MariaDB or H2.
 * {@link io.distlock.jdbc.JdbcLockStore} makes the store.
 */
@NullMarked
package io.distlock.jdbc;

import org.jspecify.annotations.NullMarked;
