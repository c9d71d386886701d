package io.distlock.redlock;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import io.distlock.redis.Quarantine;
import io.distlock.redis.protocol.RedisFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Looks at what makes a server fit for a quorum or not, as far as the user may see it.
 */
final class NodeProbe {

	private static final Logger logger = LoggerFactory.getLogger(NodeProbe.class);

	private final RedisConnection connection;

	private final Quarantine quarantine;

	/**
	 * What was found.
	 *
	 * @param runId tells servers apart, empty if not known
	 * @param problems sentences about what makes it unfit
	 * @param warnings sentences about what passes
	 */
	record Facts(String runId, List<String> problems, List<String> warnings) {

		static final Facts NONE = new Facts("", List.of(), List.of());

	}

	NodeProbe(RedisConnection connection, Quarantine quarantine) {
		this.connection = connection;
		this.quarantine = quarantine;
	}

	Facts facts() {
		List<String> problems = new ArrayList<>();
		Properties server = info("server");
		if (info("replication").getProperty("role", "").equals("slave")) {
			problems.add("It is a replica: list its master, which must be one that is not replaced by a replica");
		}
		if (info("cluster").getProperty("cluster_enabled", "").equals("1")) {
			problems.add("It is part of a Redis Cluster, whose nodes do not keep locks independently: use servers of "
					+ "their own");
		}
		problems.addAll(persistence());
		return new Facts(server.getProperty("run_id", ""), problems, quarantined());
	}

	/**
	 * A node that comes back without its latest writes but with its marker has lost locks
	 * and does not know it.
	 */
	private List<String> persistence() {
		boolean appends = config("appendonly").equals("yes");
		boolean safe = appends ? config("appendfsync").equals("always") : config("save").isEmpty();
		return (safe || this.quarantine.isOff()) ? List.of() : List
			.of("It may come back after a crash with old data, without recent locks and without a quarantine: "
					+ (appends ? "set appendfsync always" : "set save \"\" to keep nothing, or appendonly yes and "
							+ "appendfsync always to keep everything"));
	}

	private List<String> quarantined() {
		if (this.quarantine.isOff()) {
			return List.of();
		}
		Long now = this.connection.serverCommands().time();
		long until = quarantinedUntil();
		return (now == null || until <= now) ? List.of() : List
			.of("It is in quarantine until " + Instant.ofEpochMilli(until) + ", as it is new or lost its data");
	}

	private long quarantinedUntil() {
		try {
			byte[] marker = this.quarantine.marker().getBytes(StandardCharsets.UTF_8);
			byte[] value = this.connection.stringCommands().get(marker);
			return (value != null) ? Long.parseLong(new String(value, StandardCharsets.UTF_8)) : 0;
		}
		catch (RuntimeException ex) {
			if (RedisFailure.of(ex) == RedisFailure.NO_ANSWER) {
				throw ex;
			}
			// A node of a Cluster may send us elsewhere, and is no good anyway.
			logger.debug("The mark of a quarantine cannot be read", ex);
			return 0;
		}
	}

	private String config(String name) {
		try {
			Properties values = this.connection.serverCommands().getConfig(name);
			return (values != null) ? values.getProperty(name, "") : "";
		}
		catch (RuntimeException ex) {
			return denied("CONFIG GET", ex);
		}
	}

	private Properties info(String section) {
		try {
			Properties info = this.connection.serverCommands().info(section);
			return (info != null) ? info : new Properties();
		}
		catch (RuntimeException ex) {
			denied("INFO", ex);
			return new Properties();
		}
	}

	private static String denied(String command, RuntimeException failure) {
		if (RedisFailure.of(failure).passing()) {
			throw failure;
		}
		logger.debug("{} is not allowed, so not everything is checked", command, failure);
		return "";
	}

}
