package io.distlock.redis.simulation;

import java.util.HashMap;
import java.util.Map;

/** What a lock protects: refuses tokens lower than the highest it has seen. */
final class Resource {

	private final Map<String, Long> highest = new HashMap<>();

	private final World world;

	Resource(World world) {
		this.world = world;
	}

	void write(String key, long token) {
		if (token < this.highest.getOrDefault(key, 0L)) {
			this.world.figures().staleWrites++;
			this.world.trace().add("resource", "refuses", key, token);
		}
		else {
			this.highest.put(key, token);
			this.world.rules().written(key, token);
		}
	}

}
