package io.distlock.spring.definition;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.MergedAnnotations;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;

/** Rejects several annotations in one place, because only one of them would apply. */
final class OneAnnotationCheck {

	private OneAnnotationCheck() {
	}

	static void check(LockedMethodId id, Class<?> targetClass) {
		// The check of identities refuses a lock beside a semaphore on one method.
		checkPlace(id, names(id.method(), DistributedLock.class));
		checkPlace(id, names(id.method(), DistributedSemaphore.class));
		for (Class<?> type = targetClass; type != null; type = type.getSuperclass()) {
			if (type.getDeclaredAnnotations().length > 0) {
				checkPlace(id,
						Stream
							.concat(names(type, DistributedLock.class).stream(),
									names(type, DistributedSemaphore.class).stream())
							.toList());
			}
		}
	}

	private static List<String> names(AnnotatedElement place, Class<? extends Annotation> kind) {
		return MergedAnnotations.from(place, SearchStrategy.DIRECT)
			.stream(kind)
			.map((annotation) -> "@" + annotation.getRoot().getType().getSimpleName())
			.toList();
	}

	private static void checkPlace(LockedMethodId id, List<String> names) {
		if (names.size() > 1) {
			throw id.invalid(
					"several annotations in one place say what to lock, and only one would count: "
							+ names.stream().sorted().collect(Collectors.joining(", ")),
					"Keep one of them, and take another lock in the body with LockTemplate or in another method");
		}
	}

}
