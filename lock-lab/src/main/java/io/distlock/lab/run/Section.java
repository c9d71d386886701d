package io.distlock.lab.run;

/**
 * The time that a caller was inside.
 *
 * @param node the node
 * @param caller number of the caller
 * @param from milliseconds since the run began
 * @param to milliseconds since the run began
 * @param overlap whether more were inside than may be
 */
public record Section(String node, int caller, double from, double to, boolean overlap) {
}
