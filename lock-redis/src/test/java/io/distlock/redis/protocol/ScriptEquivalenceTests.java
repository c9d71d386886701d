package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.distlock.output.Mutants;
import io.distlock.output.Seeds;
import io.distlock.redis.protocol.RandomSteps.Both;
import io.distlock.redis.protocol.VirtualRedis.Observation;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewResult;
import io.lettuce.core.api.StatefulRedisConnection;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The scripts behave as the in-memory store does: answers, messages and state are
 * compared after every step of random lives, and the time to live is checked. To look at
 * a failure again, its message has the seed.
 */
@Tag("ci")
class ScriptEquivalenceTests extends AbstractScriptTests {

	/** A mistake is found at its first difference, so most of them need few seeds. */
	private static final int ALL_SEEDS = 300;

	private static final int SEEDS = Seeds.of("lock.equivalence.seeds", 30, ALL_SEEDS);

	private static final int STEPS = 200;

	private static final Map<Long, List<ScriptModel.Observation>> expected = new HashMap<>();

	@Test
	void scriptsBehaveLikeModel() throws Exception {
		assertThat(firstDifference(Scripts.ours(), SEEDS)).isEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("mistakes")
	@Mutants
	void mistakeIsDetected(String name, List<ScriptChange> mistake) throws Exception {
		assertThat(firstDifference(Scripts.ours().mutate(mistake), ALL_SEEDS)).get(InstanceOfAssertFactories.STRING)
			.as("found by what the scripts do, not because one failed")
			.doesNotContain("-> Observation[reply=[ERR]");
	}

	static Stream<Arguments> mistakes() {
		return Stream.concat(mistakesAlone(), mistakesTogether());
	}

	private static Stream<Arguments> mistakesAlone() {
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
				mistake("refused request is remembered for less", "string.format('%.0f;0;%s', req, time[1])",
						"string.format('%.0f;0;%s', req, time[1] - 9)"),
				mistake("finish does not tell of a grant", "#changed > 0 and 1 or 0", "0"),
				mistake("number of waiters is not told", "0, 0, lock.waiting, lock.owner", "0, 0, 0, lock.owner"),
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
				mistake("key is collected while its token is ahead of the clock",
						"(last - last % 1000) / 1000 + 1001 if passed", "0 if passed"),
				mistake("key is collected before its lease", "spare < 0 or", ""),
				mistake("key is kept for ever", "or spare > 6 * keep", ""));
	}

	private static Stream<Arguments> mistakesTogether() {
		return Stream.of(
				mistake("sharers and permits go together", "lock.state == (permits and 'P' or 'S') and",
						"lock.state ~= 'H' and lock.state ~= 'C' and"),
				mistake("one permit too many", "lock.count < (permits", "lock.count <= (permits"),
				mistake("as many permits as one likes", "and lock.count < (permits or lock.count + 1)", ""),
				mistake("sharers overtake waiters", "fits(sharing) and lock.waiting == 0", "fits(sharing)"),
				mistake("nobody joins", "turn or fits(sharing) and lock.waiting == 0", "turn"),
				mistake("an exclusive waiter joins", "and live and not fits(sharing) then",
						"and live and sharing and not fits(sharing) then"),
				mistake("only the first one is let in", "while (lock.state == 'E' or lock.count > 0) and",
						"while lock.state == 'E' and"),
				mistake("those behind one who asks wait on", "admit_waiters() end", "end"),
				mistake("a dead one keeps out others", "lock.count > 0 and live and not", "lock.count > 0 and not"),
				mistake("dead ones are let in", "if live then", "if true then"),
				mistake("expired holds count", "if lock.count > 0 and lock.earliest <= now then", "if false then"),
				mistake("valid holds are forgotten", "if not ends or ends <= now or", "if true or"),
				mistake("the end of one ends all", "lock.count = lock.count - 1", "lock.count = 0"),
				mistake("the end of one frees nothing", "lock.count = lock.count - 1", ""),
				mistake("the last one leaves the lock held", "if lock.count == 0 then lock.state = 'E'",
						"if false then lock.state = 'E'"),
				mistake("an ended hold is named as holder", "if lock.sample_holder == instance then", "if false then"),
				mistake("end of another request of the instance", "local held = own and tonumber(own) or",
						"local held = own and req or"),
				mistake("late end is in time", "code = (own_expiry or expiry) - now > 0", "code = expiry - now > 0"),
				mistake("kept hold is forgotten", "if code ~= 1 or rest == 0 then", "if true then"),
				mistake("hold is kept after its lease", "if code ~= 1 or rest == 0 then",
						"if held ~= req or rest == 0 then"),
				mistake("hold of an older request is kept", "if code ~= 1 or rest == 0 then", "if rest == 0 then"),
				mistake("kept hold stays that of its owner", "lock.owner, lock.expiry = kept,",
						"lock.owner, lock.expiry = instance,"),
				mistake("kept hold of several stays that of its owner", "'h:' .. kept", "'h:' .. instance"),
				mistake("kept hold ends before the record says",
						"lock.earliest, lock.sample_holder = math.min(lock.earliest, ends), ''",
						"lock.sample_holder = ''"),
				mistake("kept hold is named as that of its owner",
						"lock.earliest, lock.sample_holder = math.min(lock.earliest, ends), ''",
						"lock.earliest = math.min(lock.earliest, ends)"),
				mistake("kept hold is longer than the record says", "if ends - lock.expiry > 0 then", "if false then"),
				mistake("renewal of another request", "(not own or own - req ~= 0 or own_expiry - now <= 0)",
						"(not own or own_expiry - now <= 0)"),
				mistake("renewal revives", "(not own or own - req ~= 0 or own_expiry - now <= 0)",
						"(not own or own - req ~= 0)"),
				mistake("renewal does not confirm", "own_block, 'H', own_about) save()",
						"own_block, own_state, own_about) save()"),
				mistake("late copy of a renewal shortens the lease",
						"change_holder(instance, own, math.max(own_expiry, expires), own_token",
						"change_holder(instance, own, expires, own_token"),
				mistake("confirmation shortens a claim", "math.max(lock.expiry, expires)", "expires"),
				mistake("confirmation shortens one of several claims", "own_expiry = math.max(own_expiry, expires)",
						"own_expiry = expires"),
				mistake("renewed tokens are not reserved",
						"own_token, own_block = string.format('%.0f', math.max(token + block, micros)), tokens",
						"own_token, own_block = string.format('%.0f', math.max(token + block, micros)), 1"),
				mistake("renewed hold is longer than the record says", "own_token, own_block, 'H', own_about) save()",
						"own_token, own_block, 'H', own_about) lock.expiry = expiry save()"),
				mistake("joined hold ends before the record says",
						"change_holder(instance, request, ends, lock.token, block, state, about)",
						"local before = lock.earliest change_holder(instance, request, ends, lock.token, block, state, about) lock.earliest = before"),
				mistake("joined hold is longer than the record says", "lock.earliest, lock.expiry = ends, 0",
						"lock.earliest, lock.expiry = ends, string.format('%.0f', ends)",
						"change_holder(instance, request, ends, lock.token, block, state, about)",
						"local before = lock.expiry change_holder(instance, request, ends, lock.token, block, state, about) lock.expiry = before"),
				mistake("confirmed hold keeps the short lease",
						"own_expiry = math.max(own_expiry, expires) change_holder(instance, own, own_expiry, own_token, own_block, 'H', own_about)",
						"change_holder(instance, own, own_expiry + 0, own_token, own_block, 'H', own_about)"),
				mistake("tokens of a group only count", "math.max(lock.token + lock.block, micros)",
						"lock.token + lock.block"),
				mistake("tokens of a group are only the time", "math.max(lock.token + lock.block, micros)", "micros"),
				mistake("waiter forgets that it shares", "(sharing and '\\\\' .. sharing .. ';' or '') .. about",
						"about"),
				mistake("waiter that asks otherwise now is taken as before", "sharing = asking_sharing", ""),
				mistake("hold that ended stays", "redis.call('HDEL', key, 'h:' .. instance)", ""),
				mistake("hold that is over stays", "redis.call('HDEL', key, fields[i])", ""),
				mistake("holders are not notified of a waiter", "lock.count > 0 and redis.call('HGETALL', key) or", ""),
				mistake("an engine is notified for each of its holds", "if engine and not notified[engine] then",
						"if engine then"),
				mistake("grant goes to a channel without a listener", "channels .. string.sub(hold.address, 1, 16)",
						"channels .. string.sub(hold.address, 2, 17)"),
				mistake("grant does not say for which permit", "(dot and string.sub(hold[1], dot + 1) or '')", "''"),
				mistake("grant comes without the ticket", "string.sub(rest, 1, about_at - 2)",
						"string.sub(rest, 1, 16)"),
				mistake("news of a waiter does not show that a script published it", "'W;' .. digest .. ';' .. key",
						"'W;;' .. key"),
				mistake("grant of a sharer is not published", "if hold[6] == 'C' then",
						"if hold[6] == 'C' and lock.count == 0 then"));
	}

	private static Optional<String> firstDifference(Scripts scripts, int seeds) throws Exception {
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			VirtualRedis redis = new VirtualRedis(connection, scripts);
			for (long seed = 0; seed < seeds; seed++) {
				List<Both> steps = new RandomSteps(seed).take(STEPS);
				Optional<String> difference = difference(seed, steps,
						expected.computeIfAbsent(seed, (first) -> new ScriptModel().run(steps)),
						redis.run(steps.stream().map(Both::step).toList()));
				if (difference.isPresent()) {
					return difference;
				}
			}
			return Optional.empty();
		}
	}

	private static Optional<String> difference(long seed, List<Both> steps, List<ScriptModel.Observation> expected,
			List<Observation> actual) {
		for (int i = 0; i < steps.size(); i++) {
			String difference = difference(steps.get(i), expected.get(i),
					(i > 0) ? actual.get(i - 1).state() : Map.of(), actual.get(i));
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

	private static String difference(Both both, ScriptModel.Observation expected, Map<String, String> before,
			Observation actual) {
		try {
			LockSnapshot after = snapshot(both.step().micros(), actual.state());
			if (!sameAnswer(both, expected, actual)) {
				return "answer";
			}
			if (!seen(expected.snapshot()).equals(seen(after))) {
				return "state " + after;
			}
			if (!expected.heard().equals(heard(actual.published()))) {
				return "messages " + heard(actual.published());
			}
			return !before.equals(actual.state()) && !remembers(both, before, actual) ? "memory"
					: StateViews.misfit(actual.state());
		}
		catch (NumberFormatException ex) {
			return "unreadable " + ex.getMessage();
		}
	}

	/**
	 * What ended is remembered, and the key stays until all of it may be forgotten, but
	 * not for ever.
	 */
	private static boolean remembers(Both both, Map<String, String> before, Observation actual) {
		long now = both.step().millis();
		LockRecord lock = LockRecord.parse(actual.state().get("o"));
		if (lock == null) {
			return actual.state().isEmpty();
		}
		long least = Math.max((lock.held() ? lock.expiry() : now) + both.keep(), lock.highestToken() / 1000 + 1000);
		long spare = (actual.due() != null) ? Long.parseLong(actual.due()) - least : -1;
		return spare >= 0 && spare <= 6 * both.keep() + 1 && actual.state()
			.entrySet()
			.stream()
			.filter((field) -> field.getKey().startsWith("f:") && !field.getValue().equals(before.get(field.getKey())))
			.allMatch((tombstone) -> tombstone.getValue().endsWith(";" + now / 1000));
	}

	private static boolean sameAnswer(Both both, ScriptModel.Observation expected, Observation actual) {
		List<Object> reply = actual.reply();
		if (expected.answer().equals(RandomSteps.LOST)) {
			return reply.isEmpty();
		}
		if (!(reply.get(0) instanceof Long) || !reply.get(1).equals(both.step().millis())) {
			return false;
		}
		Object answer = expected.answer();
		if (answer.equals(RandomSteps.TOO_LATE)) {
			return Replies.code(reply) == Replies.TOO_LATE;
		}
		boolean holds = answer instanceof AcquireResult.Granted || answer instanceof RenewResult.Renewed;
		if (holds && isClaim(both.step().arguments().get(0), actual.state())) {
			return false;
		}
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
				: answer.equals(Replies.finish(reply)) && tellsOfGrants(expected.snapshot(), actual);
	}

	private static boolean isClaim(String instance, Map<String, String> state) {
		LockRecord lock = LockRecord.parse(state.get("o"));
		return lock.state().equals("C") && lock.instance().equals(instance)
				|| state.getOrDefault("h:" + instance, ";;;;H;").split(";")[4].equals("C");
	}

	private static boolean tellsOfGrants(LockSnapshot after, Observation actual) {
		List<LockSnapshot.Hold> holds = after.holds();
		return actual.published().isEmpty() ? actual.reply().subList(2, 4).equals(List.of(0L, 0L))
				: actual.reply().subList(2, 4).equals(List.of(1L, holds.get(holds.size() - 1).fencingToken()));
	}

	/** Any of them, but not one that is over, and so that who waits looks in time. */
	private static boolean namesHolder(LockSnapshot snapshot, List<Object> reply) {
		return Replies.waiters(reply) == snapshot.waiters().size()
				&& snapshot.holds()
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
		return Replies.snapshot(RandomSteps.LOCK, reply);
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
			String engine = Inboxes.engine(parts[0]);
			new GrantMessages(engine, Inboxes.of(engine), new KeyCodec("lk:"), new ScriptModel.Ear(engine, heard),
					() -> 0)
				.receive(parts[1]);
		}
		return heard.stream().sorted().toList();
	}

}
