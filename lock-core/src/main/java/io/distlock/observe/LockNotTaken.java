package io.distlock.observe;

import io.distlock.support.ForeignText;

/**
 * Reports that a call of an annotated method has no lock and does not fail. The method
 * runs without the lock, or the call is skipped.
 *
 * @param name the name of the group of locks
 * @param caller the method
 * @param reason why
 */
public record LockNotTaken(String name, String caller, Reason reason) {

	/**
	 * Describes the call in one sentence for a message.
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

	/** Says why a call has no lock. */
	public enum Reason {

		/**
		 * The configuration switches the lock off. The engine does not ask the store, and
		 * the method runs.
		 */
		SWITCHED_OFF("it is switched off"),

		/**
		 * The condition of the method gave {@code false}. The engine does not ask the
		 * store, and the method runs.
		 */
		CONDITION("its condition is false"),

		/**
		 * The store could not answer. The method runs because of
		 * {@code onStoreFailure = RUN_WITHOUT_LOCK}.
		 */
		STORE_FAILURE("the store could not answer"),

		/**
		 * Other owners hold the lock. The method does not run because of
		 * {@code onBusy = SKIP}.
		 */
		BUSY("it is busy, and the call is skipped");

		private final String clause;

		Reason(String clause) {
			this.clause = clause;
		}

	}

}
