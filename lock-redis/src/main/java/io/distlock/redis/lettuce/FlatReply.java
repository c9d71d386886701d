package io.distlock.redis.lettuce;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import org.jspecify.annotations.Nullable;

/**
 * Reads a reply that is a text, a number, or a list of both. It becomes a list of texts
 * and numbers, as scripts and the commands of checks reply. A list in the list does not
 * occur; its elements would follow those of the outer list.
 */
final class FlatReply extends CommandOutput<byte[], byte[], List<Object>> {

	FlatReply() {
		super(ByteArrayCodec.INSTANCE, new ArrayList<>(1));
	}

	@Override
	public void multi(int count) {
		if (this.output.isEmpty()) {
			this.output = new ArrayList<>(Math.max(count, 0));
		}
	}

	@Override
	public void set(long number) {
		this.output.add(number);
	}

	@Override
	public void set(@Nullable ByteBuffer text) {
		this.output.add((text != null) ? new String(this.codec.decodeValue(text), StandardCharsets.UTF_8) : null);
	}

}
