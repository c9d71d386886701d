package io.distlock.reliability.rig;

import io.distlock.spi.Sharing;

/**
 * A lock that was granted to a worker, as its journal tells. Moments are of the monotonic
 * clock, which all processes of a machine share.
 *
 * @param worker who got it
 * @param key which lock
 * @param token its fencing token
 * @param asked when it was asked for
 * @param start since when it was believed in
 * @param until until when it was certainly believed in
 * @param sharing with whom it may be held
 * @param ending how it ended
 */
public record Grant(int worker, int key, long token, long asked, long start, long until, Sharing sharing,
		Ending ending) {

	/** One that is held alone. */
	public Grant(int worker, int key, long token, long asked, long start, long until, Ending ending) {
		this(worker, key, token, asked, start, until, Sharing.EXCLUSIVE, ending);
	}

	/**
	 * The end of a section and what became of the lock.
	 *
	 * @param end when the section ended, {@link #NEVER} if it did not
	 * @param closed when the lock was closed, {@link #NEVER} if it was not
	 * @param counted whether the plain counter was written
	 * @param fenced whether the fenced register took the last write
	 * @param refused whether the fenced register refused a holder
	 * @param held whether it was held at the end
	 * @param told whether closing it told of a loss
	 * @param forgotten whether that was because the store did not know it any more
	 * @param lostAt when the callback told of a loss, {@link #NEVER} if it did not
	 */
	public record Ending(long end, long closed, boolean counted, boolean fenced, boolean refused, boolean held,
			boolean told, boolean forgotten, long lostAt) {

		/** What did not happen. */
		public static final long NEVER = Long.MAX_VALUE;

		/** In the middle of a section. */
		public static final Ending NONE = new Ending(NEVER, NEVER, false, false, false, false, false, false, NEVER);

		/** An ordinary one. */
		public static Ending ordinary(long end) {
			return new Ending(end, end, true, true, false, true, false, false, NEVER);
		}

	}

	/** Whether it was ever believed in; a process may be stopped before it looks. */
	public boolean believed() {
		return this.until > this.start;
	}

	/** Whether two may be believed in at the same time. */
	boolean goesWith(Grant other) {
		return this.sharing.goesWith(other.sharing);
	}

	/** Whether the section ended. */
	public boolean ended() {
		return this.ending.end != Ending.NEVER;
	}

	/** Whether its owner learned that it was over before the section was. */
	public boolean lost() {
		return ended() && !this.ending.held;
	}

	Grant endedAt(long moment) {
		return new Grant(this.worker, this.key, this.token, this.asked, this.start, Math.min(this.until, moment),
				this.sharing, this.ending);
	}

	/** How a journal writes the kind of a hold. */
	static String word(Sharing sharing) {
		return (sharing instanceof Sharing.Permit permit) ? String.valueOf(permit.of())
				: (sharing instanceof Sharing.Shared) ? "S" : "X";
	}

	/** Reads what {@link #word} wrote. */
	static Sharing sharing(String word) {
		return switch (word) {
			case "X" -> Sharing.EXCLUSIVE;
			case "S" -> Sharing.SHARED;
			default -> new Sharing.Permit(Integer.parseInt(word));
		};
	}

}
