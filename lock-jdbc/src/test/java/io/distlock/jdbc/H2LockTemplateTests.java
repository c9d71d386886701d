package io.distlock.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class H2LockTemplateTests extends DatabaseContracts.Template {

	H2LockTemplateTests() {
		super(TestDatabase::h2);
	}

}
