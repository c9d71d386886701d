package io.distlock.redis.protocol;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * Holds the record of a lock as Redis stores it; {@code record.lua} describes its parts.
 */
public record LockRecord(String instance, long request, long expiry, long token, int block, long due, String queue,
		String state, String about) {

	private static final int PARTS = 9;

	private static final String WAITER = "q:";

	private static final String HOLD = "h:";

	public static @Nullable LockRecord parse(@Nullable String text) {
		String[] parts = (text != null) ? text.split(";", PARTS) : new String[0];
		if (parts.length < PARTS) {
			return null;
		}
		return new LockRecord(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]),
				Integer.parseInt(parts[4]), Long.parseLong(parts[5]), parts[6], parts[7], parts[8]);
	}

	/** Returns the waiting instances in the order of the queue. */
	public static List<String> waiters(Map<String, String> fields) {
		Map<Long, String> byPosition = new TreeMap<>();
		fields.forEach((field, waiter) -> {
			if (field.startsWith(WAITER)) {
				byPosition.put(Long.valueOf(field.substring(WAITER.length())), waiter.split(";", 2)[0]);
			}
		});
		return List.copyOf(byPosition.values());
	}

	/**
	 * Returns whether there is a hold that no command has ended; its lease may be over.
	 */
	public boolean held() {
		return !this.state.equals("E");
	}

	/** Returns whether several holds may exist: shared ones, or permits. */
	public boolean allowsSeveralHolds() {
		return this.state.equals("S") || this.state.equals("P");
	}

	/** Returns the holds that are valid at a time, lowest token first. */
	List<LockSnapshot.Hold> holds(Map<String, String> fields, long now) {
		Stream<StoredHold> holds = allowsSeveralHolds() ? severalHolds(fields)
				: Stream.of(new StoredHold(this.instance, this.request, this.expiry, this.token, this.about));
		return holds.filter((hold) -> held() && hold.expiry() > now)
			.sorted(Comparator.comparingLong(StoredHold::token))
			.map((hold) -> hold.seen(now))
			.toList();
	}

	private Stream<StoredHold> severalHolds(Map<String, String> fields) {
		return fields.entrySet()
			.stream()
			.filter((field) -> field.getKey().startsWith(HOLD))
			.map((field) -> StoredHold.parse(field.getKey().substring(HOLD.length()), field.getValue()));
	}

	public long highestToken() {
		return this.token + this.block - 1;
	}

	/** Holds one hold, from the record or from a separate field. */
	private record StoredHold(String instance, long request, long expiry, long token, String about) {

		static StoredHold parse(String instance, String text) {
			String[] parts = text.split(";", 6);
			return new StoredHold(instance, Long.parseLong(parts[0]), Long.parseLong(parts[1]),
					Long.parseLong(parts[2]), parts[5]);
		}

		LockSnapshot.Hold seen(long now) {
			return new LockSnapshot.Hold(RequestId.parse(this.instance, this.request),
					HolderCodec.decode(this.about, this.instance, this.token), this.token,
					Duration.ofMillis(this.expiry - now));
		}

	}

}
