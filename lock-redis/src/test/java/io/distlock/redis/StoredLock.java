package io.distlock.redis;

import java.util.List;

/**
 * What the server keeps of a lock.
 *
 * @param owner the instance that holds, or whose request ended last
 * @param request its request
 * @param expiry the end of the lease, in milliseconds of the server's clock
 * @param token the first token of the block granted last
 * @param highestToken the last one
 * @param held whether somebody took it and has not ended it
 * @param queue those who wait, first come first
 * @param whole whether its parts fit together
 */
public record StoredLock(String owner, long request, long expiry, long token, long highestToken, boolean held,
		List<Waiter> queue, boolean whole) {

	static final StoredLock NONE = new StoredLock("", 0, 0, 0, 0, false, List.of(), true);

	/** Whether it is held by this request, be the lease over. */
	public boolean heldBy(String instance, long number) {
		return this.held && this.owner.equals(instance) && this.request == number;
	}

	@Override
	public String toString() {
		return (this.held ? "held by " + this.owner + " #" + this.request : "free") + ", token " + this.token
				+ (this.queue.isEmpty() ? "" : ", waiting " + this.queue);
	}

	/**
	 * One that waits.
	 *
	 * @param instance who
	 * @param request its request
	 * @param aliveUntil when it counts as dead, in milliseconds of the server's clock
	 */
	public record Waiter(String instance, long request, long aliveUntil) {

		@Override
		public String toString() {
			return this.instance + " #" + this.request;
		}

	}

}
