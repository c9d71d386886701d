package io.distlock.redis.protocol;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.distlock.output.Mutants;
import io.distlock.output.Seeds;
import io.distlock.redis.protocol.RandomSteps.Step;
import io.distlock.redis.protocol.VirtualRedis.Observation;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The readable scripts behave like the reference, which was verified by simulation:
 * replies, messages, state and time to live are compared after every step of random
 * lives. To look at a failure again, its message has the seed.
 */
class ScriptEquivalenceTests extends AbstractScriptTests {

	private static final int SEEDS = Seeds.of("lock.equivalence.seeds", 30, 300);

	/** Until a mistake must have been found. */
	private static final int MOST_SEEDS = Math.max(SEEDS, 300);

	private static final int STEPS = 200;

	/** Mistakes are found by one of the first seeds, nearly always. */
	private static final int REMEMBERED = 40;

	/** What the reference does, which all tests compare with. */
	private static final Map<Long, List<Observation>> EXPECTED = new HashMap<>();

	@Test
	void scriptsBehaveLikeReference() throws Exception {
		assertThat(firstDifference(Scripts.ours(), SEEDS)).isEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("mistakes")
	@Mutants
	void mistakeIsDetected(String name, List<ScriptChange> mistake) throws Exception {
		assertThat(firstDifference(Scripts.ours().mutate(mistake), MOST_SEEDS)).get(InstanceOfAssertFactories.STRING)
			.as("found by what the scripts do, not because one failed")
			.doesNotContain("but -> Observation[reply=[ERR]");
	}

	static Stream<Arguments> mistakes() {
		return Stream.of(
				mistake("no tombstone", "save('f:' .. instance, string.format('%.0f;%d;%s', req, code, time[1]))",
						"save()"),
				mistake("usual release leaves no tombstone", "'o', text, 'f:' .. instance, tombstone)", "'o', text)"),
				mistake("usual release forgets those who wait", "queue == '' and expiry - now > 0", "expiry - now > 0"),
				mistake("short rest leaves no tombstone", "'o', rest, 'f:' .. instance, tombstone)", "'o', rest)"),
				mistake("short rest forgets tokens", "string.format('*;0;0;%.0f;1;', token + block - 1)",
						"'*;0;0;0;1;'"),
				mistake("short rest takes a token of the block again",
						"string.format('*;0;0;%.0f;1;', token + block - 1)",
						"string.format('*;0;0;%.0f;1;', token + 0)"),
				mistake("short rest goes too early", "string.format('%.0f', due - now)) end return now",
						"'1') end return now"),
				mistake("usual release answers another time", "'%.0f', due - now)) end return now",
						"'%.0f', due - now)) end return now + 1"),
				mistake("usual acquisition answers another hold", "return hold",
						"return string.format(';%.0f;%.0f;%.0f;%d;', req, expires, first + 1, tokens)"),
				mistake("usual acquisition answers as if it was queued", "return hold",
						"return {2, now, expires, 0, 0, 0}"),
				mistake("usual release ends another request", "owner == instance and request == ARGV[2]",
						"owner == instance"),
				mistake("usual release of an expired hold", "and expiry - now > 0", "and true"),
				mistake("usual release ends it again", "and state ~= 'E' and queue == ''", "and queue == ''"),
				mistake("usual release keeps the key for ever", "and spare <= 6 * keep", ""),
				mistake("usual release does not keep the key", "spare >= 0 and", ""),
				mistake("usual acquire ignores the tombstone", "if finished >= req then", "if false then"),
				mistake("usual acquire takes another's end for its own", "if state == 'E' and owner == instance then",
						"if state == 'E' then"),
				mistake("usual acquire looks at its own end only", "elseif record then",
						"elseif record and state ~= 'E' then"),
				mistake("usual acquire takes a held lock", "if state == 'E' then local first =",
						"if state ~= 'C' then local first ="),
				mistake("usual acquire ignores earlier tokens", "local first = math.max(token + block, micros)",
						"local first = micros"),
				mistake("end of an unknown request is not in the record",
						"lock.owner, lock.request, lock.about = instance, string.format('%.0f', req), ''", ""),
				mistake("end of an earlier request is not looked up", "if held ~= req then", "if not held then"),
				mistake("refused request leaves no tombstone", "tombstone = string.format('%.0f;0;%s', req, time[1])",
						""),
				mistake("cancel ignores a grant", "if held and held <= req then",
						"if held and held <= req and state ~= 'C' then"),
				mistake("token only counts", "math.max(token + block, micros)", "token + block",
						"math.max(lock.token + lock.block, micros)", "lock.token + lock.block"),
				mistake("token is only the time", "math.max(token + block, micros)", "micros",
						"math.max(lock.token + lock.block, micros)", "micros"),
				mistake("token loses digits", "';%.0f;%.0f;%.0f;%d;', req, expires, first",
						"';%.0f;%.0f;%.14g;%d;', req, expires, first",
						"string.format('%.0f', math.max(lock.token + lock.block",
						"string.format('%.14g', math.max(lock.token + lock.block"),
				mistake("claim never expires", "if lock.expiry - now <= 0 then",
						"if lock.expiry - now <= 0 and lock.state ~= 'C' then"),
				mistake("grant to a dead waiter", "if live then", "if true then"),
				mistake("waiter that takes the lock itself gets a claim", "if asks then lock.head",
						"if false then lock.head"),
				mistake("dead waiters are not swept", "lock.waiting % 32 == 0", "false"),
				mistake("gap is closed without its waiter's knowledge", "'w:' .. waiter, free, 'q:' .. free",
						"'q:' .. free"),
				mistake("closing gaps changes the order", "free = free + 1", ""),
				mistake("closing gaps forgets waiters", "sweep and alive - now <= 0", "alive - now <= 0"),
				mistake("poll loses its position", "if waiter_ttl == 0 then leave(position, instance)",
						"if true then leave(position, instance)"),
				mistake("own orphan stays", "if held and held < req then", "if false then"),
				mistake("newer hold is overtaken", "if held and held > req then", "if false then"),
				mistake("newer waiter is overtaken", "if waiting_request - req > 0 then", "if false then"),
				mistake("late copy is executed", "if not_after > 0 and now > not_after then", "if false then"),
				mistake("finish forgets its first answer", "and tonumber(first_code) or 0", "and 0 or 0"),
				mistake("no hand-over", "while (lock.state == 'E' or lock.count > 0) and", "while false and"),
				mistake("grantee is not notified", "if hold[6] == 'C' then", "if false then"),
				mistake("holder is not notified", "contended = lock.waiting == 0", "contended = false"),
				mistake("renewal revives", "request - req ~= 0 or expiry - now <= 0)", "request - req ~= 0)"),
				mistake("renewal does not confirm", "state = 'H' if tokens > 0 then token,",
						"if tokens > 0 then token,"),
				mistake("late copy of a renewal shortens the lease", "math.max(expiry, expires)", "expires"),
				mistake("renewal answers more than was asked for", "return {1, now, expires, token",
						"return {1, now, expiry + 0, token"),
				mistake("reserved tokens are forgotten",
						"token, block = string.format('%.0f', math.max(token + block, micros)), tokens end",
						"token = string.format('%.0f', math.max(token + block, micros)) end"),
				mistake("confirmed grant keeps the short lease",
						"lock.state, lock.expiry = 'H', string.format('%.0f', math.max(lock.expiry, expires))",
						"lock.state = 'H'"),
				mistake("raise of a hold that is over", "or expiry - now <= 0 or raised", "or raised"),
				mistake("raise of a hold that ended",
						"if state == 'H' or state == 'C' then if owner ~= instance or request - req ~= 0 or expiry - now <= 0 or raised",
						"if state ~= 'S' and state ~= 'P' then if expiry - now <= 0 or raised"),
				mistake("raise for another request", "or request - req ~= 0 or expiry - now <= 0 or raised",
						"or expiry - now <= 0 or raised"),
				mistake("raise that lowers the token", "or raised - token < 0", ""),
				mistake("raise that refuses its own repetition", "raised - token < 0", "raised - token <= 0"),
				mistake("raise that changes nothing",
						"token, block = string.format('%.0f', raised), math.max(block, tokens)", ""),
				mistake("foreign data is overwritten", "not record and redis.call('EXISTS', key) == 1", "false"),
				mistake("quarantine is ignored", "if now < tonumber(moment) then", "if false then"),
				mistake("key is collected while its token is ahead of the clock",
						"(last - last % 1000) / 1000 + 1001 if passed", "0 if passed"),
				mistake("key is collected before its lease", "spare < 0 or", ""),
				mistake("key is kept for ever", "or spare > 6 * keep", ""));
	}

	private static Optional<String> firstDifference(Scripts scripts, int seeds) throws Exception {
		try (StatefulRedisConnection<String, String> one = client.connect(database(0));
				StatefulRedisConnection<String, String> two = client.connect(database(1))) {
			VirtualRedis reference = new VirtualRedis(one, Scripts.reference());
			VirtualRedis tested = new VirtualRedis(two, scripts);
			for (long seed = 0; seed < seeds; seed++) {
				List<Step> steps = new RandomSteps(seed).take(STEPS);
				List<Observation> expected = EXPECTED.get(seed);
				if (expected == null) {
					expected = reference.run(steps);
					if (seed < REMEMBERED) {
						EXPECTED.put(seed, expected);
					}
				}
				Optional<String> difference = difference(seed, steps, expected, tested);
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
		for (int i = 0; i < steps.size(); i++) {
			if (!same(expected.get(i), actual.get(i))) {
				return Optional.of(trace(seed, steps.subList(0, i + 1), expected) + "but -> " + actual.get(i));
			}
		}
		return Optional.empty();
	}

	private static String trace(long seed, List<Step> steps, List<Observation> expected) {
		StringBuilder trace = new StringBuilder("Seed ").append(seed).append('\n');
		for (int i = 0; i < steps.size(); i++) {
			trace.append(steps.get(i)).append("\n    -> ").append(expected.get(i)).append('\n');
		}
		return trace.toString();
	}

	/**
	 * Our replies may say more about the holder than the reference does, a refused
	 * renewal says whether the hold was released by force, which no step does, and our
	 * keys may be collected somewhat later.
	 */
	private static boolean same(Observation expected, Observation actual) {
		List<Object> reply = actual.reply();
		boolean gone = reply.size() == 3 && reply.get(2).equals(0L);
		List<Object> comparable = (reply.size() == 9) ? reply.subList(0, 6) : gone ? reply.subList(0, 2) : reply;
		return expected
			.equals(new Observation(comparable, unsigned(actual.published()), expected.due(), actual.state()))
				&& sameOrLater(expected.due(), actual.due());
	}

	/**
	 * The reference names the channel by the instance, and its messages prove nothing.
	 */
	private static List<String> unsigned(List<String> published) {
		return published.stream().map(Inboxes::unsigned).toList();
	}

	private static boolean sameOrLater(String expected, String actual) {
		if (expected == null || actual == null) {
			return expected == actual;
		}
		long later = Long.parseLong(actual) - Long.parseLong(expected);
		return later >= 0 && later <= 6 * RandomSteps.LONG_KEEP + 1;
	}

	private static RedisURI database(int number) {
		return RedisURI.builder().withHost(server.host()).withPort(server.port()).withDatabase(number).build();
	}

}
