package io.distlock.redlock;

import io.distlock.spi.FinishResult;

/** What the answers to a finish come down to. */
final class Finish {

	private Finish() {
	}

	static boolean decided(Tally<FinishResult> tally) {
		return tally.isMajority(count(tally, FinishResult.RELEASED))
				|| tally.isMajority(count(tally, FinishResult.UNKNOWN));
	}

	/**
	 * A majority has answered, so the request holds nothing any more. Nodes without an
	 * answer are taken for nodes that held it, as nobody says otherwise.
	 */
	static FinishResult result(Tally<FinishResult> tally, int nodes) {
		int silent = nodes - tally.answers().size();
		int released = count(tally, FinishResult.RELEASED);
		int expired = count(tally, FinishResult.EXPIRED);
		if (released > 0 && tally.isMajority(released + silent)) {
			return FinishResult.RELEASED;
		}
		return (released + expired > 0 && tally.isMajority(released + expired + silent)) ? FinishResult.EXPIRED
				: FinishResult.UNKNOWN;
	}

	private static int count(Tally<FinishResult> tally, FinishResult result) {
		return tally.count((answer) -> answer == result);
	}

}
