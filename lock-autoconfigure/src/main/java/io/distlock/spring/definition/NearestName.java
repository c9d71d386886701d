package io.distlock.spring.definition;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the name that a misspelt one may mean. */
final class NearestName {

	private NearestName() {
	}

	/**
	 * The candidate with the fewest letters to change, if they are few enough to be a
	 * slip.
	 * @param name what was written
	 * @param candidates what there is
	 * @return empty if none is near
	 */
	static Optional<String> of(String name, Collection<String> candidates) {
		int limit = Math.max(1, name.length() / 3);
		return candidates.stream()
			.filter((candidate) -> distance(name, candidate) <= limit)
			.min(Comparator.comparingInt((candidate) -> distance(name, candidate)));
	}

	/** Levenshtein's, not counting upper and lower case. */
	private static int distance(String left, String right) {
		int[] above = new int[right.length() + 1];
		for (int j = 0; j <= right.length(); j++) {
			above[j] = j;
		}
		for (int i = 1; i <= left.length(); i++) {
			int[] row = new int[right.length() + 1];
			row[0] = i;
			for (int j = 1; j <= right.length(); j++) {
				int change = (lower(left, i) == lower(right, j)) ? 0 : 1;
				row[j] = Math.min(above[j - 1] + change, 1 + Math.min(above[j], row[j - 1]));
			}
			above = row;
		}
		return above[right.length()];
	}

	private static char lower(String text, int position) {
		return Character.toLowerCase(text.charAt(position - 1));
	}

}
