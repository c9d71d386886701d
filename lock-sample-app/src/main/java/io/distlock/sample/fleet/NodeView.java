package io.distlock.sample.fleet;

/**
 * A node as readers see it.
 *
 * @param node its name
 * @param port where it serves, 0 as long as it starts
 * @param pid its process
 * @param state {@code starting}, {@code up} or {@code ended}
 * @param restarts how often the node served again after its process had ended
 */
public record NodeView(String node, int port, long pid, String state, int restarts) {
}
