package io.distlock.lab.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The time that a caller was inside.
 *
 * @param node the node
 * @param caller number of the caller
 * @param from milliseconds since the run began
 * @param to milliseconds since the run began
 * @param overlap whether more were inside than may be; {@link Overlap} says when
 * @param frozenFrom when its process was frozen meanwhile, or {@code null}
 * @param frozenTo when its process went on, or {@code null}
 * @param end {@code left}, {@code gave-up} without having written, or {@code killed}
 * @param token its fencing token, or {@code null}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Section(String node, int caller, double from, double to, boolean overlap, @Nullable Double frozenFrom,
		@Nullable Double frozenTo, String end, @Nullable String token) {
}
