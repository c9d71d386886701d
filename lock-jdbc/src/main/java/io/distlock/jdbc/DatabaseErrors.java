package io.distlock.jdbc;

import java.sql.SQLException;
import java.util.Optional;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;

/** Describes errors of a database in sentences that name the table and what to do. */
final class DatabaseErrors {

	private final DatabaseName name;

	private final String table;

	DatabaseErrors(DatabaseName name) {
		this.name = name;
		this.table = name.table();
	}

	/**
	 * Returns the exception for a caller; it is transient if repeating the command may
	 * help.
	 */
	LockStoreException exception(SQLException failure, Optional<Dialect> dialect) {
		String sentence = sentence(failure, dialect);
		return switch (SqlFailure.of(failure)) {
			case RACE, LOCKED, UNAVAILABLE, READ_ONLY, FULL -> new TransientStoreException("", sentence, failure);
			default -> new LockStoreException("", sentence, failure);
		};
	}

	/** Says what happened, and what to do. */
	String sentence(SQLException failure, Optional<Dialect> dialect) {
		return switch (SqlFailure.of(failure)) {
			case NO_TABLE -> "The table " + this.table + " of locks is missing: run " + file(dialect)
					+ " of lock-jdbc, or set distributed-lock.jdbc.initialize-schema=always";
			case OTHER_TABLE ->
				"The table " + this.table + " is not as " + file(dialect) + " of lock-jdbc defines it: compare the two";
			case NO_RIGHT ->
				"The user of the database lacks a right: grant SELECT, INSERT, UPDATE and DELETE on " + this.table;
			case NO_LOGIN -> "The database refused the user of table " + this.table
					+ " or its password: check spring.datasource.username and spring.datasource.password";
			case FULL -> "The database has no connection left for the locks of table " + this.table
					+ ": they need a few beside the application's pool, so allow its user more, or give that pool fewer,"
					+ " for instance by spring.datasource.hikari.maximum-pool-size";
			case NO_SPACE -> "The database has no disk space left for the locks of table " + this.table;
			case TOO_LONG -> "A lock does not fit into its row of " + this.table
					+ ": too many hold it or wait for it, or a column is shorter than in " + file(dialect);
			case POOLED -> "The pooler before table " + this.table
					+ " gives each statement another connection: add prepareThreshold=0 to the URL of the database";
			case READ_ONLY -> "The server of table " + this.table
					+ " takes no writes, it may be a replica: locks need the address of the primary,"
					+ " for instance in spring.datasource.url";
			case NO_DATABASE ->
				"The database of table " + this.table + " does not exist: create it, or check spring.datasource.url";
			case FATAL, DUPLICATE -> "The database refused a statement on table " + this.table;
			case LOCKED ->
				"A row of table " + this.table + ", or all of it, is locked by a transaction that has not ended";
			case RACE, UNAVAILABLE -> "The database of table " + this.table + " did not answer";
		} + ": " + said(failure) + this.name.suffix();
	}

	private static String file(Optional<Dialect> dialect) {
		return "io/distlock/jdbc/schema-" + dialect.map(Dialect::platform).orElse("<database>") + ".sql";
	}

	/**
	 * Returns the pool's message, and the driver's message that explains it if there is
	 * one.
	 */
	private static String said(SQLException failure) {
		String said = ForeignText.messageOf(failure);
		return (failure.getCause() instanceof SQLException cause) ? said + ": " + ForeignText.messageOf(cause) : said;
	}

}
