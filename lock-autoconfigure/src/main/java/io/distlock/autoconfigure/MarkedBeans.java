package io.distlock.autoconfigure;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * Finds the connection of a store among several beans. It prefers the bean that is marked
 * with the id of the store, then the bean that is marked without an id, then the only or
 * primary bean.
 */
public final class MarkedBeans {

	private MarkedBeans() {
	}

	/**
	 * Finds the bean of a store.
	 * @param <T> the type of the bean
	 * @param beans the beans of the application
	 * @param type the type of the bean
	 * @param mark the annotation that marks beans, with the id of a store as its value
	 * @param id the id of the store
	 * @return empty if there is no bean of the type
	 * @throws NoUniqueBeanDefinitionException if the choice is open
	 */
	public static <T> Optional<T> find(ListableBeanFactory beans, Class<T> type, Class<? extends Annotation> mark,
			String id) {
		String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type);
		for (String wanted : List.of(id, "")) {
			List<String> marked = Arrays.stream(names)
				.filter((name) -> wanted.equals(markOf(beans, name, mark).orElse(null)))
				.toList();
			if (marked.size() > 1) {
				throw new NoUniqueBeanDefinitionException(type, marked);
			}
			if (!marked.isEmpty()) {
				return Optional.of(beans.getBean(marked.get(0), type));
			}
		}
		return Optional.ofNullable(beans.getBeanProvider(type).getIfAvailable());
	}

	private static Optional<String> markOf(ListableBeanFactory beans, String name, Class<? extends Annotation> mark) {
		return Optional.ofNullable(beans.findAnnotationOnBean(name, mark))
			.map((found) -> MergedAnnotations.from(found).get(mark).getString("value"));
	}

}
