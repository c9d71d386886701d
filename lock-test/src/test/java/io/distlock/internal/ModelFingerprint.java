package io.distlock.internal;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A number for a state: two schedules that lead to the same state need to be continued
 * once only. Reads all fields of all objects; those that only serve messages, or connect
 * the objects, are left out.
 */
final class ModelFingerprint {

	private static final Set<String> IGNORED = Set.of("Holder", "Instant", "Housekeeper", "WakeTime", "Messages",
			"Callbacks", "InOrder", "RenewalLag", "EngineClock", "ClockWatch", "LockSettings", "ModelClock",
			"ModelInstance", "StoreOutage");

	/**
	 * When the in-memory server looks for locks that were not used for ten seconds: after
	 * more commands than a schedule has. A look at the lock counts too, and decides
	 * nothing.
	 */
	private static final Set<String> COUNTERS = Set.of("operations", "touchedAt");

	/**
	 * What there is to know of a class, looked up for each object: nearly all the time of
	 * a search.
	 */
	private static final Map<Class<?>, Shape> SHAPES = new HashMap<>();

	/** More objects than a state has, so that it does not grow. */
	private static final int OBJECTS = 200;

	private final Map<Object, Integer> visited = new IdentityHashMap<>(OBJECTS);

	private long hash = 1;

	long value() {
		return this.hash;
	}

	void add(Object object) {
		if (object == null) {
			mix(7);
			return;
		}
		Shape shape = shape(object.getClass());
		switch (shape.kind()) {
			case NUMBER_THAT_CHANGES -> mix(((AtomicLong) object).get());
			case VALUE -> mix(object.hashCode() * 0x9E3779B97F4A7C15L);
			case CONSTANT -> mix(((Enum<?>) object).ordinal() + 11);
			case THREAD -> mix(((Thread) object).getName().hashCode());
			case IGNORED -> {
			}
			default -> addOnce(object, shape);
		}
	}

	private void addOnce(Object object, Shape shape) {
		Integer known = this.visited.putIfAbsent(object, this.visited.size());
		if (known != null) {
			mix(known + 1000);
			return;
		}
		switch (shape.kind()) {
			case MAP -> {
				Map<?, ?> map = (Map<?, ?>) object;
				mix(map.size());
				map.forEach((key, value) -> {
					add(key);
					add(value);
				});
			}
			case COLLECTION -> {
				Collection<?> elements = (Collection<?>) object;
				mix(elements.size());
				elements.forEach(this::add);
			}
			case FIELDS -> addFields(object, shape);
			default -> {
			}
		}
	}

	private void addFields(Object object, Shape shape) {
		try {
			for (Part part : shape.parts()) {
				Field field = part.field();
				switch (part.kind()) {
					case ON_GRID -> mix(ModelClock.onGrid(field.getLong(object)));
					case LONG -> mix(field.getLong(object));
					case BOOLEAN -> mix(field.getBoolean(object) ? 1 : 2);
					case OBJECT -> add(field.get(object));
				}
			}
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Shape shape(Class<?> type) {
		Shape known = SHAPES.get(type);
		if (known == null) {
			Kind kind = kind(type);
			known = new Shape(kind,
					(kind == Kind.FIELDS) ? fields(type).stream().map(Part::of).toArray(Part[]::new) : new Part[0]);
			SHAPES.put(type, known);
		}
		return known;
	}

	private static Kind kind(Class<?> type) {
		if (AtomicLong.class.isAssignableFrom(type)) {
			return Kind.NUMBER_THAT_CHANGES;
		}
		if (Stream.of(Number.class, Boolean.class, String.class, Duration.class)
			.anyMatch((value) -> value.isAssignableFrom(type))) {
			return Kind.VALUE;
		}
		if (Enum.class.isAssignableFrom(type)) {
			return Kind.CONSTANT;
		}
		if (Thread.class.isAssignableFrom(type)) {
			return Kind.THREAD;
		}
		if (IGNORED.contains(type.getSimpleName()) || CompletionStage.class.isAssignableFrom(type) || type.isHidden()
				|| Throwable.class.isAssignableFrom(type)) {
			return Kind.IGNORED;
		}
		if (Map.class.isAssignableFrom(type)) {
			return Kind.MAP;
		}
		if (Collection.class.isAssignableFrom(type)) {
			return Kind.COLLECTION;
		}
		return type.getName().startsWith("io.distlock.") ? Kind.FIELDS : Kind.OPAQUE;
	}

	private static List<Field> fields(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> declaring = type; declaring != Object.class; declaring = declaring.getSuperclass()) {
			for (Field field : declaring.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && !COUNTERS.contains(field.getName())) {
					field.setAccessible(true);
					fields.add(field);
				}
			}
		}
		return fields;
	}

	private void mix(long value) {
		long mixed = (this.hash ^ value) * 0xBF58476D1CE4E5B9L;
		this.hash = (mixed ^ (mixed >>> 31)) * 0x94D049BB133111EBL + 1;
	}

	private enum Kind {

		NUMBER_THAT_CHANGES, VALUE, CONSTANT, THREAD, IGNORED, MAP, COLLECTION, FIELDS, OPAQUE

	}

	/** How objects of a class are read. */
	private record Shape(Kind kind, Part[] parts) {
	}

	/** How a field is read. */
	private record Part(Field field, PartKind kind) {

		static Part of(Field field) {
			// The jitter of repetitions is hidden by the clock.
			if ("nextSend".equals(field.getName())) {
				return new Part(field, PartKind.ON_GRID);
			}
			if (field.getType() == long.class) {
				return new Part(field, PartKind.LONG);
			}
			return new Part(field, (field.getType() == boolean.class) ? PartKind.BOOLEAN : PartKind.OBJECT);
		}

	}

	private enum PartKind {

		ON_GRID, LONG, BOOLEAN, OBJECT

	}

}
