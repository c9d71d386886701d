package io.distlock.benchmark.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A few plain numbers that several processes map into their memory. */
public final class SharedMemory {

	private static final int COUNTER = 0;

	private static final int RELEASER = 64;

	private static final int RELEASED_AT = 72;

	private static final int SIZE = 128;

	private final MappedByteBuffer memory;

	/**
	 * Maps a file.
	 * @param file the file; grown if too small
	 */
	public SharedMemory(Path file) {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot map " + file, ex);
		}
	}

	/**
	 * Creates a file for it, in memory where the system offers that.
	 * @return the file
	 */
	public static Path file() {
		Path memory = Path.of("/dev/shm");
		try {
			return Files.isWritable(memory) ? Files.createTempFile(memory, "lock-benchmark-", "")
					: Files.createTempFile("lock-benchmark-", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create a file to share", ex);
		}
	}

	/** Sets everything to zero. */
	public void clear() {
		for (int i = 0; i < SIZE; i += Long.BYTES) {
			this.memory.putLong(i, 0);
		}
	}

	/**
	 * Reads the guarded number.
	 * @return the number
	 */
	public long counter() {
		return this.memory.getLong(COUNTER);
	}

	void counter(long value) {
		this.memory.putLong(COUNTER, value);
	}

	/** Who released the lock last; 0 if nobody did. */
	long releaser() {
		return this.memory.getLong(RELEASER);
	}

	long releasedAt() {
		return this.memory.getLong(RELEASED_AT);
	}

	void releasing(long releaser, long now) {
		this.memory.putLong(RELEASER, releaser);
		this.memory.putLong(RELEASED_AT, now);
	}

}
