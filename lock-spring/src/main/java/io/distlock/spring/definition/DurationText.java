package io.distlock.spring.definition;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads durations as Spring does: {@code 3s}, {@code 1m30s} and {@code PT3S}. The parser
 * of Spring Framework exists since version 6.2 only.
 */
final class DurationText {

	private static final List<ChronoUnit> UNITS = List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES,
			ChronoUnit.SECONDS, ChronoUnit.MILLIS, ChronoUnit.MICROS, ChronoUnit.NANOS);

	/** A number for each unit, in the order of the units. */
	private static final Pattern PARTS = Pattern.compile("([+-]?)(?:(\\d{1,18})d)?(?:(\\d{1,18})h)?"
			+ "(?:(\\d{1,18})m)?(?:(\\d{1,18})s)?(?:(\\d{1,18})ms)?(?:(\\d{1,18})us)?(?:(\\d{1,18})ns)?");

	/** The one number that means the same in each unit. */
	private static final Pattern ZERO = Pattern.compile("[+-]?0+");

	private DurationText() {
	}

	/**
	 * Reads a duration.
	 * @param text has at least one character
	 * @return the duration, or nothing if the text is none
	 */
	static Optional<Duration> parse(String text) {
		String stripped = text.strip().toLowerCase(Locale.ROOT);
		try {
			return stripped.matches("[+-]?p.*") ? Optional.of(Duration.parse(stripped)) : parts(stripped);
		}
		catch (DateTimeException | ArithmeticException ex) {
			return Optional.empty();
		}
	}

	private static Optional<Duration> parts(String text) {
		if (ZERO.matcher(text).matches()) {
			return Optional.of(Duration.ZERO);
		}
		Matcher parts = PARTS.matcher(text);
		if (!parts.matches() || text.length() == parts.end(1)) {
			return Optional.empty();
		}
		Duration sum = Duration.ZERO;
		for (int i = 0; i < UNITS.size(); i++) {
			String number = parts.group(i + 2);
			if (number != null) {
				sum = sum.plus(Duration.of(Long.parseLong(number), UNITS.get(i)));
			}
		}
		return Optional.of(parts.group(1).equals("-") ? sum.negated() : sum);
	}

}
