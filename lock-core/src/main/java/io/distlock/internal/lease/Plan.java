package io.distlock.internal.lease;

import java.time.Duration;

import io.distlock.internal.time.LeaseTerm;

/** Says which term the renewals of a lease request. */
sealed interface Plan {

	/** Returns the term that the owners want. */
	LeaseTerm term();

	/**
	 * Returns the term that a renewal requests.
	 * @param rest what is left of the lease, in nanoseconds
	 */
	default LeaseTerm requested(long rest) {
		return term();
	}

	/** Returns the plan after the store has granted what was requested. */
	default Plan granted() {
		return this;
	}

	/** Returns the plan after the store has refused what was requested. */
	default Plan refused() {
		return this;
	}

	/** Returns the usual plan for a term that the store has granted. */
	static Plan of(LeaseTerm term) {
		return term.renewed() ? new Renewed(term) : new Fixed(term);
	}

	/** Renewals keep the lease for as long as it has an owner. */
	record Renewed(LeaseTerm term) implements Plan {
	}

	/** The lease ends by itself, so nothing is asked for. */
	record Fixed(LeaseTerm term) implements Plan {
	}

	/**
	 * Renewals ask for another term, which the store has not granted yet. They may still
	 * do so after all callers that wanted the term have given up.
	 *
	 * @param term the term
	 * @param before the plan that goes on if the store refuses the term
	 */
	record Lengthening(LeaseTerm term, Plan before) implements Plan {

		@Override
		public Plan granted() {
			return of(this.term);
		}

		@Override
		public Plan refused() {
			return this.before;
		}

	}

	/**
	 * The store may not know a fixed lease any more. Renewals ask for the rest of the
	 * lease, so it keeps its end.
	 *
	 * @param fixed the lease
	 */
	record Doubt(Fixed fixed) implements Plan {

		@Override
		public LeaseTerm term() {
			return this.fixed.term();
		}

		@Override
		public LeaseTerm requested(long rest) {
			return new LeaseTerm(Duration.ofNanos(rest), false);
		}

		@Override
		public Plan granted() {
			return this.fixed;
		}

		@Override
		public Plan refused() {
			return this.fixed;
		}

	}

}
