package io.distlock.output;

/** What {@link SourceMutantTests} breaks. */
class Sums {

	void check() {
		if (sum(1, 2) != 3 || sum(0, 0) != 0) {
			throw new IllegalStateException("Wrong");
		}
	}

	private static int sum(int first, int second) {
		// The second one comes last.
		return first
				// Here it is.
				+ second;
	}

}
