package io.distlock.output;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * Tests of tests: each breaks the product in one place, and a test must notice. They
 * prove nothing about the product itself, so only the full proof runs them.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("ci")
@Tag("mutants")
public @interface Mutants {

}
