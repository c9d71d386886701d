package io.distlock.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the name that a misspelt one may mean. */
public final class NearestName {

	private NearestName() {
	}

	/**
	 * Returns the candidate with the fewest letters to change, if the difference is small
	 * enough for a typing error.
	 * @param name the name that was written
	 * @param candidates the existing names
	 * @return empty if none is near
	 */
	public static Optional<String> of(String name, Collection<String> candidates) {
		int limit = Math.max(1, name.length() / 3);
		return candidates.stream()
			.filter((candidate) -> distance(name, candidate) <= limit)
			.min(Comparator.comparingInt((candidate) -> distance(name, candidate)));
	}

	/**
	 * Counts the letters to change, add, leave out or swap with the next one. Ignores
	 * upper and lower case.
	 */
	private static int distance(String left, String right) {
		int[][] rows = new int[left.length() + 1][right.length() + 1];
		for (int i = 0; i <= left.length(); i++) {
			for (int j = 0; j <= right.length(); j++) {
				if (i == 0 || j == 0) {
					rows[i][j] = i + j;
					continue;
				}
				int change = (lower(left, i) == lower(right, j)) ? 0 : 1;
				rows[i][j] = Math.min(rows[i - 1][j - 1] + change, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
				boolean swapped = i > 1 && j > 1 && lower(left, i) == lower(right, j - 1)
						&& lower(left, i - 1) == lower(right, j);
				if (swapped) {
					rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
				}
			}
		}
		return rows[left.length()][right.length()];
	}

	private static char lower(String text, int position) {
		return Character.toLowerCase(text.charAt(position - 1));
	}

}
