package io.distlock.boot.test;

import java.lang.reflect.Method;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Passes the bean to methods. Spring itself passes it to constructors, and to parameters
 * with {@code @Autowired}.
 */
final class LockTesterResolver implements ParameterResolver {

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
		return parameter.getParameter().getType() == LockTester.class
				&& parameter.getDeclaringExecutable() instanceof Method && !parameter.isAnnotated(Autowired.class);
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
		return SpringExtension.getApplicationContext(test).getBean(LockTester.class);
	}

}
