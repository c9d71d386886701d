package io.distlock.redis.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One implementation of the verbs, moved to a virtual clock: TIME reads a key, PEXPIRE
 * writes one, and PUBLISH appends to a list.
 */
public record Scripts(Map<LockScript, String> texts, UnaryOperator<Map<String, String>> view) {

	private static final String VIRTUAL = """
			local function virtual_time()
			  local time = redis.call('HMGET', 'clock', 's', 'u')
			  local due = redis.call('HGET', 'due', KEYS[1])
			  if due and tonumber(due) <= tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) then
			    redis.call('DEL', KEYS[1])
			    redis.call('HDEL', 'due', KEYS[1])
			  end
			  return time
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
		return of(LockScript::text, StateViews::ours);
	}

	/** The reference is older than the releases by force and the lists of operators. */
	static Scripts reference() {
		return of((script) -> switch (script) {
			case FORCE_RELEASE, LIST -> script.text();
			default -> deviate(script, read("reference/" + script.name().toLowerCase(Locale.ROOT)));
		}, StateViews::reference);
	}

	/**
	 * Changes the only behaviour of the reference that differs: there, a renewal and the
	 * confirmation of a claim may bring the end of a hold forward. A renewal is answered
	 * the same.
	 */
	private static String deviate(LockScript script, String reference) {
		String monotone = switch (script) {
			case ACQUIRE -> reference.replace("x = now + lease end", "x = math.max(x, now + lease) end");
			case RENEW -> reference.replace("x = now + lease\n", "x = math.max(tonumber(x), now + lease)\n")
				.replace("lease + keep", "x - now + keep")
				.replace("return {1, now, x,", "return {1, now, now + lease,");
			default -> reference;
		};
		if (script != LockScript.ACQUIRE && script != LockScript.RENEW) {
			return monotone;
		}
		if (monotone.equals(reference)) {
			throw new IllegalStateException("The reference has changed");
		}
		return monotone;
	}

	/** Returns the same scripts with a mistake. */
	Scripts mutate(List<ScriptChange> mistake) {
		Map<LockScript, String> mutated = this.texts;
		for (ScriptChange change : mistake) {
			mutated = change.in(mutated);
		}
		return new Scripts(mutated, this.view);
	}

	private static Scripts of(Function<LockScript, String> source, UnaryOperator<Map<String, String>> view) {
		Map<LockScript, String> texts = new EnumMap<>(LockScript.class);
		for (LockScript script : LockScript.values()) {
			texts.put(script,
					VIRTUAL + source.apply(script)
						.replace("redis.call('TIME')", "virtual_time()")
						.replace("redis.call('PEXPIRE', ", "virtual_pexpire(")
						.replace("redis.pcall('PUBLISH', ", "virtual_publish("));
		}
		return new Scripts(texts, view);
	}

	private static String read(String name) {
		try (InputStream in = Scripts.class.getResourceAsStream(name + ".lua")) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
