package io.distlock.spi;

/**
 * Asks for some of the locks that are held or waited for.
 *
 * @param prefix what the keys begin with, empty for all
 * @param cursor where to go on: {@link LockPage#next()} of the page before, empty for the
 * first page
 * @param most how many locks at most, 1–1,000
 */
public record ListCommand(String prefix, String cursor, int most) {

	/** The largest page. */
	public static final int LARGEST = 1000;

	/**
	 * Creates a command.
	 * @param prefix what the keys begin with, empty for all
	 * @param cursor where to go on, empty for the first page
	 * @param most how many locks at most
	 * @throws IllegalArgumentException if the page would be too small or too large
	 */
	public ListCommand {
		if (most < 1 || most > LARGEST) {
			throw new IllegalArgumentException("A page has 1 to " + LARGEST + " locks, not " + most);
		}
	}

	/**
	 * Returns the same command for another position.
	 * @param position where to go on
	 * @param limit how many locks at most
	 * @return the command
	 */
	public ListCommand from(String position, int limit) {
		return new ListCommand(this.prefix, position, limit);
	}

}
