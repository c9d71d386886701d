package io.distlock.spring.definition;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.support.ForeignText;

/**
 * Rejects a {@code value} beside a different {@code key}. Also rejects an attribute of
 * the application's annotations that has the name of a lock attribute without being its
 * alias. Spring Framework 6 takes such an attribute for an alias and Spring Framework 7
 * does not. So an upgrade would give a method another lock, and the new instances would
 * not exclude the old instances.
 */
final class AliasCheck {

	private AliasCheck() {
	}

	static void check(LockedMethodId id, Class<?> targetClass) {
		for (AnnotatedElement place : List.of(id.method(), targetClass)) {
			MergedAnnotations found = MergedAnnotations.from(place, SearchStrategy.TYPE_HIERARCHY);
			found.stream(DistributedLock.class).forEach((lock) -> check(id, lock));
			found.stream(DistributedSemaphore.class).forEach((semaphore) -> check(id, semaphore));
		}
	}

	private static void check(LockedMethodId id, MergedAnnotation<? extends Annotation> found) {
		checkKey(id, found.getString(MergedAnnotation.VALUE), found.getString("key"));
		// Spring never takes "value" for an alias because of its name.
		Set<String> names = Arrays.stream(found.getType().getDeclaredMethods())
			.map(Method::getName)
			.filter((name) -> !name.equals(MergedAnnotation.VALUE))
			.collect(Collectors.toSet());
		for (MergedAnnotation<?> own = found.getMetaSource(); own != null; own = own.getMetaSource()) {
			String type = own.getType().getSimpleName();
			Arrays.stream(own.getType().getDeclaredMethods())
				.filter((attribute) -> names.contains(attribute.getName()))
				.filter((attribute) -> !attribute.isAnnotationPresent(AliasFor.class))
				.min(Comparator.comparing(Method::getName))
				.ifPresent((attribute) -> {
					throw id.invalid(
							"@" + type + " has an attribute '" + ForeignText.of(attribute.getName())
									+ "' that is no alias: with Spring Framework 6 it sets that of @"
									+ found.getType().getSimpleName() + ", with 7 it does not",
							"Annotate it with @AliasFor(annotation = " + found.getType().getSimpleName()
									+ ".class, attribute = \"" + attribute.getName() + "\"), or give it another name");
				});
		}
	}

	private static void checkKey(LockedMethodId id, String value, String key) {
		if (!value.isEmpty() && !key.isEmpty() && !value.equals(key)) {
			throw id.invalid("value is '" + ForeignText.of(value) + "' and key is '" + ForeignText.of(key)
					+ "', but both are the same attribute", "Write one of them");
		}
	}

}
