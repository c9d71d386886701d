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

/**
 * A number for a state: two schedules that lead to the same state need to be continued
 * once only. Reads all fields of all objects; those that only serve messages, or connect
 * the objects, are left out.
 */
final class ModelFingerprint {

	private static final Set<String> IGNORED = Set.of("Holder", "Instant", "Housekeeper", "WakeTime", "Messages",
			"Callbacks", "RenewalLag", "EngineClock", "ClockWatch", "StoreClock", "ListenerNotifier", "LockSettings",
			"ModelClock", "ModelInstance");

	private static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();

	private final Map<Object, Integer> visited = new IdentityHashMap<>();

	private long hash = 1;

	long value() {
		return this.hash;
	}

	void add(Object object) {
		if (object == null) {
			mix(7);
		}
		else if (object instanceof AtomicLong number) {
			mix(number.get());
		}
		else if (object instanceof Number || object instanceof Boolean || object instanceof String
				|| object instanceof Duration) {
			mix(object.hashCode() * 0x9E3779B97F4A7C15L);
		}
		else if (object instanceof Enum<?> constant) {
			mix(constant.ordinal() + 11);
		}
		else if (object instanceof Thread thread) {
			mix(thread.getName().hashCode());
		}
		else if (!ignored(object)) {
			addOnce(object);
		}
	}

	private static boolean ignored(Object object) {
		return IGNORED.contains(object.getClass().getSimpleName()) || object instanceof CompletionStage<?>
				|| object.getClass().isHidden() || object instanceof Throwable;
	}

	private void addOnce(Object object) {
		Integer known = this.visited.putIfAbsent(object, this.visited.size());
		if (known != null) {
			mix(known + 1000);
		}
		else if (object instanceof Map<?, ?> map) {
			mix(map.size());
			map.forEach((key, value) -> {
				add(key);
				add(value);
			});
		}
		else if (object instanceof Collection<?> elements) {
			mix(elements.size());
			elements.forEach(this::add);
		}
		else if (object.getClass().getName().startsWith("io.distlock.")) {
			addFields(object);
		}
	}

	private void addFields(Object object) {
		try {
			for (Field field : FIELDS.computeIfAbsent(object.getClass(), ModelFingerprint::fields)) {
				// The jitter of repetitions is hidden by the clock.
				if ("nextSend".equals(field.getName())) {
					mix(ModelClock.onGrid(field.getLong(object)));
				}
				else if (field.getType() == long.class) {
					mix(field.getLong(object));
				}
				else if (field.getType() == boolean.class) {
					mix(field.getBoolean(object) ? 1 : 2);
				}
				else {
					add(field.get(object));
				}
			}
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<Field> fields(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> declaring = type; declaring != Object.class; declaring = declaring.getSuperclass()) {
			for (Field field : declaring.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers())) {
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

}
