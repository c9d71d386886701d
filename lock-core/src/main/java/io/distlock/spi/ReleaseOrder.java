package io.distlock.spi;

import io.distlock.support.ForeignText;

/**
 * Names the author of a release by force, and the reason. The former holder finds it in
 * the store, so both texts may come from another process: each is at most 256 characters
 * of the original, with escapes for what cannot be printed.
 *
 * @param by the user or program that gave the order
 * @param reason why
 */
public record ReleaseOrder(String by, String reason) {

	/** Neither part contains one. */
	private static final char SEPARATOR = '\n';

	/**
	 * Creates an order with texts that are fit for messages.
	 * @param by the user or program that gave the order
	 * @param reason why
	 */
	public ReleaseOrder {
		by = ForeignText.of(by);
		reason = ForeignText.of(reason);
	}

	/**
	 * Reads an order as stores write it.
	 * @param text what {@link #text()} returned, or any other text
	 * @return the order
	 */
	public static ReleaseOrder parse(String text) {
		int end = text.indexOf(SEPARATOR);
		return (end < 0) ? new ReleaseOrder("", text)
				: new ReleaseOrder(text.substring(0, end), text.substring(end + 1));
	}

	/**
	 * Returns the order as one text for a store.
	 * @return both parts
	 */
	public String text() {
		return this.by + SEPARATOR + this.reason;
	}

	/**
	 * Describes the order for a message.
	 * @return for instance {@code by alice at shop@pod-7: the import hangs}
	 */
	public String describe() {
		return "by " + (this.by.isEmpty() ? "someone unknown" : this.by) + ": "
				+ (this.reason.isEmpty() ? "no reason given" : this.reason);
	}

}
