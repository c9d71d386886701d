package io.distlock.lab.event;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * What a node needs to know of a run.
 *
 * @param strategy name of the strategy
 * @param node number of the node, from 1
 * @param firstCaller number of the node's first caller
 * @param callers how many customers come to this node
 * @param sales how many items the node sells at most
 * @param insideMillis how long a customer works
 * @param places the servers: Redis, master name, shelf, database, user, password,
 * ZooKeeper and then the quorum
 */
public record RunPlan(String strategy, int node, int firstCaller, int callers, int sales, int insideMillis,
		List<String> places) {

	/**
	 * Writes the plan as properties.
	 * @return a text
	 */
	public String text() {
		Properties properties = new Properties();
		properties.setProperty("strategy", this.strategy);
		properties.setProperty("node", Integer.toString(this.node));
		properties.setProperty("firstCaller", Integer.toString(this.firstCaller));
		properties.setProperty("callers", Integer.toString(this.callers));
		properties.setProperty("sales", Integer.toString(this.sales));
		properties.setProperty("insideMillis", Integer.toString(this.insideMillis));
		properties.setProperty("places", String.join("\n", this.places));
		try {
			StringWriter text = new StringWriter();
			properties.store(text, null);
			return text.toString();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Reads what {@link #text()} wrote.
	 * @param text the properties
	 * @return the plan
	 */
	public static RunPlan of(String text) {
		Properties properties = new Properties();
		try {
			properties.load(new StringReader(text));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new RunPlan(properties.getProperty("strategy"), number(properties, "node"),
				number(properties, "firstCaller"), number(properties, "callers"), number(properties, "sales"),
				number(properties, "insideMillis"),
				Stream.of(properties.getProperty("places").split("\n", -1)).toList());
	}

	private static int number(Properties properties, String name) {
		return Integer.parseInt(properties.getProperty(name));
	}

}
