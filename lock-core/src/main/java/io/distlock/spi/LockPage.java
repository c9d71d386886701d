package io.distlock.spi;

import java.util.List;

/**
 * Some of the locks that are held or waited for. The pages do not show the locks of one
 * moment. A lock that is used all the time is on some page. Other locks may be missing
 * or, rarely, appear twice.
 *
 * @param locks the locks; may be empty although {@code next} is not empty
 * @param next where to go on, empty if there are no more
 */
public record LockPage(List<LockSnapshot> locks, String next) {

	/** The last page of a listing, without locks. */
	public static final LockPage EMPTY = new LockPage(List.of(), "");

	/**
	 * Creates a page with a copy of the list.
	 * @param locks the locks
	 * @param next where to go on, empty if there are no more
	 */
	public LockPage {
		locks = List.copyOf(locks);
	}

	/**
	 * Returns whether this is the last page.
	 * @return {@code true} if there are no more locks
	 */
	public boolean isLast() {
		return this.next.isEmpty();
	}

}
