package io.distlock.redlock;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import io.distlock.redis.client.ServerInfo;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.redis.protocol.RedisFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Checks whether a server is fit for a quorum, as far as the user's rights allow.
 */
final class NodeProbe {

	private static final Logger logger = LoggerFactory.getLogger(NodeProbe.class);

	private static final Pattern MOMENT = Pattern.compile("[0-9]{1,18}");

	private static final String NO_MOMENT = "0";

	private final RedisConnection connection;

	private final ServerInfo info;

	private final Quarantine quarantine;

	/**
	 * Holds the result.
	 *
	 * @param runId identifies the server; empty if unknown
	 * @param problems one sentence for each reason why the server is unfit
	 * @param warnings one sentence for each temporary problem
	 */
	record Facts(String runId, List<String> problems, List<String> warnings) {

		static final Facts NONE = new Facts("", List.of(), List.of());

	}

	NodeProbe(RedisConnection connection, Quarantine quarantine) {
		this.connection = connection;
		this.info = new ServerInfo(connection);
		this.quarantine = quarantine;
	}

	Facts facts() {
		List<String> problems = new ArrayList<>();
		if (this.info.section("replication").getProperty("role", "").equals("slave")) {
			problems.add("It is a replica: list its master, which a replica must never replace");
		}
		if (this.info.section("cluster").getProperty("cluster_enabled", "").equals("1")) {
			problems.add("It is part of a Redis Cluster, whose nodes do not keep locks independently: use servers of "
					+ "their own");
		}
		List<String> warnings = new ArrayList<>();
		persistence(problems, warnings);
		if (!this.quarantine.isOff()) {
			checkMarker(problems, warnings);
		}
		return new Facts(this.info.section("server").getProperty("run_id", ""), problems, warnings);
	}

	/**
	 * Checks that a crash loses all data or none. A node that comes back with its marker
	 * but without its latest writes has lost locks unnoticed.
	 */
	private void persistence(List<String> problems, List<String> warnings) {
		if (this.quarantine.isOff()) {
			return;
		}
		Optional<String> appends = this.info.knownSetting("appendonly");
		Optional<String> fsync = this.info.knownSetting("appendfsync");
		Optional<String> save = this.info.knownSetting("save");
		if (appends.isEmpty() || fsync.isEmpty() || save.isEmpty()) {
			warnings
				.add("Its persistence is not known, because its user may not run CONFIG GET, or the server has no such "
						+ "command. If it keeps only some of its data after a crash, two processes may hold the same lock: give "
						+ "the user +config|get, or see that it has save \"\" or appendfsync always");
			return;
		}
		boolean appending = appends.get().equals("yes");
		boolean safe = appending ? fsync.get().equals("always") : save.get().isEmpty();
		if (!safe) {
			problems.add("It may come back after a crash with old data, without recent locks and without a quarantine: "
					+ (appending ? "set appendfsync always" : "set save \"\" to keep nothing, or appendonly yes and "
							+ "appendfsync always to keep everything"));
		}
	}

	private void checkMarker(List<String> problems, List<String> warnings) {
		String end = marker();
		if (!MOMENT.matcher(end).matches()) {
			problems
				.add("Its key " + this.quarantine.marker() + " was written by another program (it is no moment), so it "
						+ "grants no lock: delete the key, or use another prefix");
			return;
		}
		Long now = this.connection.serverCommands().time(TimeUnit.MILLISECONDS);
		long until = Long.parseLong(end);
		if (now != null && until > now) {
			warnings
				.add("It is in quarantine until " + Instant.ofEpochMilli(until) + ", as it is new or lost its data");
		}
	}

	/** Returns the time at which the quarantine ends, "0" if no quarantine has begun. */
	private String marker() {
		try {
			byte[] marker = this.quarantine.marker().getBytes(StandardCharsets.UTF_8);
			byte[] value = this.connection.stringCommands().get(marker);
			return (value != null) ? new String(value, StandardCharsets.UTF_8) : NO_MOMENT;
		}
		catch (RuntimeException ex) {
			RedisFailure failure = RedisFailure.of(ex);
			if (!failure.isAnswer() || failure == RedisFailure.UNKNOWN_ERROR) {
				throw ex;
			}
			// A node of a Cluster may redirect the command; the probe reports such a node
			// anyway.
			logger.debug("The marker of the quarantine cannot be read", ex);
			return NO_MOMENT;
		}
	}

}
