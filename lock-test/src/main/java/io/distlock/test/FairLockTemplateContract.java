package io.distlock.test;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * Tests what users of a template may also rely on if the store has a queue and keeps
 * permits.
 */
@SuppressWarnings({ "NullAway", "resource" })
public abstract class FairLockTemplateContract extends LockTemplateContract {

	@Nested
	@DisplayName("A shared lock")
	class FairReaders extends FairReaderContract {

		FairReaders() {
			super(FairLockTemplateContract.this.templates());
		}

	}

	@Nested
	@DisplayName("Permits")
	class Permits extends PermitContract {

		Permits() {
			super(FairLockTemplateContract.this.templates());
		}

	}

}
