package io.distlock.autoconfigure.jdbc;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

import io.distlock.autoconfigure.StoreCheck;

/**
 * Configuration of stores in a database.
 *
 * @param table The table, a plain name, with a schema before it or not.
 * @param keyPrefix What the names of all locks begin with, for several applications on
 * one table; printable ASCII, at most 50 characters.
 * @param initializeSchema Whether to create the table at startup if it is missing:
 * always, only in an embedded database, or never.
 * @param notifications Whether processes notify each other of hand-overs on PostgreSQL,
 * with one connection more; without, waiters poll. Has to be off behind a pooler that
 * gives each transaction another connection.
 * @param commitCheck Whether a transaction in the database of the locks commits only
 * while the rows of its locks say that they are held, and keeps them so until it has
 * committed.
 * @param startupCheck What to do at startup when the database cannot keep locks. A
 * database that does not answer only causes a warning.
 */
@ConfigurationProperties("distributed-lock.jdbc")
record JdbcLockProperties(@DefaultValue("distributed_lock") String table, @DefaultValue("") String keyPrefix,
		@DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
		@DefaultValue("true") boolean notifications, @DefaultValue("false") boolean commitCheck,
		@DefaultValue("fail") StoreCheck.Mode startupCheck) {

	static final String GROUP = "jdbc";

}
