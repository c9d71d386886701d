package io.distlock.redis.protocol;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The inboxes of the engines of random lives. */
final class Inboxes {

	private static final KeyCodec NAMES = new KeyCodec("lk:");

	/** Engines by channel. */
	private static final Map<String, String> ENGINES = IntStream.range(0, 60)
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

	/**
	 * Returns what the reference publishes instead, or the message itself if its engine
	 * would ignore it.
	 */
	static String unsigned(String published) {
		String[] both = published.split(" ", 2);
		String engine = engine(both[0]);
		List<String> parts = List.of(both[1].split(";", 4));
		if (parts.get(0).equals("W") && of(engine).isDigest(parts.get(1))) {
			return "lk:ch:" + engine + " W;" + parts.get(2);
		}
		if (parts.get(0).equals("G") && parts.get(2).isEmpty() && isAddressed(engine, parts.get(1), parts.get(3))) {
			return "lk:ch:" + engine + " G;" + parts.get(3);
		}
		return published;
	}

	private static boolean isAddressed(String engine, String address, String grant) {
		String[] parts = grant.split(";", 6);
		long claim = Long.parseLong(parts[3]) - Long.parseLong(parts[4]);
		return of(engine).isAddress(address, Long.parseLong(parts[0]), claim);
	}

}
