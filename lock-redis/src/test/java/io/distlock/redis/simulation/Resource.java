package io.distlock.redis.simulation;

import java.util.HashMap;
import java.util.Map;

/**
 * What a lock protects: refuses tokens lower than the highest it has seen, and those of
 * writers also if a reader had a higher one.
 */
final class Resource {

	private final Map<String, Long> written = new HashMap<>();

	private final Map<String, Long> read = new HashMap<>();

	private final World world;

	Resource(World world) {
		this.world = world;
	}

	void write(String key, long token) {
		if (token < Math.max(this.written.getOrDefault(key, 0L), this.read.getOrDefault(key, 0L))) {
			refuse(key, token);
		}
		else {
			this.written.put(key, token);
			this.world.rules().used(key, token, true);
		}
	}

	void read(String key, long token) {
		if (token < this.written.getOrDefault(key, 0L)) {
			refuse(key, token);
		}
		else {
			this.read.merge(key, token, Math::max);
			this.world.rules().used(key, token, false);
		}
	}

	private void refuse(String key, long token) {
		this.world.figures().staleWrites++;
		this.world.trace().add("resource", "refuses", key, token);
	}

}
