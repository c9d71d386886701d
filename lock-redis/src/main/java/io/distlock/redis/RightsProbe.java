package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.redis.protocol.RedisFailure;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.core.types.Expiration;

/**
 * Tries every command of the scripts outside a script. A script that lacks a right stops
 * halfway, and scripts use some commands only occasionally.
 */
final class RightsProbe {

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
		this.commands.put("time", () -> connection.serverCommands().time());
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
			Long now = connection.serverCommands().time();
			String until = String.valueOf(((now != null) ? now : 0) + millis);
			connection.stringCommands()
				.set(marker, until.getBytes(StandardCharsets.UTF_8), Expiration.persistent(), SetOption.ifAbsent());
		});
	}

	/**
	 * Returns one sentence for each missing command, and one if keys or channels are
	 * forbidden.
	 */
	List<String> missing() {
		Set<String> missing = new LinkedHashSet<>();
		this.commands.forEach((name, command) -> {
			try {
				command.run();
			}
			catch (RuntimeException ex) {
				if (RedisFailure.of(ex) != RedisFailure.NO_PERMISSION) {
					throw ex;
				}
				missing.add(sentence(name, RedisFailure.detail(ex)));
			}
		});
		return List.copyOf(missing);
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
