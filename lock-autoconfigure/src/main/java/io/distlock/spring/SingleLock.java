package io.distlock.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Refuses several annotations in one place: only one of them would count. */
final class SingleLock {

	private SingleLock() {
	}

	static void check(LockSite site, Class<?> targetClass) {
		// One of each on a method is told by IdentityCheck, wherever they are.
		checkPlace(site, names(site.method(), DistributedLock.class));
		checkPlace(site, names(site.method(), DistributedSemaphore.class));
		for (Class<?> type = targetClass; type != null; type = type.getSuperclass()) {
			checkPlace(site,
					Stream
						.concat(names(type, DistributedLock.class).stream(),
								names(type, DistributedSemaphore.class).stream())
						.toList());
		}
	}

	private static List<String> names(AnnotatedElement place, Class<? extends Annotation> kind) {
		return MergedAnnotations.from(place, SearchStrategy.DIRECT)
			.stream(kind)
			.map((annotation) -> "@" + annotation.getRoot().getType().getSimpleName())
			.toList();
	}

	private static void checkPlace(LockSite site, List<String> names) {
		if (names.size() > 1) {
			throw site.invalid(
					"several annotations in one place say what to lock, and only one would count: "
							+ names.stream().sorted().collect(Collectors.joining(", ")),
					"Leave one of them, and take another lock in the body with LockTemplate or in a method of its own");
		}
	}

}
