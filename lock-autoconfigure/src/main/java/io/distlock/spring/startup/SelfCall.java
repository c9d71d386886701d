package io.distlock.spring.startup;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.asm.Type;

/**
 * A place in a class where a method of {@code this} is called.
 *
 * @param type internal name of the class
 * @param method the calling method, as in the class file
 * @param descriptor of the calling method
 * @param file the source file, empty if not known
 * @param line its line, 0 if not known
 * @param called name and descriptor of the called method
 * @param arguments for each the local variable of the calling method that it is, if known
 */
record SelfCall(String type, String method, String descriptor, String file, int line, String called,
		List<Integer> arguments) {

	private static final String SUSPENDED = "$suspendImpl";

	/** As Java names it, and as Kotlin does. */
	private static final Pattern LAMBDA = Pattern.compile("(lambda\\$)?(?<method>.+?)(\\$lambda)?(\\$\\d+)+");

	/**
	 * Whether an argument is what the calling method was given itself.
	 * @param argument position of the argument
	 * @param parameter position of the calling method's parameter
	 */
	boolean passesOn(int argument, int parameter) {
		int variable = 1;
		Type[] parameters = Type.getArgumentTypes(caller().substring(caller().indexOf('(')));
		for (int i = 0; i < parameter; i++) {
			variable += parameters[i].getSize();
		}
		return argument < this.arguments.size() && this.arguments.get(argument) == variable;
	}

	/**
	 * Where Kotlin leaves the body of a suspend function that may be overridden: a static
	 * method that has the object as its first parameter.
	 */
	static boolean isBodyOfSuspendFunction(String method) {
		return method.endsWith(SUSPENDED);
	}

	/** Name and descriptor of the calling method. */
	String caller() {
		if (!isBodyOfSuspendFunction(this.method)) {
			return this.method + this.descriptor;
		}
		return this.method.replace(SUSPENDED, "") + this.descriptor.replaceFirst("^\\(L[^;]+;", "(");
	}

	/** The method as it was written: the body of a lambda is part of it. */
	String writtenMethod() {
		if (this.method.equals("<init>")) {
			return "its constructor";
		}
		Matcher lambda = LAMBDA.matcher(this.method);
		String written = lambda.matches() ? lambda.group("method") : this.method;
		return written.replace(SUSPENDED, "") + "()";
	}

	/** In what class, for people. */
	String writtenType() {
		return this.type.substring(this.type.lastIndexOf('/') + 1).replace('$', '.');
	}

	/** File and line, as stack traces have it. */
	String place() {
		String where = this.file.isEmpty() ? writtenType() : this.file;
		return (this.line > 0) ? where + ":" + this.line : where;
	}

}
