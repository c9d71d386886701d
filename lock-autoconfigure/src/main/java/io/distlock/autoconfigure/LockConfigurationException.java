package io.distlock.autoconfigure;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;

/**
 * Thrown if the configuration of the lock cannot work. It says what is wrong and what to
 * change.
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
		this(description, action, null);
	}

	/**
	 * Creates an exception with the failure that showed the mistake.
	 * @param description what is wrong, as full sentences
	 * @param action what to change, as full sentences
	 * @param cause the failure, or {@code null}
	 */
	public LockConfigurationException(String description, String action, @Nullable Throwable cause) {
		super("", description + " " + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * Returns what is wrong.
	 * @return full sentences
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Returns what to change.
	 * @return full sentences
	 */
	public String action() {
		return this.action;
	}

}
