package io.distlock.redis.simulation;

import java.util.function.UnaryOperator;
import java.util.List;

/** Messages of a client that may publish, but not read the keys of locks. */
final class Forgery {

	private static final int ADDRESS = 1;

	private static final int REQUEST = 3;

	private static final int TOKEN = 4;

	private static final int EXPIRY = 6;

	private static final int TIME = 7;

	private static final int TICKET_AT = 16;

	private static final List<UnaryOperator<String[]>> OF_OTHERS = List.of(
			// A request that was never given out, or an earlier or later one
			(parts) -> changed(parts, REQUEST, "9007199254740000"), (parts) -> added(parts, REQUEST, 1),
			(parts) -> added(parts, REQUEST, -1),
			// The request that waits, with a ticket that is made up, or none
			(parts) -> changed(parts, ADDRESS, parts[ADDRESS].substring(0, TICKET_AT) + "0123456789abcdef"),
			(parts) -> changed(parts, ADDRESS, ""),
			// As the first version wrote it
			(parts) -> new String[] { "G", parts[REQUEST], parts[TOKEN], "64", parts[EXPIRY], parts[TIME], parts[8] });

	private static final List<UnaryOperator<String[]>> OF_READERS = List.of((parts) -> added(parts, TOKEN, 900_000),
			(parts) -> added(parts, TOKEN, -1), (parts) -> added(parts, REQUEST, 1),
			(parts) -> added(added(parts, EXPIRY, 1500), TIME, 1500));

	private Forgery() {
	}

	/** A message of a client that has not seen this one, which is on its way. */
	static String unseen(String message, Chance chance) {
		String[] parts = message.split(";", 9);
		if (parts.length < 9) {
			return parts[0] + ";" + "0".repeat(40) + ";" + parts[2];
		}
		return String.join(";", believable(OF_OTHERS.get(chance.below(OF_OTHERS.size())).apply(parts), parts));
	}

	/** A message of a client that has seen this one, which arrived a moment ago. */
	static String seen(String message, Chance chance) {
		String[] parts = message.split(";", 9);
		return (parts.length < 9) ? message
				: String.join(";", OF_READERS.get(chance.below(OF_READERS.size())).apply(parts));
	}

	/** The forger has seen no token, and wants a high one. */
	private static String[] believable(String[] forged, String[] genuine) {
		return (forged.length == genuine.length) ? added(forged, TOKEN, 800_000) : forged;
	}

	private static String[] added(String[] parts, int index, long more) {
		return changed(parts, index, Long.toString(Long.parseLong(parts[index]) + more));
	}

	private static String[] changed(String[] parts, int index, String part) {
		String[] changed = parts.clone();
		changed[index] = part;
		return changed;
	}

}
