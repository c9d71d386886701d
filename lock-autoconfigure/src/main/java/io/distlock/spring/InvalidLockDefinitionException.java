package io.distlock.spring;

import io.distlock.LockException;

/**
 * An annotated method that would run without its lock, or under a wrong one, if the
 * application started. Says what is wrong and how to put it right.
 */
public class InvalidLockDefinitionException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String bean;

	private final String method;

	private final String reason;

	private final String fix;

	/**
	 * Creates an exception.
	 * @param bean name of the bean, empty when not known
	 * @param method the method, for instance {@code StockService.deduct(Order)}
	 * @param reason what is wrong, as a clause
	 * @param fix what to do about it, as a sentence
	 */
	public InvalidLockDefinitionException(String bean, String method, String reason, String fix) {
		super((bean.isEmpty() ? "" : "Bean '" + bean + "': ") + "@DistributedLock on " + method + ": " + reason + ". "
				+ fix, null);
		this.bean = bean;
		this.method = method;
		this.reason = reason;
		this.fix = fix;
	}

	/**
	 * The same, found on a bean.
	 * @param name name of the bean
	 * @return a copy
	 */
	InvalidLockDefinitionException inBean(String name) {
		return new InvalidLockDefinitionException(name, this.method, this.reason, this.fix);
	}

	/**
	 * The bean that has the method.
	 * @return its name, empty when not known
	 */
	public String bean() {
		return this.bean;
	}

	/**
	 * The annotated method.
	 * @return for instance {@code StockService.deduct(Order)}
	 */
	public String method() {
		return this.method;
	}

	/**
	 * What is wrong.
	 * @return a clause
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * What to do about it.
	 * @return a sentence
	 */
	public String fix() {
		return this.fix;
	}

}
