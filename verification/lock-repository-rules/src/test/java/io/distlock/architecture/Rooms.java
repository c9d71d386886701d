package io.distlock.architecture;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/**
 * The packages and which others each may know. Every package of ours has to be here. One
 * that ends in {@code ..} stands for its subpackages too.
 */
final class Rooms {

	private static final String ROOT = "io.distlock";

	private final Map<String, Set<String>> known = new LinkedHashMap<>();

	/** The packages may know these others, and each other if it is one name. */
	Rooms room(String name, String... others) {
		this.known.put(name, Set.of(others));
		return this;
	}

	Set<String> names() {
		return this.known.keySet();
	}

	/** Each type knows the rooms that its own room may know. */
	ArchCondition<JavaClass> respected() {
		return new ArchCondition<>("depend on nothing but the rooms that their own may know") {
			@Override
			public void check(JavaClass type, ConditionEvents events) {
				Optional<String> room = roomOf(type);
				if (room.isEmpty()) {
					events.add(SimpleConditionEvent.violated(type, type.getName() + " is in no room"));
					return;
				}
				for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
					JavaClass target = dependency.getTargetClass().getBaseComponentType();
					if (isOurs(target) && roomOf(target).filter((other) -> mayKnow(room.get(), other)).isEmpty()) {
						events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
					}
				}
			}
		};
	}

	/** Rooms that no type is in, and permissions that no type uses. */
	Set<String> unused(Iterable<JavaClass> classes) {
		Set<String> unused = new TreeSet<>();
		this.known.forEach((room, others) -> {
			unused.add(room);
			others.forEach((other) -> unused.add(room + " -> " + other));
		});
		for (JavaClass type : classes) {
			roomOf(type).ifPresent((room) -> {
				unused.remove(room);
				type.getDirectDependenciesFromSelf()
					.forEach((dependency) -> roomOf(dependency.getTargetClass().getBaseComponentType())
						.ifPresent((other) -> unused.remove(room + " -> " + other)));
			});
		}
		return unused;
	}

	private boolean mayKnow(String room, String other) {
		return room.equals(other) || this.known.getOrDefault(room, Set.of()).contains(other);
	}

	private static boolean isOurs(JavaClass type) {
		return (type.getPackageName() + ".").startsWith(ROOT + ".");
	}

	private Optional<String> roomOf(JavaClass type) {
		String name = type.getPackageName();
		return List.copyOf(this.known.keySet())
			.stream()
			.filter((room) -> room.endsWith("..") ? (name + ".").startsWith(room.substring(0, room.length() - 1))
					: name.equals(room))
			.max((one, other) -> Integer.compare(one.length(), other.length()));
	}

}
