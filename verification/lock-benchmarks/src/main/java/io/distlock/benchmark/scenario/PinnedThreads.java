package io.distlock.benchmark.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** Counts how often a virtual thread kept its carrier while it parked. */
final class PinnedThreads implements AutoCloseable {

	private static final String EVENT = "jdk.VirtualThreadPinned";

	private final Recording recording = new Recording();

	PinnedThreads() {
		this.recording.enable(EVENT).withoutThreshold();
		this.recording.start();
	}

	/** Every event counts, however short; a stream would miss the last second. */
	long stop() {
		this.recording.stop();
		try {
			Path file = Files.createTempFile("pinned-", ".jfr");
			this.recording.dump(file);
			long count = RecordingFile.readAllEvents(file)
				.stream()
				.filter((event) -> event.getEventType().getName().equals(EVENT))
				.count();
			Files.delete(file);
			return count;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the recording", ex);
		}
	}

	@Override
	public void close() {
		this.recording.close();
	}

}
