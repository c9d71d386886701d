package io.distlock.databases;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Names a server that the tests of a class start, and that the build cannot bring along,
 * so only the full proof runs them. Where it is missing, the build says so, and fails if
 * the system property {@code test.servers} is {@code required}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ServerCondition.class)
@Tag("ci")
public @interface NeedsServer {

	/** The commands, looked for on the PATH. */
	String[] commands();

	/** The packages of Debian and Ubuntu that have them, separated by blanks. */
	String debianPackages();

}
