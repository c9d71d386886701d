package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.distlock.output.Mutants;
import io.distlock.output.Seeds;
import io.distlock.redis.protocol.TogetherSteps.Both;
import io.distlock.redis.protocol.VirtualRedis.Observation;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewResult;
import io.lettuce.core.api.StatefulRedisConnection;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The scripts let several hold a lock together as the in-memory store does: answers,
 * messages and state are compared after every step of random lives. To look at a failure
 * again, its message has the seed.
 */
class TogetherScriptTests extends AbstractScriptTests {

	private static final int SEEDS = Seeds.of("lock.equivalence.seeds", 40, 120);

	private static final int STEPS = 200;

	private static final Map<Long, List<TogetherModel.Observation>> expected = new HashMap<>();

	@Test
	void scriptsBehaveLikeModel() throws Exception {
		assertThat(firstDifference(Scripts.ours())).isEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("mistakes")
	@Mutants
	void mistakeIsDetected(String name, List<ScriptChange> mistake) throws Exception {
		assertThat(firstDifference(Scripts.ours().mutate(mistake))).get(InstanceOfAssertFactories.STRING)
			.as("found by what the scripts do, not because one failed")
			.doesNotContain("-> Observation[reply=[ERR]");
	}

	static Stream<Arguments> mistakes() {
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
				mistake("late copy of a renewal shortens the lease", "local ends = math.max(own_expiry, expires)",
						"local ends = expires"),
				mistake("confirmation shortens a claim", "math.max(lock.expiry, expires)", "expires"),
				mistake("confirmation shortens one of several claims", "own_expiry = math.max(own_expiry, expires)",
						"own_expiry = expires"),
				mistake("a writer that reads on lets nobody in", "lock.about) admit_waiters()", "lock.about)"),
				mistake("a writer that reads on keeps the lock alone", "if not opens then", "if true then"),
				mistake("a hold that becomes shared is forgotten",
						"change_holder(instance, ARGV[2], expiry + 0, token, block, 'H', lock.about)", ""),
				mistake("renewed tokens are not reserved",
						"own_token, own_block = string.format('%.0f', math.max(token + block, micros)), tokens",
						"own_token, own_block = string.format('%.0f', math.max(token + block, micros)), 1"),
				mistake("renewed hold is longer than the record says",
						"change_holder(instance, own, ends, own_token, own_block, 'H', own_about) save()",
						"local before = lock.expiry change_holder(instance, own, ends, own_token, own_block, 'H', own_about) lock.expiry = before save()"),
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
			String engine = Inboxes.engine(parts[0]);
			new GrantMessages(engine, Inboxes.of(engine), new KeyCodec("lk:"), new TogetherModel.Ear(engine, heard),
					true, () -> 0)
				.receive(parts[1]);
		}
		return heard.stream().sorted().toList();
	}

}
