package io.distlock.redlock;

/** The second step: whether a majority accepted a token. */
final class Raise {

	private Raise() {
	}

	static boolean decided(Tally<Boolean> tally) {
		return accepted(tally) || !tally.mayBeMajority(count(tally));
	}

	static boolean accepted(Tally<Boolean> tally) {
		return tally.isMajority(count(tally));
	}

	private static int count(Tally<Boolean> tally) {
		return tally.count((accepted) -> accepted);
	}

}
