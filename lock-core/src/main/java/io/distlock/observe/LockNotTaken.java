package io.distlock.observe;

import io.distlock.support.ForeignText;

/**
 * Reports that an annotated method runs without its lock: the lock is switched off, or
 * the condition of the annotation is false. The store is not asked, and the key of the
 * lock is not evaluated. With {@code onBusy = SKIP}, in contrast, the method does not
 * run.
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

	/** Why a call takes no lock. */
	public enum Reason {

		/** The configuration switches the lock off. */
		SWITCHED_OFF("it is switched off"),

		/** The condition of the method gave {@code false}. */
		CONDITION("its condition is false");

		private final String clause;

		Reason(String clause) {
			this.clause = clause;
		}

	}

}
