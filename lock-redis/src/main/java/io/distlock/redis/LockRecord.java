package io.distlock.redis;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * What a lock is kept as, for looking at it; {@code record.lua} says what each part
 * means.
 */
record LockRecord(String instance, long request, long expiry, long token, int block, long due, String queue,
		String state, String about) {

	private static final int PARTS = 9;

	private static final String PLACE = "q:";

	static @Nullable LockRecord parse(@Nullable String text) {
		String[] parts = (text != null) ? text.split(";", PARTS) : new String[0];
		if (parts.length < PARTS) {
			return null;
		}
		return new LockRecord(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]),
				Integer.parseInt(parts[4]), Long.parseLong(parts[5]), parts[6], parts[7], parts[8]);
	}

	/** The waiting instances in the order of their places. */
	static List<String> waiters(Map<String, String> fields) {
		Map<Long, String> places = new TreeMap<>();
		fields.forEach((field, waiter) -> {
			if (field.startsWith(PLACE)) {
				places.put(Long.valueOf(field.substring(PLACE.length())), waiter.split(";", 2)[0]);
			}
		});
		return List.copyOf(places.values());
	}

	/** Whether somebody took it and has not ended it; the lease may be over. */
	boolean held() {
		return !this.state.equals("E");
	}

	long highestToken() {
		return this.token + this.block - 1;
	}

}
