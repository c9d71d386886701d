package io.distlock.benchmark.load;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/** Histograms of nanoseconds, and how they travel between processes. */
public final class Waits {

	private static final long LONGEST = TimeUnit.MINUTES.toNanos(5);

	private Waits() {
	}

	/**
	 * Creates an empty histogram.
	 * @return up to five minutes, exact to 0.1 %
	 */
	public static Histogram histogram() {
		return new Histogram(LONGEST, 3);
	}

	/**
	 * Records a time.
	 * @param histogram where
	 * @param nanos the time; clocks of two processors may make it a little negative
	 */
	public static void record(Histogram histogram, long nanos) {
		histogram.recordValue(Math.max(0, Math.min(nanos, LONGEST)));
	}

	static String encode(Histogram histogram) {
		ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
		int length = histogram.encodeIntoCompressedByteBuffer(buffer);
		byte[] bytes = new byte[length];
		buffer.rewind();
		buffer.get(bytes);
		return Base64.getEncoder().encodeToString(bytes);
	}

	static Histogram decode(String text) {
		try {
			return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
		}
		catch (DataFormatException ex) {
			throw new IllegalArgumentException("Not a histogram: " + text, ex);
		}
	}

}
