package io.distlock.lab.run;

import java.util.List;

import io.distlock.lab.strategy.Text;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run.
 *
 * @param at milliseconds since the run began
 * @param outcome what came of it in a word
 * @param expected what such a run leads to
 * @param oversold sales by which the stock did not go down
 * @param doubles sales of an item that was sold before
 * @param overlaps sections that began while too many were inside
 * @param longestOverlapMillis the longest time with too many inside
 * @param overlapFrom when that began, {@code null} if there was none
 * @param overlapTo when that ended, {@code null} if there was none
 * @param lost items that left the stock and were not sold
 * @param stuck whether no caller could go on
 * @param broken callers that broke down
 * @param fencedWrites writes with an old token that were refused
 * @param sentence all of this in a sentence
 * @param story numbers of the notes that explain it, at most five, in order of time
 * @param sold sales
 * @param left what the shared number says at the end
 * @param seconds from the first to the last event
 * @param perSecond sales per second
 * @param waiting how long customers waited
 * @param redisCommandsPerSale commands that Redis ran, those of scripts included
 * @param retries attempts that found the lock busy
 * @param conflicts attempts that found another one faster
 * @param failures attempts that failed
 */
public record Verdict(long at, Outcome outcome, Expectation expected, int oversold, int doubles, int overlaps,
		double longestOverlapMillis, @Nullable Double overlapFrom, @Nullable Double overlapTo, int lost, boolean stuck,
		int broken, int fencedWrites, Text sentence, List<Integer> story, int sold, int left, double seconds,
		double perSecond, Waiting waiting, double redisCommandsPerSale, long retries, long conflicts, long failures) {

	/**
	 * Says whether all items were sold once.
	 * @return whether nothing went wrong
	 */
	public boolean exact() {
		return this.outcome == Outcome.EXACT;
	}

}
