package io.distlock.reliability.rig;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import io.distlock.CloseableLockTemplate;

/**
 * What a template still has in memory, in words. By reflection: an engine that describes
 * itself would have to be thread-safe about it, for nobody but this test. What it says
 * may be torn.
 */
final class Entries {

	private Entries() {
	}

	static String describe(CloseableLockTemplate template) {
		StringBuilder text = new StringBuilder();
		try {
			Object context = get(get(template, "engine"), "context");
			Map<?, ?> entries = (Map<?, ?>) get(get(context, "table"), "entries");
			Map<?, ?> slots = (Map<?, ?>) get(get(context, "table"), "slots");
			slots.forEach((slot, entry) -> text.append(slot).append(' ').append(describe(entry)).append('\n'));
			entries.forEach((key, entry) -> text.append(key).append(' ').append(describe(entry)).append('\n'));
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			text.append("cannot be described: ").append(ex);
		}
		return text.toString();
	}

	private static Map<String, Object> describe(Object entry) {
		Map<String, Object> found = new LinkedHashMap<>();
		try {
			long now = System.nanoTime();
			found.put("retired", get(entry, "retired"));
			found.put("dueInMillis", millis((long) get(entry, "due"), now));
			found.put("waiting", ((Collection<?>) get(get(entry, "line"), "waiters")).size());
			found.put("contender", fields(get(get(entry, "contest"), "current"), now));
			found.put("hold", fields(get(get(entry, "holding"), "current"), now));
			found.put("lost", ((Collection<?>) get(get(get(entry, "holding"), "lost"), "holds")).size());
			found.put("withdrawals",
					((Collection<?>) get(get(entry, "withdrawals"), "pending")).stream()
						.map((withdrawal) -> fields(withdrawal, now))
						.toList());
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			found.put("failed", ex);
		}
		return found;
	}

	private static Object fields(Object of, long now) {
		if (of == null) {
			return "none";
		}
		Map<String, Object> found = new LinkedHashMap<>();
		for (Field field : of.getClass().getDeclaredFields()) {
			try {
				field.setAccessible(true);
				Object value = field.get(of);
				found.put(field.getName(),
						(value instanceof Long moment) ? millis(moment, now) + " ms from now" : value);
			}
			catch (ReflectiveOperationException ex) {
				found.put(field.getName(), ex);
			}
		}
		return found;
	}

	private static long millis(long moment, long now) {
		return (moment - now) / 1_000_000;
	}

	private static Object get(Object of, String name) throws ReflectiveOperationException {
		Field field = of.getClass().getDeclaredField(name);
		field.setAccessible(true);
		return field.get(of);
	}

}
