package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.distlock.redis.client.ServerCommands;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.redis.protocol.RedisFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries every command of the scripts outside a script. A script that lacks a right stops
 * halfway, and scripts use some commands only occasionally.
 */
final class RightsProbe {

	private static final Logger logger = LoggerFactory.getLogger(RightsProbe.class);

	private static final byte[] FIELD = bytes("probe");

	private static final byte[] MILLIS = bytes("1000");

	private final ServerCommands server;

	private final byte[] key;

	private final byte[] channel;

	private final Quarantine quarantine;

	private final KeyCodec names;

	private final Runnable answered;

	private final Set<String> missing = new LinkedHashSet<>();

	/**
	 * Creates a probe.
	 * @param server asks the server
	 * @param key a key that nobody uses
	 * @param channel a channel that nobody uses
	 * @param quarantine the quarantine of the store
	 * @param names the names of keys and channels
	 * @param answered runs after each answer of the server
	 */
	RightsProbe(ServerCommands server, byte[] key, byte[] channel, Quarantine quarantine, KeyCodec names,
			Runnable answered) {
		this.server = server;
		this.key = key;
		this.channel = channel;
		this.quarantine = quarantine;
		this.names = names;
		this.answered = answered;
	}

	/**
	 * Returns one sentence for each missing command, and one if keys or channels are
	 * forbidden.
	 */
	List<String> missing() {
		attempt("hset", this.key, FIELD, FIELD);
		attempt("pexpire", this.key, MILLIS);
		attempt("hget", this.key, FIELD);
		attempt("hmget", this.key, FIELD);
		attempt("hgetall", this.key);
		attempt("hlen", this.key);
		attempt("hdel", this.key, FIELD);
		attempt("exists", this.key);
		attempt("pttl", this.key);
		attempt("time");
		if (this.quarantine.isAfterFailover()) {
			attemptMaster(bytes(new String(this.key, StandardCharsets.UTF_8) + ":master"));
		}
		else if (!this.quarantine.isOff()) {
			attemptMarker(bytes(this.quarantine.marker()));
		}
		attempt("publish", this.channel, FIELD);
		return List.copyOf(this.missing);
	}

	/** Does not change the markers, which name the former master. */
	private void attemptMaster(byte[] master) {
		attempt("info", bytes("replication"));
		attempt("get", master);
		attempt("set", master, FIELD, bytes("PX"), MILLIS);
	}

	/** Sets the marker only if it is missing, to the value that the script would set. */
	private void attemptMarker(byte[] marker) {
		attempt("get", marker);
		attempt("set", () -> {
			String until = String.valueOf(this.server.millis() + this.quarantine.serverMillis());
			this.server.run("set", marker, bytes(until), bytes("NX"));
		});
	}

	private void attempt(String command, byte[]... words) {
		attempt(command, () -> this.server.run(command, words));
	}

	private void attempt(String name, Runnable command) {
		try {
			command.run();
			this.answered.run();
		}
		catch (UnsupportedOperationException | StackOverflowError ex) {
			notSent(name, ex);
		}
		catch (RuntimeException ex) {
			if (RedisFailure.of(ex) != RedisFailure.NO_PERMISSION) {
				throw ex;
			}
			this.answered.run();
			this.missing.add(sentence(name, RedisFailure.detail(ex)));
		}
	}

	/**
	 * Leaves out a command that the client cannot send. Scripts use it nevertheless. The
	 * connections of some clients lack methods, or have methods that only call
	 * themselves.
	 */
	private static void notSent(String name, Throwable failure) {
		logger.debug("The client cannot send '{}', so the right to it is not checked", name, failure);
	}

	private String sentence(String name, String refusal) {
		if (!refusal.contains(" access ")) {
			return "The Redis user may not run '" + name + "': give it +" + name + " (" + refusal + ")";
		}
		boolean channel = refusal.contains("channel");
		return "The Redis user may not access the " + (channel ? "channels" : "keys") + " of locks: give it "
				+ (channel ? "&" + this.names.channelPattern() : "~" + this.names.pattern("")) + " (" + refusal + ")";
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
