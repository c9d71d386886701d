package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

/**
 * Runs steps of the scripts, all in one pipeline.
 */
final class VirtualRedis {

	private final StatefulRedisConnection<String, String> connection;

	private final RedisAsyncCommands<String, String> async;

	private final Map<LockScript, String> shas = new EnumMap<>(LockScript.class);

	/** What one step showed: reply, messages, and when the key may be collected. */
	record Observation(List<Object> reply, List<String> published, String due, Map<String, String> state) {
	}

	private record Pending(RandomSteps.Step step, RedisFuture<?> reply, RedisFuture<List<String>> published,
			RedisFuture<String> due, RedisFuture<List<Object>> state) {
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
		steps.forEach((step) -> pending.add(send(step)));
		this.connection.flushCommands();
		this.connection.setAutoFlushCommands(true);
		List<Observation> observations = new ArrayList<>();
		for (Pending each : pending) {
			observations.add(new Observation(inFull(each.step(), reply(each.reply())), each.published().get(),
					each.due().get(), state(reply(each.state()))));
		}
		return observations;
	}

	/**
	 * Runs steps whose end alone counts. After each of them {@link #run} reads the whole
	 * state, which takes long if the steps are many and the state is large.
	 */
	void runToTheEnd(List<RandomSteps.Step> steps) throws Exception {
		List<RedisFuture<?>> replies = new ArrayList<>();
		this.connection.setAutoFlushCommands(false);
		this.async.flushdb();
		for (RandomSteps.Step step : steps) {
			setClock(step);
			replies.add(eval(step.script(), step.keys(), step.arguments()));
		}
		this.connection.flushCommands();
		this.connection.setAutoFlushCommands(true);
		for (RedisFuture<?> reply : replies) {
			reply.get(60, TimeUnit.SECONDS);
		}
	}

	private void setClock(RandomSteps.Step step) {
		this.async.hset("clock",
				Map.of("s", String.valueOf(step.micros() / 1_000_000), "u", String.valueOf(step.micros() % 1_000_000)));
	}

	private Pending send(RandomSteps.Step step) {
		setClock(step);
		RedisFuture<?> reply = (step.script() != null) ? eval(step.script(), step.keys(), step.arguments()) : lose();
		RedisFuture<List<String>> published = this.async.lrange("published", 0, -1);
		this.async.del("published");
		RedisFuture<List<Object>> state = eval(LockScript.INSPECT, List.of(RandomSteps.KEY), List.of());
		return new Pending(step, reply, published, this.async.hget("due", RandomSteps.KEY), state);
	}

	private RedisFuture<Long> lose() {
		this.async.hdel("due", RandomSteps.KEY);
		return this.async.del(RandomSteps.KEY);
	}

	private RedisFuture<List<Object>> eval(LockScript script, List<String> keys, List<String> arguments) {
		return this.async.evalsha(this.shas.get(script), ScriptOutputType.MULTI, keys.toArray(new String[0]),
				arguments.toArray(new String[0]));
	}

	private static List<Object> inFull(RandomSteps.Step step, List<Object> reply) {
		return (step.script() != null) ? Scripts.inFull(step.script(), step.arguments(), reply) : reply;
	}

	@SuppressWarnings("unchecked")
	private static List<Object> reply(RedisFuture<?> future) throws Exception {
		try {
			Object value = future.get(60, TimeUnit.SECONDS);
			return (value instanceof List) ? (List<Object>) value : List.of();
		}
		catch (ExecutionException ex) {
			// The rest of the message names the script.
			return List.of(ex.getCause().getMessage().split(" ")[0]);
		}
	}

	private static Map<String, String> state(List<Object> inspected) {
		Map<String, String> fields = new HashMap<>();
		for (int i = 2; i + 1 < inspected.size(); i += 2) {
			fields.put((String) inspected.get(i), (String) inspected.get(i + 1));
		}
		return fields;
	}

}
