package io.distlock.autoconfigure;

import org.junit.jupiter.api.Tag;

@Tag("ci")
class H2LostUpdateTests extends AbstractLostUpdateTests {

	@Override
	protected String url() {
		return "jdbc:h2:mem:updates;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
	}

}
