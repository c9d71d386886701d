package io.distlock.spi;

import java.util.List;

/**
 * Some of the locks that are held or waited for. The locks of all pages together are not
 * of one moment: a lock that is used all the time is in some page, others may be missing
 * or, rarely, be there twice.
 *
 * @param locks the locks; there may be none although {@code next} is not empty
 * @param next where to go on, empty if there are no more
 */
public record LockPage(List<LockSnapshot> locks, String next) {

	/** A page without locks after which there are no more. */
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
