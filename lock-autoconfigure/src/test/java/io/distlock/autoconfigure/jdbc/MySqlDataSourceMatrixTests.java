package io.distlock.autoconfigure.jdbc;

import io.distlock.databases.NeedsMySql;

/** The matrix on MySQL 8. */
@NeedsMySql
class MySqlDataSourceMatrixTests extends AbstractDataSourceMatrixTests {

	MySqlDataSourceMatrixTests() {
		super(MatrixDatabase.mySql());
	}

}
