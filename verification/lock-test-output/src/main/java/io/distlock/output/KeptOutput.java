package io.distlock.output;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The end of what was written since the last {@link #take()}. Written to by all threads
 * of a test.
 */
final class KeptOutput extends OutputStream {

	private final int limit;

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private boolean cut;

	KeptOutput(int limit) {
		this.limit = limit;
	}

	@Override
	public synchronized void write(int one) {
		write(new byte[] { (byte) one }, 0, 1);
	}

	@Override
	public synchronized void write(byte[] some, int offset, int length) {
		this.bytes.write(some, offset, length);
		if (this.bytes.size() > 2 * this.limit) {
			byte[] all = this.bytes.toByteArray();
			this.bytes.reset();
			this.bytes.write(all, all.length - this.limit, this.limit);
			this.cut = true;
		}
	}

	/** Returns what is kept, and forgets it. */
	synchronized String take() {
		String text = toString();
		this.bytes.reset();
		this.cut = false;
		return text;
	}

	/** Returns what is kept. */
	@Override
	public synchronized String toString() {
		String text = this.bytes.toString(StandardCharsets.UTF_8);
		return this.cut ? "[...]\n" + text.substring(text.indexOf('\n') + 1) : text;
	}

}
