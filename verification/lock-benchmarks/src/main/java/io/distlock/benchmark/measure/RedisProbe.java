package io.distlock.benchmark.measure;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.benchmark.peer.RedisAddress;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;

/** Asks the server what it did. */
public final class RedisProbe implements AutoCloseable {

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	/**
	 * Connects.
	 * @param redis the server
	 */
	public RedisProbe(RedisAddress redis) {
		this.client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		this.connection = this.client.connect();
	}

	/**
	 * What the server has done so far.
	 *
	 * @param commands processed, those of scripts included
	 * @param cpuMicros processor time of the process
	 * @param scripts calls of scripts
	 * @param scriptMicros time inside scripts
	 */
	public record Work(long commands, double cpuMicros, long scripts, long scriptMicros) {

		/**
		 * What was done since.
		 * @param earlier an earlier state
		 * @return the difference, without the question itself
		 */
		public Work since(Work earlier) {
			return new Work(this.commands - earlier.commands - 1, this.cpuMicros - earlier.cpuMicros,
					this.scripts - earlier.scripts, this.scriptMicros - earlier.scriptMicros);
		}

	}

	/**
	 * Reads the server's counters with one command.
	 * @return the counters
	 */
	public Work work() {
		Map<String, String> info = info();
		double cpuSeconds = Double.parseDouble(info.get("used_cpu_sys"))
				+ Double.parseDouble(info.get("used_cpu_user"));
		return new Work(Long.parseLong(info.get("total_commands_processed")), cpuSeconds * 1e6, scripts(info, "calls"),
				scripts(info, "usec"));
	}

	/**
	 * Says what the server is.
	 * @return its version
	 */
	public String version() {
		return String.valueOf(info().get("redis_version"));
	}

	/**
	 * Counts the keys.
	 * @return how many
	 */
	public long keys() {
		return this.connection.sync().dbsize();
	}

	/**
	 * Returns the memory that the server uses for keys, values and their tables.
	 * @return bytes
	 */
	public long memory() {
		return Long.parseLong(info().get("used_memory"));
	}

	/** Deletes all keys. */
	public void clear() {
		this.connection.sync().flushall();
	}

	/** Sends a text that a watcher recognizes. */
	void mark(String text) {
		this.connection.sync().echo(text);
	}

	private Map<String, String> info() {
		return this.connection.sync()
			.info("everything")
			.lines()
			.map((line) -> line.split(":", 2))
			.filter((pair) -> pair.length == 2)
			.collect(Collectors.toMap((pair) -> pair[0], (pair) -> pair[1], (first, second) -> first));
	}

	private static long scripts(Map<String, String> info, String field) {
		Predicate<String> wanted = (name) -> name.equals("cmdstat_eval") || name.equals("cmdstat_evalsha");
		return info.entrySet()
			.stream()
			.filter((entry) -> wanted.test(entry.getKey()))
			.flatMap((entry) -> Stream.of(entry.getValue().split(",")))
			.filter((pair) -> pair.startsWith(field + "="))
			.mapToLong((pair) -> Long.parseLong(pair.substring(field.length() + 1)))
			.sum();
	}

	@Override
	public void close() {
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
	}

}
