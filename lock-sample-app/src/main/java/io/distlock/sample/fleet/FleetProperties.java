package io.distlock.sample.fleet;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The processes that serve the shop.
 *
 * @param nodes how many processes; 0 if this process does it itself
 * @param weights how many requests in a row a node gets, one for each node; by default 1
 * @param node name of this node, if it is one of the processes
 * @param name what answers and the log call this process; the name of the node if it is
 * one
 */
@ConfigurationProperties("shop")
public record FleetProperties(@DefaultValue("0") int nodes, @DefaultValue List<Integer> weights, @Nullable String node,
		@DefaultValue("shop") String name) {

	private static final int MOST = 8;

	/**
	 * Checks the values.
	 */
	public FleetProperties {
		name = (node != null) ? node : name;
		if (nodes < 0 || nodes > MOST) {
			throw new IllegalArgumentException("shop.nodes must be between 0 and " + MOST + ", was " + nodes);
		}
		if (!weights.isEmpty() && weights.size() != nodes) {
			throw new IllegalArgumentException("shop.weights must have one number for each of the " + nodes
					+ " nodes of shop.nodes, has " + weights.size());
		}
		if (weights.stream().anyMatch((weight) -> weight < 1 || weight > 100)) {
			throw new IllegalArgumentException("shop.weights must be between 1 and 100, are " + weights);
		}
	}

}
