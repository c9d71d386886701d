package io.distlock.autoconfigure.jdbc;

import io.distlock.databases.NeedsMariaDb;

/** The matrix on MariaDB. */
@NeedsMariaDb
class MariaDbDataSourceMatrixTests extends AbstractDataSourceMatrixTests {

	MariaDbDataSourceMatrixTests() {
		super(MatrixDatabase.mariaDb());
	}

}
