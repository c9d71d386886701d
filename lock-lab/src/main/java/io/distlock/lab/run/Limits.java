package io.distlock.lab.run;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.distlock.lab.run.RunRequest.Problem;

/**
 * How large a run may be.
 *
 * @param nodes processes
 * @param callers customers at the same time
 * @param items items
 * @param insideMillis how long a customer works
 */
public record Limits(Range nodes, Range callers, Range items, Range insideMillis) {

	/** The limits of this lab. */
	public static final Limits ALL = new Limits(new Range(1, 4, 2), new Range(1, 5000, 64), new Range(1, 10_000, 500),
			new Range(0, 100, 5));

	/**
	 * A range with a proposal.
	 *
	 * @param min the least
	 * @param max the most
	 * @param proposed the default
	 */
	public record Range(int min, int max, @JsonProperty("default") int proposed) {

		void check(String field, int value, List<Problem> problems) {
			if (value < this.min || value > this.max) {
				problems.add(new Problem(field, "Must be between " + this.min + " and " + this.max + ", was " + value,
						"range", Map.of("min", this.min, "max", this.max)));
			}
		}

	}

}
