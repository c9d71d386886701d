package io.distlock.autoconfigure;

import io.distlock.LockException;

/**
 * The configuration of the lock cannot work. Says what is wrong and what to change.
 *
 * @serial exclude
 */
public class LockConfigurationException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Creates an exception.
	 * @param description what is wrong, as full sentences
	 * @param action what to change, as full sentences
	 */
	public LockConfigurationException(String description, String action) {
		super("", description + " " + action, null);
		this.description = description;
		this.action = action;
	}

	/**
	 * What is wrong.
	 * @return full sentences
	 */
	public String description() {
		return this.description;
	}

	/**
	 * What to change.
	 * @return full sentences
	 */
	public String action() {
		return this.action;
	}

}
