package io.distlock.jdbc;

class PostgresLockTemplateTests extends DatabaseContracts.Template {

	PostgresLockTemplateTests() {
		super(() -> TestDatabase.postgres("TRANSACTION_READ_COMMITTED"));
	}

}
