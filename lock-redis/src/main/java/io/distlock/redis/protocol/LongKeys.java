package io.distlock.redis.protocol;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * The keys behind names that do not contain them. A message says only the name. Whoever
 * waits for a lock or holds it has its key, so that none is kept here for longer.
 */
public final class LongKeys {

	private final Map<String, Key> keys = new ConcurrentHashMap<>();

	private final ReferenceQueue<String> unused = new ReferenceQueue<>();

	public void put(String name, String key) {
		for (Object old = this.unused.poll(); old != null; old = this.unused.poll()) {
			this.keys.remove(((Key) old).name, old);
		}
		// Another object of the same text may be dropped earlier than this one.
		this.keys.compute(name,
				(same, known) -> (known != null && known.refersTo(key)) ? known : new Key(same, key, this.unused));
	}

	public @Nullable String get(String name) {
		Key key = this.keys.get(name);
		return (key != null) ? key.get() : null;
	}

	public int size() {
		return this.keys.size();
	}

	private static final class Key extends WeakReference<String> {

		private final String name;

		private Key(String name, String key, ReferenceQueue<String> unused) {
			super(key, unused);
			this.name = name;
		}

	}

}
