package io.distlock.internal.observe;

import java.time.Instant;

import io.distlock.Holder;
import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each step of each lock at level debug. A loss is logged as a warning elsewhere.
 */
final class LockLog implements LockObserver {

	private static final Logger logger = LoggerFactory.getLogger(LockLog.class);

	@Override
	public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
		return logger.isDebugEnabled() ? new Steps(request) : null;
	}

	/**
	 * The steps of one acquisition.
	 *
	 * @param request what is requested
	 */
	private record Steps(LockRequest request) implements AcquisitionObserver {

		@Override
		public void waits(@Nullable Holder holder) {
			logger.debug("Lock '{}' is busy{}; held by {}{}", KeyText.of(this.request.key()), waiter(),
					(holder != null) ? holder.describe(Instant.now()) : "a holder that is not known", named());
		}

		@Override
		public void acquired(LockAcquired acquired) {
			logger.debug("{}{}", acquired.describe(), named());
		}

		@Override
		public void refused(LockRefused refused) {
			logger.debug("{}{}", refused.describe(), named());
		}

		@Override
		public void released(LockReleased released) {
			logger.debug("{}{}", released.describe(), named());
		}

		private String waiter() {
			String caller = this.request.caller();
			return caller.isEmpty() ? "" : "; " + ForeignText.of(caller) + " waits";
		}

		private String named() {
			String name = this.request.name();
			return name.isEmpty() ? "" : ", name " + ForeignText.of(name);
		}

	}

}
