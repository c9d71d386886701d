package io.distlock.benchmark.report;

import java.util.Comparator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Orders parts of scenarios as a reader would. */
final class PartOrder {

	private static final Pattern PART = Pattern.compile("([A-Z]+)(\\d*)(.*)");

	static final Comparator<String> BY_NUMBER = Comparator.comparing((String part) -> match(part).group(1))
		.thenComparing((part) -> number(match(part).group(2)))
		.thenComparing((part) -> match(part).group(3));

	private PartOrder() {
	}

	private static MatchResult match(String part) {
		return PART.matcher(part)
			.results()
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("A part of a scenario begins with a letter, not " + part));
	}

	private static int number(String digits) {
		return digits.isEmpty() ? 0 : Integer.parseInt(digits);
	}

}
