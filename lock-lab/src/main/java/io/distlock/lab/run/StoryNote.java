package io.distlock.lab.run;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Something that a reader needs to know to understand a run. The page has the words. Some
 * are found out later than they happened, so the order of numbers is not that of times.
 *
 * @param id its number in the run, from 1
 * @param at milliseconds since the run began
 * @param kind what happened, for instance {@code granted} or {@code lease-ended}
 * @param node the node, {@code null} for a server
 * @param caller number of the caller, or {@code null}
 * @param values more about it, depending on the kind
 */
public record StoryNote(int id, double at, String kind, @Nullable String node, @Nullable Integer caller,
		Map<String, Object> values) {
}
