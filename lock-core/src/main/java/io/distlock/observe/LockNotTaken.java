package io.distlock.observe;

import io.distlock.support.ForeignText;

/**
 * Reports that a call of an annotated method has no lock and does not fail: the method
 * runs without it, or the call is skipped.
 *
 * @param name what groups the locks
 * @param caller the method
 * @param reason why
 */
public record LockNotTaken(String name, String caller, Reason reason) {

	/**
	 * Describes it in one sentence for a message.
	 * @return for instance
	 * {@code Lock stock is not taken by StockService.sell: it is switched off}
	 */
	public String describe() {
		return "Lock " + ForeignText.of(this.name) + " is not taken by " + ForeignText.of(this.caller) + ": "
				+ this.reason.clause;
	}

	@Override
	public String toString() {
		return "LockNotTaken[name=" + ForeignText.of(this.name) + ", caller=" + ForeignText.of(this.caller)
				+ ", reason=" + this.reason + "]";
	}

	/** Why a call has no lock. */
	public enum Reason {

		/**
		 * The configuration switches the lock off: the store is not asked, and the method
		 * runs.
		 */
		SWITCHED_OFF("it is switched off"),

		/** The condition of the method gave {@code false}: the same. */
		CONDITION("its condition is false"),

		/**
		 * The store could not answer: the method runs, with
		 * {@code onStoreFailure = RUN_WITHOUT_LOCK}.
		 */
		STORE_FAILURE("the store could not answer"),

		/** Others hold it: the method does not run, with {@code onBusy = SKIP}. */
		BUSY("it is busy, and the call is skipped");

		private final String clause;

		Reason(String clause) {
			this.clause = clause;
		}

	}

}
