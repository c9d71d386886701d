package io.distlock.lab.run;

import java.util.List;

/**
 * A time in which more callers were inside than may be. The time in which a process is
 * frozen does not count.
 *
 * @param from milliseconds since the run began
 * @param to milliseconds since the run began
 * @param callers who was inside
 */
public record Overlap(double from, double to, List<Integer> callers) {
}
