package io.distlock.redis.protocol;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.distlock.Holder;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/** Reads the replies of the scripts. The header of each script describes its reply. */
public final class Replies {

	/** The most tokens that a script reserves at a time. */
	static final int LARGEST_BLOCK = 1_000_000;

	/** The highest token that a script grants, below 2^53 with its block. */
	static final long HIGHEST_TOKEN = 9_001_000_000_000_000L;

	/** The code of a reply whose request holds the lock. */
	public static final int HELD = 1;

	static final int QUEUED = 2;

	static final int BUSY = 0;

	static final int OVER = -1;

	static final int QUARANTINED = -2;

	static final int TOO_LATE = -3;

	private static final long RELEASED = 1;

	/**
	 * September 2001, when times first had as many digits as today. An earlier time comes
	 * from a clock that is not set.
	 */
	private static final long EARLIEST_TIME = 1_000_000_000_000L;

	private Replies() {
	}

	/**
	 * Returns the code of a reply, which tells what the reply contains.
	 * @param reply the reply, as a list
	 * @return the code, which is the first element
	 */
	public static int code(List<Object> reply) {
		return (int) number(reply, 0);
	}

	/** Returns when the script ran, in milliseconds of the server's clock. */
	static long storeTime(LockScript script, List<Object> reply) {
		if (script == LockScript.INSPECT) {
			return number(reply, 0) / 1000;
		}
		return number(reply, 1);
	}

	/**
	 * Converts a reply into a list of numbers and texts.
	 * @param reply the reply of a client that returns bytes
	 * @return the reply; if it is no list, a list with the reply as its only element
	 */
	public static List<Object> texts(@Nullable Object reply) {
		if (reply == null) {
			return List.of();
		}
		if (!(reply instanceof List<?> elements)) {
			return List.of(decoded(reply));
		}
		List<Object> texts = new ArrayList<>(elements.size());
		for (Object element : elements) {
			texts.add(decoded(element));
		}
		return texts;
	}

	private static Object decoded(Object element) {
		return (element instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : element;
	}

	/**
	 * Returns whether the server answered with a text or a number, which costs it less
	 * than a list.
	 */
	private static boolean isShort(List<Object> reply) {
		return reply.size() == 1;
	}

	/**
	 * Returns the reply of an acquisition as a list, even if it is short. Throws a
	 * {@link RuntimeException} if it is a text that does not answer this request.
	 * @param reply the reply
	 * @param request the number of the request
	 * @param lease the requested lease in milliseconds; the server's time of a short
	 * reply is computed from it
	 * @return the reply
	 */
	public static List<Object> acquired(List<Object> reply, long request, long lease) {
		if (!isShort(reply)) {
			return reply;
		}
		long[] hold = hold(text(reply, 0));
		if (hold[0] != request) {
			throw new IllegalArgumentException("request " + hold[0] + " instead of " + request);
		}
		return List.of((long) HELD, hold[1] - lease, hold[1], hold[2], hold[3], 0L);
	}

	/**
	 * Reads request, expiry, token and block; a semicolon precedes each and ends the
	 * text.
	 */
	private static long[] hold(String text) {
		long[] hold = new long[4];
		int begin = 1;
		for (int i = 0; i < hold.length; i++) {
			int end = text.indexOf(';', begin);
			hold[i] = Long.parseLong(text, begin, end, 10);
			begin = end + 1;
		}
		if (text.charAt(0) != ';' || begin != text.length()) {
			throw new IllegalArgumentException("hold " + text);
		}
		return hold;
	}

	/**
	 * Returns the reply of a release as a list, even if it is short. Throws a
	 * {@link RuntimeException} if it is neither a list nor a time of a server.
	 * @param reply the reply
	 * @return the reply
	 */
	public static List<Object> finished(List<Object> reply) {
		if (!isShort(reply)) {
			return reply;
		}
		long time = number(reply, 0);
		if (time < EARLIEST_TIME) {
			throw new IllegalArgumentException("time " + time);
		}
		return List.of(RELEASED, time);
	}

	/** Returns the end of the quarantine, in milliseconds of the server's clock. */
	static long quarantinedUntil(List<Object> reply) {
		return number(reply, 2);
	}

	static Duration holderRemaining(List<Object> reply) {
		return Duration.ofMillis(Math.max(0, number(reply, 2) - number(reply, 1)));
	}

	static Grant grant(List<Object> reply) {
		long token = number(reply, 3);
		long tokens = number(reply, 4);
		if (token < 0 || tokens < 1 || tokens > LARGEST_BLOCK || token + tokens > HIGHEST_TOKEN) {
			throw new IllegalArgumentException("token " + token + ", block of " + tokens);
		}
		return new Grant(token, (int) tokens, number(reply, 2), number(reply, 1));
	}

	static int waiters(List<Object> reply) {
		return (int) number(reply, 5);
	}

	static @Nullable Holder holder(List<Object> reply) {
		if (reply.size() < 9) {
			return null;
		}
		return HolderCodec.decode(text(reply, 7), text(reply, 6), number(reply, 8));
	}

	static FinishResult finish(List<Object> reply) {
		return switch (code(reply)) {
			case 1 -> FinishResult.RELEASED;
			case 2 -> FinishResult.EXPIRED;
			case 3 -> FinishResult.WITHDRAWN;
			case 4 -> FinishResult.FORCED;
			default -> FinishResult.UNKNOWN;
		};
	}

	static RenewResult renew(List<Object> reply) {
		return (code(reply) == HELD) ? new RenewResult.Renewed(grant(reply), (int) number(reply, 5))
				: new RenewResult.Gone(isForced(reply));
	}

	private static boolean isForced(List<Object> reply) {
		return number(reply, 2) == 1;
	}

	/** Returns the cursor with which SCAN continues. */
	static String nextPosition(List<Object> reply) {
		return text(reply, 2);
	}

	/** Returns the keys that were found. */
	static List<String> names(List<Object> reply) {
		List<String> names = new ArrayList<>();
		for (int i = 3; i < reply.size(); i++) {
			names.add(text(reply, i));
		}
		return names;
	}

	/** Returns the requests among the given holds that were ended by force. */
	static Set<RequestId> forced(List<RequestId> holds, List<Object> reply) {
		Set<RequestId> ended = new LinkedHashSet<>();
		for (int i = 2; i < reply.size(); i++) {
			ended.add(holds.get((int) number(reply, i) - 1));
		}
		return ended;
	}

	static LockSnapshot snapshot(String key, List<Object> reply) {
		Map<String, String> fields = new HashMap<>();
		for (int i = 2; i + 1 < reply.size(); i += 2) {
			fields.put(text(reply, i), text(reply, i + 1));
		}
		List<String> waiters = LockRecord.waiters(fields);
		LockRecord lock = LockRecord.parse(fields.get("o"));
		if (lock == null) {
			return LockSnapshot.of(key, true, List.of(), 0, waiters);
		}
		return LockSnapshot.of(key, !lock.allowsSeveralHolds(), lock.holds(fields, number(reply, 0) / 1000),
				lock.highestToken(), waiters);
	}

	private static long number(List<Object> reply, int index) {
		return (Long) reply.get(index);
	}

	private static String text(List<Object> reply, int index) {
		return (String) reply.get(index);
	}

}
