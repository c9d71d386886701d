package io.distlock.test.records;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.records.place.RecordTraits.Lifetime;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing is kept of keys that were used once. The test counts what all maps and
 * collections have that can be reached from a template, whatever they are for.
 */
class KeysUsedOnceTests {

	/** More than any bounded memory keeps. */
	private static final int KEYS = 6000;

	/** What comes and goes, such as a command that is under way. */
	private static final int PASSING = 50;

	@ParameterizedTest
	@CsvSource({ "CLOCK, false", "CLOCK, true", "SESSION, true" })
	void aStoreOnRecordsKeepsNothing(Lifetime lifetime, boolean notifies) throws Exception {
		MemoryPlace place = new MemoryPlace(lifetime, notifies, Instant::now);
		assertNothingKept(
				new RecordLockStore(place.newRecords(), (notifies ? RecordSettings.NOTIFIED : RecordSettings.POLLED)
					.withCommandTimeout(Duration.ofSeconds(10))),
				() -> {
				});
	}

	@Test
	void theStoreInMemoryKeepsNothingForLong() throws Exception {
		AtomicLong ahead = new AtomicLong();
		assertNothingKept(new InMemoryLockStore(new InMemoryLockServer(new Ahead(ahead), Runnable::run)),
				() -> ahead.addAndGet(Duration.ofMinutes(1).toNanos()));
	}

	private static void assertNothingKept(LockStore store, Runnable later) throws Exception {
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store).build()) {
			use(template, 0, later);
			long before = entries(template);
			use(template, KEYS, later);
			assertThat(entries(template) - before).isLessThan(PASSING);
		}
	}

	private static void use(CloseableLockTemplate template, int from, Runnable later) {
		for (int i = from; i < from + KEYS; i++) {
			try (LockHandle lock = template.acquire("once:" + i)) {
				assertThat(template.tryAcquire(LockRequest.of("once:" + i))).as("nested")
					.isPresent()
					.get()
					.satisfies(LockHandle::close);
			}
		}
		later.run();
		// Stores sweep while they are used.
		for (int i = 0; i < 1100; i++) {
			template.acquire("many").close();
		}
	}

	/** Counts the entries of all maps and collections of this project's objects. */
	private static long entries(Object root) throws IllegalAccessException {
		Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		Deque<Object> left = new ArrayDeque<>(List.of(root));
		long entries = 0;
		while (!left.isEmpty()) {
			Object next = left.pop();
			if (!seen.add(next)) {
				continue;
			}
			if (next instanceof Map<?, ?> map) {
				entries += map.size();
				map.forEach((key, value) -> addAll(left, key, value));
			}
			else if (next instanceof Collection<?> collection) {
				entries += collection.size();
				collection.forEach((each) -> addAll(left, each));
			}
			else if (next instanceof AtomicReference<?> reference) {
				addAll(left, reference.get());
			}
			else if (next instanceof Object[] array) {
				addAll(left, array);
			}
			else if (isOurs(next.getClass())) {
				follow(next, left);
			}
		}
		return entries;
	}

	/** The place keeps its records, as a database keeps its rows. */
	private static boolean isOurs(Class<?> type) {
		return type.getName().startsWith("io.distlock.") && type != MemoryPlace.class
				&& type != MemoryLockRecords.class;
	}

	private static void follow(Object object, Deque<Object> left) throws IllegalAccessException {
		for (Class<?> type = object.getClass(); type != null && isOurs(type); type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
					field.setAccessible(true);
					addAll(left, field.get(object));
				}
			}
		}
	}

	private static void addAll(Deque<Object> left, Object... objects) {
		for (Object object : objects) {
			if (object != null) {
				left.push(object);
			}
		}
	}

	/** The machine's clock, until the test moves it on. */
	private record Ahead(AtomicLong nanos) implements LockClock {

		@Override
		public long nanoTime() {
			return LockClock.system().nanoTime() + this.nanos.get();
		}

		@Override
		public Instant instant() {
			return LockClock.system().instant().plusNanos(this.nanos.get());
		}

		@Override
		public void park(long nanos) {
			LockClock.system().park(nanos);
		}

	}

}
