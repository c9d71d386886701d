package io.distlock.output;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * Tests of tests: each breaks the product in one place, and a test must notice. They
 * prove nothing about the product itself, so the usual build runs them only when files of
 * their subject differ from the upstream branch.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag(Mutants.TAG)
public @interface Mutants {

	/** The tag of these tests. */
	String TAG = "mutants";

	/** The folders of what is broken and of what must notice, from the root. */
	String[] of();

}
