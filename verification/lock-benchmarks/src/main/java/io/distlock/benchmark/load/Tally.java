package io.distlock.benchmark.load;

import org.HdrHistogram.Histogram;

/**
 * What a crew did.
 *
 * @param measured acquisitions while measured
 * @param watched acquisitions while watched
 * @param total acquisitions in all
 * @param least measured acquisitions of the thread that had the fewest
 * @param most measured acquisitions of the thread that had the most
 * @param waits from asking for the lock to having it
 */
public record Tally(long measured, long watched, long total, long least, long most, Histogram waits) {

}
