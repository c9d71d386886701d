package io.distlock.redis.protocol;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The inboxes of the engines of random lives. */
final class Inboxes {

	private static final KeyCodec NAMES = new KeyCodec("lk:");

	/** Engines by channel. */
	private static final Map<String, String> ENGINES = IntStream.range(0, RandomSteps.LARGEST_CROWD)
		.mapToObj((number) -> "i" + number)
		.collect(Collectors.toMap((engine) -> of(engine).channel(NAMES), Function.identity()));

	private Inboxes() {
	}

	static Inbox of(String engine) {
		return new Inbox(engine, "secret of " + engine);
	}

	/** Returns the engine that listens to a channel, or what no engine is called. */
	static String engine(String channel) {
		return ENGINES.getOrDefault(channel, "nobody at " + channel);
	}

}
