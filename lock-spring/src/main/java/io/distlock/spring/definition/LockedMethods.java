package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.distlock.spring.ConfiguredLock;

/** The annotated methods of an application, each resolved once. */
public final class LockedMethods {

	private final Map<MethodClassKey, LockedMethod> known = new ConcurrentHashMap<>();

	private final LockDefinitionReader reader;

	private final ConfiguredLocks overrides;

	/**
	 * Creates an empty register.
	 * @param beanFactory resolves placeholders and the beans that keys refer to
	 * @param overrides the configuration by lock name, which overrides the annotation
	 */
	public LockedMethods(ConfigurableBeanFactory beanFactory, Map<String, ConfiguredLock> overrides) {
		this.overrides = new ConfiguredLocks(overrides);
		this.reader = new LockDefinitionReader(beanFactory, this.overrides);
	}

	public LockedMethod get(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		LockedMethod found = this.known.get(key);
		if (found != null) {
			return found;
		}
		LockAttributes attributes = LockAnnotations.find(method, targetClass);
		if (attributes == null) {
			throw new IllegalStateException("Neither @DistributedLock nor @DistributedSemaphore applies to " + method
					+ " of " + targetClass.getName());
		}
		Method specific = LockAnnotations.specific(method, targetClass);
		LockedMethodId id = new LockedMethodId(specific, targetClass);
		OneAnnotationCheck.check(id, targetClass);
		AliasCheck.check(id, targetClass);
		LockedMethod read = this.reader.read(specific, targetClass, attributes);
		LockedMethod earlier = this.known.putIfAbsent(key, read);
		return (earlier != null) ? earlier : read;
	}

	/**
	 * Returns all methods of a class to which the annotation applies, whether or not
	 * proxies see them.
	 */
	public Set<Method> on(Class<?> type) {
		MetadataLookup<LockAttributes> lookup = (method) -> LockAnnotations.find(method, type);
		return MethodIntrospector.selectMethods(type, lookup)
			.keySet()
			.stream()
			.map((method) -> LockAnnotations.specific(method, type))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** Returns the methods of a class that want a fencing token but have no lock. */
	public static Set<Method> withTokenButWithoutLock(Class<?> type) {
		Set<Class<?>> contracts = new LinkedHashSet<>(ClassUtils.getAllInterfacesForClassAsSet(type));
		contracts.add(type);
		Set<Method> found = new LinkedHashSet<>();
		contracts.forEach((contract) -> ReflectionUtils.doWithMethods(contract,
				(method) -> found.add(LockAnnotations.specific(method, type)), TokenParameter::isOn));
		found.removeIf((method) -> LockAnnotations.find(method, type) != null);
		return found;
	}

	/** Returns the names of the locks resolved so far. */
	public SortedSet<String> names() {
		return this.known.values()
			.stream()
			.map(LockedMethod::name)
			.filter((name) -> !name.isEmpty())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** Returns names that are configured but belong to no method. */
	public SortedSet<String> unknownNames() {
		return this.overrides.besides(names());
	}

	/** Returns the lock that a configured name of no method may mean. */
	public Optional<String> meantBy(String unknownName) {
		return ConfiguredLocks.meantBy(unknownName, names());
	}

}
