package io.distlock.redis;

import java.util.List;
import java.util.Optional;

import io.distlock.spi.Sharing;

/**
 * What the server keeps of a lock.
 *
 * @param kind how those who have it do
 * @param holds those who took it and have not ended it, lowest token first; their leases
 * may be over
 * @param highestToken the highest there ever was
 * @param queue those who wait, first come first
 * @param whole whether its parts fit together
 */
public record StoredLock(Class<? extends Sharing> kind, List<Hold> holds, long highestToken, List<Waiter> queue,
		boolean whole) {

	static final StoredLock NONE = new StoredLock(Sharing.Exclusive.class, List.of(), 0, List.of(), true);

	/** What an instance holds. */
	public Optional<Hold> holdOf(String instance) {
		return this.holds.stream().filter((hold) -> hold.instance().equals(instance)).findAny();
	}

	/** Whether it is held by this request, be the lease over. */
	public boolean heldBy(String instance, long request) {
		return this.holds.stream().anyMatch((hold) -> hold.isOf(instance, request));
	}

	/** Those whose lease is not over. */
	public List<Hold> valid(long millis) {
		return this.holds.stream().filter((hold) -> hold.expiry() > millis).toList();
	}

	@Override
	public String toString() {
		return this.kind.getSimpleName() + " holds " + this.holds + ", highest token " + this.highestToken
				+ (this.queue.isEmpty() ? "" : ", waiting " + this.queue);
	}

	/**
	 * Reads what a script takes: nothing to hold alone, {@code S} to share, or how many
	 * permits there are.
	 */
	public static Sharing sharing(String wanted) {
		return switch (wanted) {
			case "" -> Sharing.EXCLUSIVE;
			case "S" -> Sharing.SHARED;
			default -> new Sharing.Permit(Integer.parseInt(wanted));
		};
	}

	/**
	 * One that holds.
	 *
	 * @param instance who
	 * @param request its request
	 * @param expiry the end of the lease, in milliseconds of the server's clock
	 * @param token the first token of its block
	 * @param lastToken the last one
	 */
	public record Hold(String instance, long request, long expiry, long token, long lastToken) {

		public boolean isOf(String who, long number) {
			return this.instance.equals(who) && this.request == number;
		}

		@Override
		public String toString() {
			return this.instance + " #" + this.request + " token " + this.token;
		}

	}

	/**
	 * One that waits.
	 *
	 * @param instance who
	 * @param request its request
	 * @param aliveUntil when it counts as dead, in milliseconds of the server's clock
	 * @param wanted how it wants to hold
	 */
	public record Waiter(String instance, long request, long aliveUntil, Sharing wanted) {

		@Override
		public String toString() {
			return this.instance + " #" + this.request + " " + this.wanted;
		}

	}

}
