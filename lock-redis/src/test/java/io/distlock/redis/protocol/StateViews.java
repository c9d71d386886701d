package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Shows what in the fields of a lock does not fit together. */
public final class StateViews {

	/** In place of the last instance, which is known by its tombstone. */
	private static final String USED_ONCE = "*";

	private StateViews() {
	}

	/** Returns what does not fit, or nothing. */
	public static @Nullable String misfit(Map<String, String> fields) {
		LockRecord lock = LockRecord.parse(fields.get("o"));
		List<String> waiters = LockRecord.waiters(fields);
		if (waiters.size() != ((lock != null) ? waiting(lock.queue()) : 0)
				|| waiters.size() != fields.keySet().stream().filter((field) -> field.startsWith("w:")).count()) {
			return "has other waiters";
		}
		for (String waiter : waiters) {
			if (!fields.getOrDefault("q:" + fields.get("w:" + waiter), "").startsWith(waiter + ";")) {
				return "has misplaced " + waiter;
			}
		}
		if (lock != null && !lock.held() && !lock.instance().equals(USED_ONCE)
				&& !fields.getOrDefault("f:" + lock.instance(), "none").startsWith(lock.request() + ";")) {
			return "ended without a tombstone";
		}
		return together(lock, fields);
	}

	private static @Nullable String together(@Nullable LockRecord lock, Map<String, String> fields) {
		List<String[]> holds = new ArrayList<>();
		fields.forEach((field, value) -> {
			if (field.startsWith("h:")) {
				holds.add(value.split(";", 6));
			}
		});
		if (lock == null || !lock.allowsSeveralHolds()) {
			return holds.isEmpty() ? null : "leaves holds behind";
		}
		if (holds.isEmpty()) {
			return "has no holds";
		}
		String[] group = lock.about().split(",", 3);
		long latest = holds.stream().mapToLong((hold) -> Long.parseLong(hold[1])).max().orElseThrow();
		long earliest = holds.stream().mapToLong((hold) -> Long.parseLong(hold[1])).min().orElseThrow();
		boolean fits = Integer.parseInt(group[0]) == holds.size() && Long.parseLong(group[1]) <= earliest
				&& lock.expiry() >= latest && (group[2].isEmpty() || fields.containsKey("h:" + group[2]));
		return fits ? null : "record does not fit";
	}

	private static int waiting(String queue) {
		return queue.isEmpty() ? 0 : Integer.parseInt(queue.split(",")[2]);
	}

}
