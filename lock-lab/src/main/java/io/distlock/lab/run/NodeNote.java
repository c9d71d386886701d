package io.distlock.lab.run;

/**
 * A node changes.
 *
 * @param at milliseconds since the run began
 * @param node the node
 * @param state {@code up}, {@code killed}, {@code frozen} or {@code thawed}
 * @param threads how many callers the node runs at the same time
 * @param virtual whether on virtual threads
 */
public record NodeNote(long at, String node, String state, int threads, boolean virtual) {
}
