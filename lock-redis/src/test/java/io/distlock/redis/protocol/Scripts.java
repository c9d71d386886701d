package io.distlock.redis.protocol;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The scripts, moved to a virtual clock: TIME reads a key, PEXPIRE writes one, and
 * PUBLISH appends to a list. No key is collected.
 */
public record Scripts(Map<LockScript, String> texts) {

	private static final String VIRTUAL = """
			local function virtual_time()
			  return redis.call('HMGET', 'clock', 's', 'u')
			end
			local function virtual_pexpire(key, ms)
			  if redis.call('EXISTS', key) == 1 then
			    local time = redis.call('HMGET', 'clock', 's', 'u')
			    local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
			    redis.call('HSET', 'due', key, string.format('%.0f', now + tonumber(ms)))
			  end
			end
			local function virtual_publish(channel, message)
			  redis.call('RPUSH', 'published', channel .. ' ' .. message)
			end
			""";

	/**
	 * Returns a reply of a script as a list: that of the usual acquisition is a text, and
	 * that of the usual release a number.
	 */
	static List<Object> inFull(LockScript script, List<String> arguments, List<Object> reply) {
		if (reply.size() > 1) {
			return reply;
		}
		try {
			if (script == LockScript.FINISH) {
				return List.of(1L, Replies.storeTime(script, Replies.finished(reply)), 0L, 0L);
			}
			return (script == LockScript.ACQUIRE)
					? Replies.acquired(reply, Long.parseLong(arguments.get(1)), Long.parseLong(arguments.get(2)))
					: reply;
		}
		catch (IllegalArgumentException | IndexOutOfBoundsException | ClassCastException ex) {
			// An error of the script, or a mistake in it.
			return reply;
		}
	}

	static Scripts ours() {
		Map<LockScript, String> texts = new EnumMap<>(LockScript.class);
		for (LockScript script : LockScript.values()) {
			texts.put(script,
					VIRTUAL + script.text()
						.replace("redis.call('TIME')", "virtual_time()")
						.replace("redis.call('PEXPIRE', ", "virtual_pexpire(")
						.replace("redis.pcall('PUBLISH', ", "virtual_publish("));
		}
		return new Scripts(texts);
	}

	/** Returns the same scripts with a mistake. */
	Scripts mutate(List<ScriptChange> mistake) {
		Map<LockScript, String> mutated = this.texts;
		for (ScriptChange change : mistake) {
			mutated = change.in(mutated);
		}
		return new Scripts(mutated);
	}

}
