package io.distlock.spring;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.stream.Collectors;

import io.distlock.DistributedLock;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Refuses several annotations in one place: only one of them would count. */
final class SingleLock {

	private SingleLock() {
	}

	static void check(LockSite site, Class<?> targetClass) {
		checkPlace(site, site.method());
		checkPlace(site, targetClass);
	}

	private static void checkPlace(LockSite site, AnnotatedElement element) {
		List<String> names = MergedAnnotations.from(element, SearchStrategy.DIRECT)
			.stream(DistributedLock.class)
			.map((annotation) -> "@" + annotation.getRoot().getType().getSimpleName())
			.toList();
		if (names.size() > 1) {
			throw site.invalid(
					"several annotations in one place say what to lock, and only one would count: "
							+ names.stream().sorted().collect(Collectors.joining(", ")),
					"Leave one of them, and take another lock in the body with LockTemplate or in a method of its own");
		}
	}

}
