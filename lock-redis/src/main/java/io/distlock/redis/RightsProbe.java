package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.redis.protocol.RedisFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.core.types.Expiration;

/**
 * Tries every command of the scripts outside a script. A script that lacks a right stops
 * halfway, and scripts use some commands only occasionally.
 */
final class RightsProbe {

	private static final Logger logger = LoggerFactory.getLogger(RightsProbe.class);

	private static final byte[] FIELD = "probe".getBytes(StandardCharsets.UTF_8);

	private static final long MILLIS = 1000;

	private final Map<String, Runnable> commands = new LinkedHashMap<>();

	private final KeyCodec names;

	RightsProbe(RedisConnection connection, byte[] key, byte[] channel, Quarantine quarantine, KeyCodec names) {
		this.names = names;
		this.commands.put("hset", () -> connection.hashCommands().hSet(key, FIELD, FIELD));
		this.commands.put("pexpire", () -> connection.keyCommands().pExpire(key, MILLIS));
		this.commands.put("hget", () -> connection.hashCommands().hGet(key, FIELD));
		this.commands.put("hmget", () -> connection.hashCommands().hMGet(key, FIELD));
		this.commands.put("hgetall", () -> connection.hashCommands().hGetAll(key));
		this.commands.put("hlen", () -> connection.hashCommands().hLen(key));
		this.commands.put("hdel", () -> connection.hashCommands().hDel(key, FIELD));
		this.commands.put("exists", () -> connection.keyCommands().exists(key));
		this.commands.put("pttl", () -> connection.keyCommands().pTtl(key));
		this.commands.put("time", () -> connection.serverCommands().time(TimeUnit.MILLISECONDS));
		if (quarantine.isAfterFailover()) {
			addMaster(connection, new String(key, StandardCharsets.UTF_8) + ":master");
		}
		else if (!quarantine.isOff()) {
			addMarker(connection, quarantine.marker().getBytes(StandardCharsets.UTF_8), quarantine.serverMillis());
		}
		this.commands.put("publish", () -> connection.publish(channel, FIELD));
	}

	/** Does not change the markers, which name the former master. */
	private void addMaster(RedisConnection connection, String text) {
		byte[] key = text.getBytes(StandardCharsets.UTF_8);
		this.commands.put("info", () -> connection.serverCommands().info("replication"));
		this.commands.put("get", () -> connection.stringCommands().get(key));
		this.commands.put("set",
				() -> connection.stringCommands().set(key, FIELD, Expiration.milliseconds(MILLIS), SetOption.upsert()));
	}

	/** Sets the marker only if it is missing, to the value that the script would set. */
	private void addMarker(RedisConnection connection, byte[] marker, long millis) {
		this.commands.put("get", () -> connection.stringCommands().get(marker));
		this.commands.put("set", () -> {
			Long now = connection.serverCommands().time(TimeUnit.MILLISECONDS);
			String until = String.valueOf(((now != null) ? now : 0) + millis);
			connection.stringCommands()
				.set(marker, until.getBytes(StandardCharsets.UTF_8), Expiration.persistent(), SetOption.ifAbsent());
		});
	}

	/**
	 * Returns one sentence for each missing command, and one if keys or channels are
	 * forbidden.
	 * @param answered runs after each answer of the server
	 */
	List<String> missing(Runnable answered) {
		Set<String> missing = new LinkedHashSet<>();
		this.commands.forEach((name, command) -> {
			try {
				command.run();
				answered.run();
			}
			catch (UnsupportedOperationException | StackOverflowError ex) {
				notSent(name, ex);
			}
			catch (RuntimeException ex) {
				if (RedisFailure.of(ex) != RedisFailure.NO_PERMISSION) {
					throw ex;
				}
				answered.run();
				missing.add(sentence(name, RedisFailure.detail(ex)));
			}
		});
		return List.copyOf(missing);
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

}
