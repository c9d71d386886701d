package io.distlock.test;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * What a user of the template may rely on besides, on every store that has a queue and
 * keeps permits.
 */
@SuppressWarnings({ "NullAway", "resource" })
public abstract class FairLockTemplateContract extends LockTemplateContract {

	@Nested
	@DisplayName("A shared lock")
	class FairReaders extends FairReaderTests {

		@Override
		CloseableLockTemplate template() {
			return FairLockTemplateContract.this.template();
		}

		@Override
		LockRequest request() {
			return FairLockTemplateContract.this.request();
		}

	}

	@Nested
	@DisplayName("Permits")
	class Permits extends PermitTests {

		@Override
		CloseableLockTemplate template() {
			return FairLockTemplateContract.this.template();
		}

		@Override
		CloseableLockTemplate template(LockSettings settings) {
			return FairLockTemplateContract.this.template(settings);
		}

		@Override
		LockRequest request() {
			return FairLockTemplateContract.this.request();
		}

	}

}
