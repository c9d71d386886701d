package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.annotation.AnnotatedElementUtils;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockMode;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockAnnotations;
import io.distlock.spring.definition.LockAttributes;
import io.distlock.spring.definition.LockedBeanMethod;

/**
 * Finds names that mean a lock at one method and a semaphore at another, semaphores of
 * one name with different sizes, and locks that several beans share by accident. SHARED
 * and EXCLUSIVE under one name are valid, because they form a read-write lock.
 */
final class IdentityCheck {

	private static final Logger logger = LoggerFactory.getLogger(IdentityCheck.class);

	/** Matches a parameter, or a property of a parameter. */
	private static final Pattern BARE = Pattern.compile("#(?!root\\b)\\w+(\\??\\.\\w+(\\(\\))?)*");

	private IdentityCheck() {
	}

	/**
	 * Finds faults that must prevent the start.
	 * @param places annotated methods of the application
	 * @return one exception for each wrong name or method
	 */
	static List<InvalidLockDefinitionException> check(Collection<LockedBeanMethod> places) {
		List<InvalidLockDefinitionException> found = new ArrayList<>();
		places.stream()
			.filter(IdentityCheck::hasBoth)
			.map((place) -> place.invalid("the method has @DistributedSemaphore too, and only one can apply",
					"Keep one of them, and call a method of another bean for the other"))
			.forEach(found::add);
		byName(places).forEach((name, sharers) -> {
			InvalidLockDefinitionException refusal = refusal(name, sharers);
			if (refusal != null) {
				found.add(refusal);
			}
		});
		return found;
	}

	/**
	 * Warns of names that may be a mistake.
	 * @param places all annotated methods of the application
	 */
	static void warn(Collection<LockedBeanMethod> places) {
		byName(places).forEach((name, sharers) -> {
			if (sharers.stream().allMatch(IdentityCheck::isShared)) {
				warnOfSharedOnly(name, sharers);
			}
		});
		places.stream()
			.filter(IdentityCheck::isNameless)
			.collect(Collectors.groupingBy((place) -> place.id().signature(), TreeMap::new, Collectors.toList()))
			.values()
			.forEach(IdentityCheck::warnOfInherited);
		warnOfBareKeys(places);
	}

	/**
	 * Warns of keys that consist only of a value, so that different classes may share a
	 * lock.
	 */
	private static void warnOfBareKeys(Collection<LockedBeanMethod> places) {
		Set<Class<?>> classes = new HashSet<>();
		Set<String> methods = new TreeSet<>();
		for (LockedBeanMethod place : places) {
			LockAttributes attributes = place.attributes();
			if (place.name().isEmpty() && Stream.concat(Stream.of(attributes.key()), attributes.keys().stream())
				.anyMatch((key) -> BARE.matcher(key.strip()).matches())) {
				classes.add(place.id().method().getDeclaringClass());
				methods.add(place.id().describe());
			}
		}
		if (classes.size() > 1) {
			logger.warn("Methods of several classes have a key and no name: {}. They lock the bare value, so calls of "
					+ "different methods with equal values exclude each other. Give them names, the same name only to those "
					+ "that are to exclude each other.", String.join(", ", methods));
		}
	}

	private static boolean isNameless(LockedBeanMethod place) {
		LockAttributes attributes = place.attributes();
		return attributes.name().isEmpty() && attributes.key().isEmpty() && attributes.keys().isEmpty();
	}

	private static Map<String, List<LockedBeanMethod>> byName(Collection<LockedBeanMethod> places) {
		return places.stream()
			.filter((place) -> !place.name().isEmpty())
			.collect(Collectors.groupingBy(LockedBeanMethod::name, TreeMap::new, Collectors.toList()));
	}

	private static @Nullable InvalidLockDefinitionException refusal(String name, List<LockedBeanMethod> sharers) {
		LockedBeanMethod first = sharers.get(0);
		for (LockedBeanMethod other : sharers) {
			if (!other.annotation().equals(first.annotation())) {
				return other.invalid(
						"its name '" + name + "' is also that of " + first.annotation() + " on " + describe(first),
						"Give one of them another name: a lock and a semaphore of one key keep each other out");
			}
			if (!Objects.equals(other.permits(), first.permits())) {
				return other.invalid(
						"'" + name + "' has " + other.permits() + " permits here, but " + first.permits() + " on "
								+ describe(first),
						"Say the same number at both, for instance with a placeholder, or give one another name");
			}
		}
		return null;
	}

	private static String describe(LockedBeanMethod place) {
		return place.id().describe() + " of bean '" + place.bean() + "'";
	}

	private static boolean hasBoth(LockedBeanMethod place) {
		return AnnotatedElementUtils.hasAnnotation(place.id().method(), DistributedLock.class)
				&& AnnotatedElementUtils.hasAnnotation(place.id().method(), DistributedSemaphore.class);
	}

	private static boolean isShared(LockedBeanMethod place) {
		return place.permits() == null && place.attributes().mode() == LockMode.SHARED;
	}

	private static void warnOfSharedOnly(String name, List<LockedBeanMethod> sharers) {
		logger.warn(
				"Lock '{}' is acquired in SHARED mode only, by {}, so no caller in this application excludes another. "
						+ "Ignore this if another application, or code with LockTemplate, acquires it exclusively.",
				name, sharers.stream().map((place) -> place.id().describe()).collect(Collectors.joining(", ")));
	}

	private static void warnOfInherited(List<LockedBeanMethod> sharers) {
		LockedBeanMethod first = sharers.get(0);
		Set<String> beans = sharers.stream()
			.map((place) -> "'" + place.bean() + "'")
			.collect(Collectors.toCollection(TreeSet::new));
		if (beans.size() > 1) {
			boolean classes = sharers.stream().noneMatch((place) -> LockAnnotations.isGenerated(place.type()));
			logger.warn(
					"{} of {} has no name and no key, so it is one lock for all beans that have the method: {}. If each "
							+ "is to have its own, {}write key = \"#root.targetClass.name\"; if not, give it a name.",
					first.annotation(), first.id().describe(), String.join(", ", beans),
					classes ? "" : "make each a class and ");
		}
	}

}
