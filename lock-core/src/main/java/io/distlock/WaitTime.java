package io.distlock;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * How long a caller waits.
 *
 * @param asked what it asked for, or {@code null} for the template's default
 * @param limit what it may take at the most, or {@code null} for no limit
 * @param reason what sets the limit, as messages say it
 */
record WaitTime(@Nullable Duration asked, @Nullable Duration limit, String reason) {

	static final WaitTime DEFAULT = new WaitTime(null, null, "");

	WaitTime ask(Duration asked) {
		return new WaitTime(asked, this.limit, this.reason);
	}

	/** The shortest limit counts. */
	WaitTime limit(Duration limit, String reason) {
		return (this.limit != null && this.limit.compareTo(limit) <= 0) ? this
				: new WaitTime(this.asked, limit, reason);
	}

	Duration or(Duration defaultTime) {
		Duration wanted = wanted(defaultTime);
		return (this.limit != null && this.limit.compareTo(wanted) < 0) ? this.limit : wanted;
	}

	/** What set the limit, if that is what counts. */
	Optional<String> limitedBy(Duration defaultTime) {
		return or(defaultTime).equals(wanted(defaultTime)) ? Optional.empty() : Optional.of(this.reason);
	}

	private Duration wanted(Duration defaultTime) {
		return (this.asked != null) ? this.asked : defaultTime;
	}

}
