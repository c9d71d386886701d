package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Brings what the reference and we keep into one form. */
public final class StateViews {

	/** In place of the last instance, which is known by its tombstone. */
	private static final String USED_ONCE = "*";

	private StateViews() {
	}

	/** Orders the linked list of waiters and drops its links. */
	static Map<String, String> reference(Map<String, String> fields) {
		Map<String, String> view = new TreeMap<>(fields);
		view.keySet().removeIf((field) -> field.matches("[hen]|w:.*"));
		view.replaceAll((field, value) -> field.startsWith("f:") ? inSeconds(value) : value);
		List<String> queue = new ArrayList<>();
		String instance = fields.getOrDefault("h", "");
		while (!instance.isEmpty()) {
			String[] parts = fields.get("w:" + instance).split(";", -1);
			queue.add(instance + ";" + String.join(";", parts[0], parts[1], parts[2], parts[3]));
			instance = parts[5];
		}
		view.put("queue", queue.toString());
		return view;
	}

	/** Takes the record apart, and shows what in it does not fit together. */
	static Map<String, String> ours(Map<String, String> fields) {
		Map<String, String> view = new TreeMap<>(fields);
		view.keySet().removeIf((field) -> field.matches("o|[wq]:.*"));
		List<String> queue = LockRecord.waiters(fields)
			.stream()
			.map((instance) -> waiter(fields.get("q:" + fields.get("w:" + instance)), instance))
			.toList();
		view.put("queue", queue.toString());
		if (fields.keySet().stream().filter((field) -> field.startsWith("w:")).count() != queue.size()) {
			view.put("waiters", "some have no position: " + fields);
		}
		try {
			LockRecord lock = LockRecord.parse(fields.get("o"));
			if (lock != null) {
				view.put("o", owner(lock));
				view.put("T", String.valueOf(lock.highestToken()));
				check(lock, queue.size(), fields.getOrDefault("f:" + lock.instance(), "none"), view);
			}
		}
		catch (NumberFormatException ex) {
			view.put("record", "is unreadable: " + fields.get("o"));
		}
		return view;
	}

	private static String owner(LockRecord lock) {
		return !lock.held() ? "" : lock.instance() + ";" + lock.request() + ";" + lock.expiry() + ";" + lock.token()
				+ ";" + lock.block() + ";" + (lock.state().equals("C") ? 1 : 0);
	}

	private static void check(LockRecord lock, int waiters, String tombstone, Map<String, String> view) {
		if (waiters != waiting(lock.queue())) {
			view.put("record", "has " + waiters + " waiters, not " + lock.queue());
		}
		if (!lock.held() && !lock.instance().equals(USED_ONCE) && !tombstone.startsWith(lock.request() + ";")) {
			view.put("record", "ended " + lock.request() + " but has tombstone " + tombstone);
		}
	}

	private static String waiter(String text, String instance) {
		return (text == null || !text.startsWith(instance + ";")) ? "misplaced " + instance
				: String.join(";", List.of(text.split(";", 6)).subList(0, 5));
	}

	private static int waiting(String queue) {
		return queue.isEmpty() ? 0 : Integer.parseInt(queue.split(",")[2]);
	}

	/** What in the record of those who hold a lock together does not fit, or nothing. */
	public static String together(Map<String, String> fields, long now, String due) {
		LockRecord lock = LockRecord.parse(fields.get("o"));
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
		return (fits && Long.parseLong(due) >= latest + TogetherSteps.KEEP) ? null : "record does not fit";
	}

	private static String inSeconds(String tombstone) {
		return tombstone.substring(0, tombstone.length() - 3);
	}

}
