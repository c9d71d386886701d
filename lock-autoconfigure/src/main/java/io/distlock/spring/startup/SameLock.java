package io.distlock.spring.startup;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

import io.distlock.LockMode;
import io.distlock.spring.definition.LockAttributes;
import io.distlock.spring.definition.LockedBeanMethod;

/**
 * Whether a method that calls another one of its own object has that one's lock already:
 * the same name, and the same key of the same values.
 */
final class SameLock {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private static final Pattern VARIABLE = Pattern.compile("#(\\w+)");

	private static final Pattern POSITION = Pattern.compile("[pa](\\d+)");

	private SameLock() {
	}

	static boolean isHeld(LockedBeanMethod called, LockedBeanMethod caller, SelfCall call) {
		LockAttributes wanted = called.attributes();
		LockAttributes held = caller.attributes();
		return called.name().equals(caller.name()) && wanted.annotation() == held.annotation()
				&& (held.mode() == wanted.mode() || held.mode() == LockMode.EXCLUSIVE)
				&& keys(wanted).equals(keys(held))
				&& keys(wanted).stream().allMatch((key) -> hasSameValues(key, called, caller, call));
	}

	private static List<String> keys(LockAttributes attributes) {
		return attributes.keys().isEmpty() ? List.of(attributes.key()) : attributes.keys();
	}

	/** What is no parameter, such as {@code #root}, may be something else. */
	private static boolean hasSameValues(String key, LockedBeanMethod called, LockedBeanMethod caller, SelfCall call) {
		Matcher variable = VARIABLE.matcher(key);
		while (variable.find()) {
			int argument = position(variable.group(1), called.id().method());
			int parameter = position(variable.group(1), caller.id().method());
			if (argument < 0 || parameter < 0 || !call.passesOn(argument, parameter)) {
				return false;
			}
		}
		return true;
	}

	/** Of the parameter that a key means, -1 if none is meant. */
	private static int position(String variable, Method method) {
		String[] names = NAMES.getParameterNames(method);
		int named = (names != null) ? Arrays.asList(names).indexOf(variable) : -1;
		Matcher position = POSITION.matcher(variable);
		return (named < 0 && position.matches()) ? Integer.parseInt(position.group(1)) : named;
	}

}
