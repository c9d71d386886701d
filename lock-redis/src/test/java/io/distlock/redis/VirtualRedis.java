package io.distlock.redis;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps with one implementation, in a database of its own, all in one pipeline.
 */
final class VirtualRedis {

	private final StatefulRedisConnection<String, String> connection;

	private final RedisAsyncCommands<String, String> async;

	private final Map<LockScript, String> shas = new EnumMap<>(LockScript.class);

	/** What one step showed: reply, messages, and when the key may be collected. */
	record Observation(List<Object> reply, List<String> published, String due, Map<String, String> state) {
	}

	private record Pending(RedisFuture<?> reply, RedisFuture<List<String>> published, RedisFuture<String> due,
			RedisFuture<List<Object>> state) {
	}

	VirtualRedis(StatefulRedisConnection<String, String> connection, Scripts scripts) {
		this.connection = connection;
		this.async = connection.async();
		scripts.texts().forEach((script, text) -> this.shas.put(script, connection.sync().scriptLoad(text)));
	}

	List<Observation> run(List<RandomSteps.Step> steps) throws Exception {
		List<Pending> pending = new ArrayList<>();
		this.connection.setAutoFlushCommands(false);
		this.async.flushdb();
		for (RandomSteps.Step step : steps) {
			pending.add(send(step));
		}
		this.connection.flushCommands();
		this.connection.setAutoFlushCommands(true);
		List<Observation> observations = new ArrayList<>();
		for (Pending each : pending) {
			observations.add(new Observation(reply(each.reply()), each.published().get(), each.due().get(),
					state(reply(each.state()))));
		}
		return observations;
	}

	private Pending send(RandomSteps.Step step) {
		this.async.hset("clock",
				Map.of("s", String.valueOf(step.micros() / 1_000_000), "u", String.valueOf(step.micros() % 1_000_000)));
		RedisFuture<?> reply = (step.script() != null) ? eval(step.script(), step.keys(), step.arguments())
				: command(step.arguments());
		RedisFuture<List<String>> published = this.async.lrange("published", 0, -1);
		this.async.del("published");
		return new Pending(reply, published, this.async.hget("due", RandomSteps.KEY),
				eval(LockScript.INSPECT, List.of(RandomSteps.KEY), List.of()));
	}

	private RedisFuture<List<Object>> eval(LockScript script, List<String> keys, List<String> arguments) {
		return this.async.evalsha(this.shas.get(script), ScriptOutputType.MULTI, keys.toArray(new String[0]),
				arguments.toArray(new String[0]));
	}

	private RedisFuture<String> command(List<String> words) {
		CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
		words.subList(1, words.size()).forEach(arguments::add);
		ProtocolKeyword keyword = CommandType.valueOf(words.get(0));
		return this.async.dispatch(keyword, new StatusOutput<>(StringCodec.UTF8), arguments);
	}

	@SuppressWarnings("unchecked")
	private static List<Object> reply(RedisFuture<?> future) throws Exception {
		try {
			Object value = future.get(10, TimeUnit.SECONDS);
			return (value instanceof List) ? (List<Object>) value : List.of();
		}
		catch (ExecutionException ex) {
			// The rest of the message names the script.
			return List.of(ex.getCause().getMessage().split(" ")[0]);
		}
	}

	/** Brings the fields of both layouts into one form. */
	private static Map<String, String> state(List<Object> inspected) {
		Map<String, String> fields = new TreeMap<>();
		Map<String, String> waiters = new TreeMap<>();
		for (int i = 2; i + 1 < inspected.size(); i += 2) {
			String field = (String) inspected.get(i);
			String value = (String) inspected.get(i + 1);
			if (field.startsWith("w:")) {
				waiters.put(field.substring(2), value);
			}
			else if (!field.startsWith("i:")) {
				fields.put(field, value);
			}
		}
		String head = fields.remove("h");
		String names = fields.remove("q");
		fields.remove("e");
		fields.remove("n");
		List<String> queue = (head != null) ? follow(head, waiters) : named(names, waiters);
		fields.put("queue", waiters.isEmpty() ? queue.toString() : "not in the queue: " + waiters);
		return fields;
	}

	private static List<String> named(@Nullable String names, Map<String, String> waiters) {
		List<String> queue = new ArrayList<>();
		if (names != null && !names.isEmpty()) {
			for (String name : names.split(";")) {
				queue.add(name + "=" + waiters.remove(name));
			}
		}
		return queue;
	}

	/** Orders the linked list of the reference and drops its links. */
	private static List<String> follow(String head, Map<String, String> waiters) {
		List<String> queue = new ArrayList<>();
		String instance = head;
		while (!instance.isEmpty()) {
			String[] parts = waiters.remove(instance).split(";", -1);
			queue.add(instance + "=" + String.join(";", parts[0], parts[1], parts[2], parts[3]));
			instance = parts[5];
		}
		return queue;
	}

}
