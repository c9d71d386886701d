package io.distlock.reliability.rig;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the commands in what a client sends: arrays of strings with their lengths. */
final class RequestReader {

	private byte[] rest = new byte[0];

	/** Takes in bytes and gives the commands that are complete. */
	List<byte[]> add(byte[] bytes) {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		all.writeBytes(this.rest);
		all.writeBytes(bytes);
		this.rest = all.toByteArray();
		List<byte[]> complete = new ArrayList<>();
		for (int end = end(); end > 0; end = end()) {
			complete.add(Arrays.copyOf(this.rest, end));
			this.rest = Arrays.copyOfRange(this.rest, end, this.rest.length);
		}
		return complete;
	}

	/** Where the first command ends, or 0 if that is not known yet. */
	private int end() {
		int at = lineEnd(0);
		if (at == 0) {
			return 0;
		}
		for (int words = number(0, at); words > 0; words--) {
			int header = lineEnd(at);
			if (header == 0) {
				return 0;
			}
			at = header + number(at, header) + 2;
			if (at > this.rest.length) {
				return 0;
			}
		}
		return at;
	}

	private int lineEnd(int from) {
		for (int i = from; i + 1 < this.rest.length; i++) {
			if (this.rest[i] == '\r' && this.rest[i + 1] == '\n') {
				return i + 2;
			}
		}
		return 0;
	}

	private int number(int from, int end) {
		return Integer.parseInt(new String(this.rest, from + 1, end - from - 3, StandardCharsets.US_ASCII));
	}

}
