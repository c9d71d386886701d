package io.distlock.redis.protocol;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A deliberate mistake in the scripts: code, and what it is replaced by. Spaces and line
 * breaks need not be those of the scripts, so code may be moved and indented otherwise.
 * If no script has the code, the error names the line that comes closest.
 */
public record ScriptChange(String code, String replacement) {

	/** Applies the change to every script that has the code. */
	public <K> Map<K, String> in(Map<K, String> scripts) {
		Pattern pattern = Pattern.compile(
				Arrays.stream(this.code.trim().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+")));
		Map<K, String> changed = new LinkedHashMap<>(scripts);
		changed.replaceAll((key, text) -> pattern.matcher(text).replaceAll(Matcher.quoteReplacement(this.replacement)));
		if (changed.equals(scripts)) {
			throw new IllegalArgumentException(
					"No script has this code any more: " + this.code + ". Did it become: " + closest(scripts) + "?");
		}
		return changed;
	}

	private String closest(Map<?, String> scripts) {
		return scripts.values()
			.stream()
			.flatMap(String::lines)
			.map(String::trim)
			.distinct()
			.max(Comparator.comparingLong(this::wordsInCommon).thenComparingInt((line) -> -line.length()))
			.orElse("");
	}

	private long wordsInCommon(String line) {
		return Arrays.stream(this.code.split("\\W+")).distinct().filter(line::contains).count();
	}

}
