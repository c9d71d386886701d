package io.distlock.migration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.support.ForeignText;

/**
 * Names locks by patterns, so that no two locks have one name in the other library.
 *
 * @param path the prefix of the properties in messages
 * @param all the pattern of all other locks
 * @param byName the patterns of single locks by name
 */
record NamePatterns(String path, String all, Map<String, String> byName) implements ForeignLockNames {

	private static final String KEY = "{key}";

	private static final String ID = "{id}";

	NamePatterns {
		if (!all.contains(KEY)) {
			throw new LockConfigurationException(
					"The property " + path + "key is '" + ForeignText.of(all)
							+ "', so that all locks would have one name.",
					"Write {key} where the key of the lock belongs.");
		}
	}

	@Override
	public String of(String store, String key) {
		return longest(key).map((name) -> {
			String id = key.substring(Math.min(key.length(), name.length() + 1));
			String pattern = this.byName.getOrDefault(name, this.all);
			if (!id.isEmpty() && !pattern.contains(KEY) && !pattern.contains(ID)) {
				throw new IllegalArgumentException("All locks '" + ForeignText.of(name) + ":<id>' would be '"
						+ ForeignText.of(pattern) + "' there: write {id} in " + this.path + "names." + name);
			}
			return pattern.replace(KEY, key).replace(ID, id);
		}).orElseGet(() -> this.all.replace(KEY, key));
	}

	private Optional<String> longest(String key) {
		return this.byName.keySet()
			.stream()
			.filter((name) -> key.equals(name) || key.startsWith(name + ":"))
			.max(Comparator.comparingInt(String::length));
	}

	/**
	 * Refuses patterns that could give two locks one name.
	 * @param routed the names of the locks that are in the store
	 */
	void check(List<String> routed) {
		List<Range> ranges = new ArrayList<>();
		Stream<String> parts = this.byName.keySet()
			.stream()
			.filter((name) -> routed.stream().anyMatch((whole) -> name.startsWith(whole + ":")));
		for (String name : Stream.concat(routed.stream(), parts).distinct().toList()) {
			Range range = new Range(name, this.byName.getOrDefault(name, this.all.replace(KEY, name + ":" + ID)));
			ranges.stream().filter(range::meets).findFirst().ifPresent((other) -> {
				throw new LockConfigurationException(
						"The locks '" + ForeignText.of(other.name()) + "' and '" + ForeignText.of(name)
								+ "' could have the same name in the other library: " + ForeignText.of(other.pattern())
								+ " and " + ForeignText.of(range.pattern()) + ".",
						"Change " + this.path + "names, so that each lock has a name of its own there.");
			});
			ranges.add(range);
		}
	}

	/**
	 * The names that the keys of one lock have.
	 *
	 * @param name the name of the lock here
	 * @param pattern the pattern of its names there
	 */
	private record Range(String name, String pattern) {

		private String before() {
			return this.pattern.split("\\{(id|key)}", 2)[0];
		}

		private String after() {
			return before().equals(this.pattern) ? "" : this.pattern.replaceFirst("(?s).*\\{(id|key)}", "");
		}

		boolean meets(Range other) {
			return (before().startsWith(other.before()) || other.before().startsWith(before()))
					&& (after().endsWith(other.after()) || other.after().endsWith(after()));
		}

	}

}
