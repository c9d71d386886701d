package io.distlock.spring;

import java.util.List;
import java.util.stream.Collectors;

import io.distlock.LockException;

/**
 * Thrown if an annotated method would run without its lock, or under a wrong one. The
 * message says what is wrong and how to correct it.
 *
 * @serial exclude
 */
public class InvalidLockDefinitionException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String annotation;

	private final String bean;

	private final String method;

	private final String reason;

	private final String fix;

	private final List<InvalidLockDefinitionException> all;

	/**
	 * Creates an exception.
	 * @param annotation the wrong annotation, for instance {@code @DistributedLock}
	 * @param bean name of the bean, empty when not known
	 * @param method the method, for instance {@code StockService.deduct(Order)}
	 * @param reason what is wrong, as a clause
	 * @param fix the remedy, as a sentence
	 */
	public InvalidLockDefinitionException(String annotation, String bean, String method, String reason, String fix) {
		super("", (bean.isEmpty() ? "" : "Bean '" + bean + "': ") + annotation + " on " + method + ": " + reason + ". "
				+ fix, null);
		this.annotation = annotation;
		this.bean = bean;
		this.method = method;
		this.reason = reason;
		this.fix = fix;
		this.all = List.of();
	}

	private InvalidLockDefinitionException(List<InvalidLockDefinitionException> all) {
		super("",
				all.size() + " annotated methods cannot work:"
						+ all.stream()
							.map((each) -> System.lineSeparator() + "  - " + each.getMessage())
							.collect(Collectors.joining()),
				null);
		InvalidLockDefinitionException first = all.get(0);
		this.annotation = first.annotation;
		this.bean = first.bean;
		this.method = first.method;
		this.reason = first.reason;
		this.fix = first.fix;
		this.all = List.copyOf(all);
	}

	/**
	 * Combines all exceptions into one, so that one start shows all of them.
	 * @param found the exceptions, at least one
	 * @return the only exception, or an exception whose message lists all
	 */
	public static InvalidLockDefinitionException of(List<InvalidLockDefinitionException> found) {
		return (found.size() == 1) ? found.get(0) : new InvalidLockDefinitionException(found);
	}

	/**
	 * Returns a copy of this exception with the bean where it was found.
	 * @param name name of the bean
	 * @return a copy
	 */
	public InvalidLockDefinitionException inBean(String name) {
		return new InvalidLockDefinitionException(this.annotation, name, this.method, this.reason, this.fix);
	}

	/**
	 * Returns each exception that was found. If there are several, this exception has the
	 * values of the first.
	 * @return the exceptions, at least one
	 */
	public List<InvalidLockDefinitionException> all() {
		return this.all.isEmpty() ? List.of(this) : this.all;
	}

	/**
	 * Returns the wrong annotation.
	 * @return for instance {@code @DistributedLock}
	 */
	public String annotation() {
		return this.annotation;
	}

	/**
	 * Returns the bean of the method.
	 * @return the name of the bean, empty when not known
	 */
	public String bean() {
		return this.bean;
	}

	/**
	 * Returns the annotated method.
	 * @return for instance {@code StockService.deduct(Order)}
	 */
	public String method() {
		return this.method;
	}

	/**
	 * Returns what is wrong.
	 * @return a clause
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Returns the remedy.
	 * @return a sentence
	 */
	public String fix() {
		return this.fix;
	}

}
