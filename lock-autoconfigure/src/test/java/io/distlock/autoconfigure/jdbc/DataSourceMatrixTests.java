package io.distlock.autoconfigure.jdbc;

import io.distlock.autoconfigure.ConfigurationTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The matrix on PostgreSQL. */
@Tag("ci")
class DataSourceMatrixTests extends AbstractDataSourceMatrixTests {

	DataSourceMatrixTests() {
		super(MatrixDatabase.postgres());
	}

	@Test
	void thePageHasTheseWays() {
		ConfigurationTable.expect("Data source", rows());
	}

}
