package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.distlock.redis.protocol.TogetherSteps.Both;
import io.distlock.redis.protocol.VirtualRedis.Observation;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewResult;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The scripts let several hold a lock together as the in-memory store does: answers,
 * messages and state are compared after every step of random lives. To look at a failure
 * again, its message has the seed.
 */
class TogetherScriptTests {

	private static final int SEEDS = Integer.getInteger("lock.equivalence.seeds", 120);

	private static final int STEPS = 200;

	private static final Map<Long, List<TogetherModel.Observation>> expected = new HashMap<>();

	private static RedisServer server;

	private static RedisClient client;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = RedisClient.create(RedisURI.create(server.host(), server.port()));
	}

	@AfterAll
	static void stop() {
		client.shutdown();
		server.close();
	}

	@Test
	void scriptsBehaveLikeModel() throws Exception {
		assertThat(firstDifference(Scripts.ours())).isEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("mistakes")
	void mistakeIsDetected(String name, UnaryOperator<String> mistake) throws Exception {
		assertThat(firstDifference(Scripts.ours().mutate(mistake))).isPresent();
	}

	static Stream<Arguments> mistakes() {
		return Stream.of(
				mistake("sharers and permits go together", "state == (tonumber(sharing) and 'P' or 'S') and",
						"state ~= 'H' and state ~= 'C' and"),
				mistake("one permit too many", "count < (tonumber(sharing)", "count <= (tonumber(sharing)"),
				mistake("as many permits as one likes", "and count < (tonumber(sharing) or count + 1)", ""),
				mistake("sharers overtake who waits", "fits and waiting == 0", "fits"),
				mistake("nobody joins", "turn or fits and waiting == 0", "turn"),
				mistake("who wants to be alone joins", "if not fits and (waiter",
						"if sharing and not fits and (waiter"),
				mistake("only the first one is let in", "or count > 0 and waiting > 0 and head < tail do", "do"),
				mistake("those behind one who asks wait on", "asking = nil\n", "asking = nil waiting = 0\n"),
				mistake("a dead one keeps out others", "(waiter == asking or tonumber(alive) > now)", "true"),
				mistake("dead ones are let in", "if waiter and tonumber(alive) > now then", "if waiter then"),
				mistake("expired holds count", "if count > 0 and earliest <= now then", "if false then"),
				mistake("valid holds are forgotten", "if ends <= now or", "if true or"),
				mistake("the end of one ends all", "count - 1", "0"),
				mistake("the end of one frees nothing", "own, count = false, count - 1", "own, count = false, count"),
				mistake("the last one leaves the lock held", "if count == 0 then\n  state = 'E'",
						"if false then\n  state = 'E'"),
				mistake("who ended is named as holder", "if speaker == inst then", "if false then"),
				mistake("end of another request of the instance", "local held = own or", "local held = own and req or"),
				mistake("late end is in time", "code = (own_expiry or expiry) > now", "code = expiry > now"),
				mistake("renewal of another request", "if own ~= req or own_expiry <= now then",
						"if own_expiry <= now then"),
				mistake("renewal revives", "if own ~= req or own_expiry <= now then", "if own ~= req then"),
				mistake("renewal does not confirm", "own_expiry, asked) or asked\n  own_state = 'H'",
						"own_expiry, asked) or asked"),
				mistake("late copy of a renewal shortens the lease",
						"own_state == 'H' and not last and math.max(own_expiry, asked) or asked", "asked"),
				mistake("the last renewal does not bring the end forward", "state == 'H' and not last", "state == 'H'"),
				mistake("renewed tokens are not reserved",
						"token, block = math.max(token + block, micros), tokens\n    own",
						"token, block = math.max(token + block, micros), 1\n    own"),
				mistake("renewed hold is longer than the record says",
						"expiry, earliest = math.max(expiry, own_expiry), math.min(earliest, own_expiry)",
						"earliest = math.min(earliest, own_expiry)"),
				mistake("confirmed hold ends before the record says",
						"earliest, expiry = math.min(earliest, own_expiry), math.max(expiry, own_expiry)",
						"expiry = math.max(expiry, own_expiry)"),
				mistake("renewed hold ends before the record says",
						"math.max(expiry, own_expiry), math.min(earliest, own_expiry)",
						"math.max(expiry, own_expiry), earliest"),
				mistake("joined hold ends before the record says", "math.min(earliest, ends)", "earliest"),
				mistake("joined hold is longer than the record says", "math.max(expiry, ends), who", "expiry, who"),
				mistake("confirmed hold keeps the short lease", "own_state, own_expiry = 'H', now + lease",
						"own_state = 'H'"),
				mistake("first of a group has a token of its own",
						"first, earliest, expiry = '*', 0, tonumber(sharing) and 'P' or 'S', token,",
						"first, earliest, expiry = '*', 0, tonumber(sharing) and 'P' or 'S', token + 1,"),
				mistake("tokens of a group only count",
						"token, block = math.max(token + block, micros), tonumber(amount)",
						"token, block = token + block, tonumber(amount)"),
				mistake("tokens of a group are only the time",
						"token, block = math.max(token + block, micros), tonumber(amount)",
						"token, block = micros, tonumber(amount)"),
				mistake("waiter forgets that it shares", "about = '\\\\' .. wanted .. ';' .. about", ""),
				mistake("waiter that asks otherwise now is taken as before", "sharing = wanted\n    end", "end"),
				mistake("hold that ended stays", "redis.call('HDEL', key, 'h:' .. inst)", ""),
				mistake("holders are not told that somebody waits", "if contended and count > 0 then", "if false then"),
				mistake("an engine is told for each of its holds", "if engine and not told[engine] then",
						"if engine then"),
				mistake("grant goes to a channel nobody listens to", "channels .. engine, begin",
						"channels .. hold[1], begin"),
				mistake("grant does not say for which permit", "engine == hold[1] and 'G;' or", "true and 'G;' or"),
				mistake("grant of one who shares is not told", "if hold[6] == 'C' then",
						"if hold[6] == 'C' and count == 0 then"));
	}

	private static Arguments mistake(String name, String line, String replacement) {
		UnaryOperator<String> mistake = (text) -> text.replace(line, replacement);
		return arguments(name, mistake);
	}

	private static Optional<String> firstDifference(Scripts scripts) throws Exception {
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			VirtualRedis redis = new VirtualRedis(connection, new Scripts(scripts.texts(), UnaryOperator.identity()));
			for (long seed = 0; seed < SEEDS; seed++) {
				List<Both> steps = new TogetherSteps(seed).take(STEPS);
				Optional<String> difference = difference(seed, steps,
						expected.computeIfAbsent(seed, (first) -> new TogetherModel().run(steps)),
						redis.run(steps.stream().map(Both::step).toList()));
				if (difference.isPresent()) {
					return difference;
				}
			}
			return Optional.empty();
		}
	}

	private static Optional<String> difference(long seed, List<Both> steps, List<TogetherModel.Observation> expected,
			List<Observation> actual) {
		for (int i = 0; i < steps.size(); i++) {
			String difference = difference(steps.get(i), expected.get(i), actual.get(i));
			if (difference != null) {
				StringBuilder trace = new StringBuilder("Seed ").append(seed).append('\n');
				for (int before = 0; before <= i; before++) {
					trace.append(steps.get(before).step())
						.append("\n    -> ")
						.append(expected.get(before))
						.append('\n');
				}
				return Optional.of(trace.append(difference).append(" -> ").append(actual.get(i)).toString());
			}
		}
		return Optional.empty();
	}

	private static String difference(Both step, TogetherModel.Observation expected, Observation actual) {
		LockSnapshot after = snapshot(step.step().micros(), actual.state());
		if (!sameAnswer(expected, actual.reply())) {
			return "answer";
		}
		if (!seen(expected.snapshot()).equals(seen(after))) {
			return "state " + after;
		}
		if (!expected.heard().equals(heard(actual.published()))) {
			return "messages " + heard(actual.published());
		}
		return StateViews.together(actual.state(), step.step().micros() / 1000, actual.due());
	}

	private static boolean sameAnswer(TogetherModel.Observation expected, List<Object> reply) {
		if (!(reply.get(0) instanceof Long)) {
			return false;
		}
		Object answer = expected.answer();
		if (answer instanceof AcquireResult.Granted granted) {
			return Replies.code(reply) == Replies.HELD && Replies.grant(reply).equals(granted.grant())
					&& Replies.waiters(reply) == granted.waiters();
		}
		if (answer instanceof AcquireResult.Queued queued) {
			return Replies.code(reply) == Replies.QUEUED && queued.storeTime() == (Long) reply.get(1)
					&& namesHolder(expected.snapshot(), reply);
		}
		if (answer instanceof AcquireResult.Busy) {
			return Replies.code(reply) == Replies.BUSY && namesHolder(expected.snapshot(), reply);
		}
		if (answer instanceof AcquireResult.Ended) {
			return Replies.code(reply) == Replies.OVER;
		}
		return (answer instanceof RenewResult) ? answer.equals(Replies.renew(reply))
				: answer.equals(Replies.finish(reply));
	}

	/** Any of them, but not one that is over, and so that who waits looks in time. */
	private static boolean namesHolder(LockSnapshot snapshot, List<Object> reply) {
		return snapshot.holds()
			.stream()
			.anyMatch((hold) -> hold.holder().equals(Replies.holder(reply)) || renamed(hold, reply))
				&& Replies.holderRemaining(reply).compareTo(snapshot.remaining()) <= 0
				&& Replies.holderRemaining(reply).toMillis() > 0;
	}

	/** More tokens make a hold look younger. */
	private static boolean renamed(LockSnapshot.Hold hold, List<Object> reply) {
		return hold.request().instance().equals(reply.get(6)) && hold.fencingToken() == (Long) reply.get(8)
				&& hold.holder().application().equals(Replies.holder(reply).application());
	}

	private static LockSnapshot snapshot(long micros, Map<String, String> fields) {
		List<Object> reply = new ArrayList<>(List.of(micros, 0L));
		fields.forEach((field, value) -> reply.addAll(List.of(field, value)));
		return Replies.snapshot(TogetherSteps.LOCK, reply);
	}

	private static List<Object> seen(LockSnapshot snapshot) {
		List<Object> parts = new ArrayList<>(
				List.of(snapshot.fencingToken(), snapshot.waiters(), snapshot.remaining(), snapshot.owner() == null));
		snapshot.holds()
			.forEach((hold) -> parts.add(List.of(hold.request(), hold.fencingToken(), hold.remaining(),
					hold.holder().application(), hold.holder().thread())));
		return parts;
	}

	private static List<String> heard(List<String> published) {
		List<String> heard = new ArrayList<>();
		for (String each : published) {
			String[] parts = each.split(" ", 2);
			String engine = parts[0].substring("lk:ch:".length());
			new PushMessages(engine, new KeyCodec("lk:"), new TogetherModel.Ear(engine, heard), true).receive(parts[1]);
		}
		return heard.stream().sorted().toList();
	}

}
