package io.distlock.redis;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.distlock.redis.RandomSteps.Step;
import io.distlock.redis.VirtualRedis.Observation;
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
 * The readable scripts behave like the reference, which was verified by simulation:
 * replies, messages, state and time to live are compared after every step of random
 * lives. To look at a failure again, its message has the seed.
 */
class ScriptEquivalenceTests {

	private static final int SEEDS = Integer.getInteger("lock.equivalence.seeds", 300);

	private static final int STEPS = 200;

	private static RedisServer server;

	private static RedisClient client;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = RedisClient.create();
	}

	@AfterAll
	static void stop() {
		client.shutdown();
		server.close();
	}

	@Test
	void scriptsBehaveLikeReference() throws Exception {
		assertThat(firstDifference(Scripts.ours(), SEEDS)).isEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("mistakes")
	void mistakeIsDetected(String name, UnaryOperator<String> mistake) throws Exception {
		assertThat(firstDifference(Scripts.ours().mutate(mistake), SEEDS)).isPresent();
	}

	static Stream<Arguments> mistakes() {
		return Stream.of(mistake("no tombstone", "bury(lock, inst, req, code)\nsettle", "settle"),
				mistake("refused request leaves no tombstone", "bury(lock, inst, req, 0)", ""),
				mistake("cancel ignores a grant", "if owner and owner.inst == inst and owner.req <= req then",
						"if owner and owner.inst == inst and owner.req <= req and not owner.claim then"),
				mistake("token only counts", "math.max(lock.highest + 1, micros)", "lock.highest + 1"),
				mistake("token is only the time", "math.max(lock.highest + 1, micros)", "micros"),
				mistake("token loses digits", "'%.0f', number", "'%.14g', number"),
				mistake("claim never expires", "if lock.owner and lock.owner.expiry <= now then",
						"if lock.owner and lock.owner.expiry <= now and not lock.owner.claim then"),
				mistake("grant to a dead waiter", "if waiter and waiter.alive > now then\n      own(",
						"if true then\n      own("),
				mistake("dead waiters are not swept", "waiting % 32 == 0", "false"),
				mistake("poll loses its place", "if lock.waiter and waiter_ttl > 0 then", "if false then"),
				mistake("own orphan stays", "if held and held < req then", "if false then"),
				mistake("newer request is overtaken", "if (held and held > req) or", "if"),
				mistake("late copy is executed", "if not_after > 0 and now > not_after then", "if false then"),
				mistake("finish forgets its first answer", "return {lock.finished_code, now, 0, 0}",
						"return {0, now, 0, 0}"),
				mistake("no hand-over", "settle(lock, nil)", ""),
				mistake("holder is not told", "say(lock.owner.inst, 'W;' .. key)", ""),
				mistake("renewal revives", "or owner.expiry <= now then", "then"),
				mistake("renewal does not confirm", "owner.expiry, owner.claim = now + lease, false",
						"owner.expiry = now + lease"),
				mistake("reserved tokens are forgotten", "lock.highest = owner.token + block - 1", ""),
				mistake("confirmed grant keeps the short lease",
						"lock.owner.claim, lock.owner.expiry, lock.owner_changed = false, now + lease, true",
						"lock.owner.claim, lock.owner_changed = false, true"),
				mistake("foreign data is overwritten", "not exists and redis.call('EXISTS', key) == 1", "false"),
				mistake("quarantine is ignored", "if now < moment then", "if false then"),
				mistake("key is collected while its token is ahead of the clock", "lock.highest > micros", "false"));
	}

	private static Arguments mistake(String name, String line, String replacement) {
		UnaryOperator<String> mistake = (text) -> text.replace(line, replacement);
		return arguments(name, mistake);
	}

	private static Optional<String> firstDifference(Scripts scripts, int seeds) throws Exception {
		try (StatefulRedisConnection<String, String> one = client.connect(database(0));
				StatefulRedisConnection<String, String> two = client.connect(database(1))) {
			VirtualRedis reference = new VirtualRedis(one, Scripts.reference());
			VirtualRedis tested = new VirtualRedis(two, scripts);
			for (long seed = 0; seed < seeds; seed++) {
				List<Step> steps = new RandomSteps(seed).take(STEPS);
				Optional<String> difference = difference(seed, steps, reference.run(steps), tested);
				if (difference.isPresent()) {
					return difference;
				}
			}
			return Optional.empty();
		}
	}

	private static Optional<String> difference(long seed, List<Step> steps, List<Observation> expected,
			VirtualRedis tested) throws Exception {
		List<Observation> actual = tested.run(steps, expected);
		StringBuilder trace = new StringBuilder("Seed ").append(seed).append('\n');
		for (int i = 0; i < steps.size(); i++) {
			trace.append(steps.get(i)).append("\n    -> ").append(expected.get(i)).append('\n');
			if (!same(expected.get(i), actual.get(i))) {
				return Optional.of(trace.append("but -> ").append(actual.get(i)).toString());
			}
		}
		return Optional.empty();
	}

	/**
	 * Our replies may say more about the holder than the reference does, and our keys may
	 * be collected somewhat later.
	 */
	private static boolean same(Observation expected, Observation actual) {
		List<Object> reply = actual.reply();
		List<Object> comparable = (reply.size() == 9) ? reply.subList(0, 6) : reply;
		return expected.equals(new Observation(comparable, actual.published(), expected.due(), actual.state()))
				&& sameOrLater(expected.due(), actual.due());
	}

	private static boolean sameOrLater(String expected, String actual) {
		if (expected == null || actual == null) {
			return expected == actual;
		}
		long later = Long.parseLong(actual) - Long.parseLong(expected);
		return later >= 0 && later <= 6 * RandomSteps.KEEP + 1;
	}

	private static RedisURI database(int number) {
		return RedisURI.builder().withHost(server.host()).withPort(server.port()).withDatabase(number).build();
	}

}
