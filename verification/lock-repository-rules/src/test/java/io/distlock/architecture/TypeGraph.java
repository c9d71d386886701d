package io.distlock.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;

/**
 * Which top-level type needs which others. A nested type is a part of the type that it is
 * nested in.
 */
final class TypeGraph {

	private final SortedMap<String, SortedSet<String>> edges = new TreeMap<>();

	private final Map<String, JavaClass> types = new HashMap<>();

	TypeGraph(Collection<JavaClass> classes) {
		for (JavaClass type : classes) {
			if (!type.getSimpleName().equals("package-info")) {
				JavaClass top = top(type);
				this.types.put(top.getName(), top);
				this.edges.computeIfAbsent(top.getName(), (name) -> new TreeSet<>());
			}
		}
		for (JavaClass type : classes) {
			type.getDirectDependenciesFromSelf().forEach(this::add);
		}
	}

	private void add(Dependency dependency) {
		String origin = top(dependency.getOriginClass()).getName();
		String target = top(dependency.getTargetClass().getBaseComponentType()).getName();
		if (!origin.equals(target) && this.types.containsKey(origin) && this.types.containsKey(target)) {
			this.edges.get(origin).add(target);
		}
	}

	private static JavaClass top(JavaClass type) {
		JavaClass top = type;
		while (top.getEnclosingClass().isPresent()) {
			top = top.getEnclosingClass().get();
		}
		return top;
	}

	/**
	 * The groups of types that all need each other, the largest ones first. A sealed type
	 * and its permitted ones are no group: they are one idea by definition.
	 */
	List<Set<String>> cycles() {
		List<Set<String>> found = new ArrayList<>(new Components().all());
		found.removeIf((group) -> group.size() == 1 || group.stream().anyMatch((name) -> isFamily(name, group)));
		found.sort(Comparator.comparingInt((Set<String> group) -> group.size()).reversed());
		return found;
	}

	private boolean isFamily(String name, Set<String> group) {
		Class<?> type = this.types.get(name).reflect();
		return type.isSealed() && Stream.concat(Stream.of(type), Stream.of(type.getPermittedSubclasses()))
			.map(Class::getName)
			.toList()
			.containsAll(group);
	}

	/** Tarjan's strongly connected components. */
	private final class Components {

		private final List<Set<String>> all = new ArrayList<>();

		private final Map<String, Integer> numbers = new HashMap<>();

		private final Map<String, Integer> lowest = new HashMap<>();

		private final Deque<String> open = new ArrayDeque<>();

		List<Set<String>> all() {
			for (String type : TypeGraph.this.edges.keySet()) {
				if (!this.numbers.containsKey(type)) {
					visit(type);
				}
			}
			return this.all;
		}

		private void visit(String type) {
			int number = this.numbers.size();
			this.numbers.put(type, number);
			this.lowest.put(type, number);
			this.open.push(type);
			for (String target : TypeGraph.this.edges.get(type)) {
				if (!this.numbers.containsKey(target)) {
					visit(target);
					this.lowest.merge(type, this.lowest.get(target), Math::min);
				}
				else if (this.open.contains(target)) {
					this.lowest.merge(type, this.numbers.get(target), Math::min);
				}
			}
			if (this.lowest.get(type) == number) {
				Set<String> component = new TreeSet<>();
				String member;
				do {
					member = this.open.pop();
					component.add(member);
				}
				while (!member.equals(type));
				this.all.add(component);
			}
		}

	}

}
