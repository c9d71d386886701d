package io.distlock.lab.run;

/**
 * A run at one moment.
 *
 * @param at milliseconds since the run began
 * @param items how many items there were
 * @param stock what the shared number says now
 * @param sold sales that nodes wrote down
 * @param oversold sales by which the stock did not go down
 * @param doubles sales of an item that was sold before
 * @param perSecond sales in the last second
 * @param waiting how long customers waited
 * @param redisCommandsPerSale commands that Redis ran, those of scripts included
 * @param retries attempts that found the lock busy
 * @param conflicts attempts that found another one faster
 * @param failures attempts that failed
 * @param inside callers inside now
 * @param callersLeft callers that still want to buy
 */
public record Progress(long at, int items, int stock, int sold, int oversold, int doubles, int perSecond,
		Waiting waiting, double redisCommandsPerSale, long retries, long conflicts, long failures, int inside,
		int callersLeft) {
}
