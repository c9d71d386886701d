package io.distlock.lab.run;

import java.util.List;

/**
 * A time in which more callers were inside than may be. The time in which a process is
 * frozen does not count, nor does the time of a caller that was told that its lock is
 * lost and left without having written.
 *
 * @param from milliseconds since the run began
 * @param to milliseconds since the run began
 * @param callers who was inside
 */
public record Overlap(double from, double to, List<Integer> callers) {
}
