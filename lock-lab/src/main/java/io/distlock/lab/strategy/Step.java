package io.distlock.lab.strategy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A step of the staircase: a strategy with its texts and needs.
 *
 * @param id its name in addresses
 * @param group where it belongs
 * @param type the class that the page shows
 * @param maker creates it in a node
 * @param needs servers it uses besides the shelf
 * @param stock where the number of items is
 * @param inside how many may be inside at a time, 0 for any number
 * @param place where a fault hits the caller
 * @param breaksBy the fault that shows its bug, {@code null} if none is needed or there
 * is no bug
 * @param sound whether it keeps the stock exact
 * @param fenced whether the stock itself refuses late writes, so that an overlap does no
 * harm
 * @param title its name for readers
 * @param flaw what it gets wrong; of a sound one what it costs or does not promise
 */
public record Step(String id, Text group, Class<? extends Strategy> type, Function<StrategySupport, Strategy> maker,
		List<Server> needs, Stock stock, int inside, Place place, @Nullable String breaksBy, boolean sound,
		boolean fenced, Text title, Text flaw) {

	/**
	 * Names the file with the source.
	 * @return the name
	 */
	public String sourceFile() {
		return this.type.getSimpleName() + ".java";
	}

	/**
	 * Reads the source of the class, which the build copies next to the class.
	 * @return the text
	 */
	public String source() {
		String file = "/lab-source/" + sourceFile();
		try (InputStream in = Step.class.getResourceAsStream(file)) {
			if (in == null) {
				throw new IllegalStateException("The build did not copy " + file);
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + file, ex);
		}
	}

	@Override
	public String toString() {
		return this.id;
	}

	/** Servers of a run. */
	public enum Server {

		/**
		 * One Redis, or a master with a replica and a Sentinel if the fault is a
		 * failover.
		 */
		REDIS,

		/** Three Redis without a connection between them. */
		REDLOCK,

		/** A database. */
		JDBC,

		/** A ZooKeeper. */
		ZOOKEEPER

	}

	/** Where the number of items is. */
	public enum Stock {

		/** In a Redis that no fault hits, so that what breaks is the lock. */
		SHELF,

		/** In the Redis that the fault hits. */
		REDIS,

		/** In the database. */
		TABLE

	}

	/** Where a fault hits the caller. */
	public enum Place {

		/** While it works. */
		WORK,

		/** Where the strategy marked the gap between two commands. */
		BETWEEN

	}

}
