package io.distlock.reliability.rig;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What a worker did, a line for each event. A line is one write to the kernel: those
 * written before a {@code kill -9} are there after it.
 */
final class Journal {

	private final FileOutputStream file;

	Journal(Path directory, int worker) throws IOException {
		this.file = new FileOutputStream(file(directory, worker).toFile(), true);
	}

	static Path file(Path directory, int worker) {
		return directory.resolve("journal-" + worker);
	}

	void write(char event, Object... words) {
		StringBuilder line = new StringBuilder(100).append(event);
		for (Object word : words) {
			line.append(' ').append(word);
		}
		byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
		try {
			synchronized (this) {
				this.file.write(bytes);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
