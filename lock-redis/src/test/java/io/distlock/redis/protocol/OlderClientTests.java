package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.distlock.output.Mutants;
import io.distlock.redis.protocol.RandomSteps.Step;
import io.distlock.redis.protocol.TogetherSteps.Both;
import io.distlock.redis.protocol.VirtualRedis.Observation;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.lettuce.core.api.StatefulRedisConnection;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * While an application is updated, some of its instances know of one holder only. They
 * and those who hold a lock together exclude each other, and tokens rise.
 */
class OlderClientTests extends AbstractScriptTests {

	private static final int SEEDS = 40;

	private static final int STEPS = 200;

	private static final String KEEP = "100000";

	@Test
	void olderAndNewerClientsExcludeEachOther() throws Exception {
		assertThat(firstViolation(Scripts.ours())).isEmpty();
	}

	/** Its lease is over, and begins again as the clock steps back. */
	@Test
	void holdFromBeforeAnOlderClientIsNotCounted() throws Exception {
		List<Step> steps = List.of(acquire(0, "a", 3000, "S"), acquire(3001, "old1", 500, null),
				step(3002, LockScript.FINISH, "old1", "1", KEEP, "lk:ch:"), acquire(1000, "b", 500, "S"),
				acquire(1001, "c", 6000, "S"), acquire(1600, "d", 500, "S"));
		for (Scripts scripts : List.of(Scripts.ours(),
				Scripts.ours().mutate(List.of(new ScriptChange("or token - lock.first < 0", ""))))) {
			try (StatefulRedisConnection<String, String> connection = client.connect()) {
				List<Observation> seen = new VirtualRedis(connection,
						new Scripts(scripts.texts(), UnaryOperator.identity()))
					.older(TogetherSteps.OLDER, Scripts.beforeSharing())
					.run(steps);
				assertThat(seen).extracting((each) -> each.reply().get(0)).containsOnly(1L);
				Map<String, String> state = seen.get(5).state();
				boolean right = scripts.texts().equals(Scripts.ours().texts());
				assertThat(state.containsKey("h:a")).isNotEqualTo(right);
				assertThat(LockRecord.parse(state.get("o")).about().split(",")[1]).isEqualTo(right ? "2" : "3");
			}
		}
	}

	private static Step acquire(long millis, String instance, long lease, String sharing) {
		List<String> arguments = new ArrayList<>(
				List.of(instance, "1", String.valueOf(lease), "1000", "0", "1", KEEP, "0", "lk:ch:", "0", "about"));
		if (sharing != null) {
			arguments.addAll(List.of("", sharing));
		}
		return step(millis, LockScript.ACQUIRE, arguments.toArray(String[]::new));
	}

	private static Step step(long millis, LockScript script, String... arguments) {
		return new Step(1_795_225_522_000_000L + millis * 1000, script, List.of(RandomSteps.KEY), List.of(arguments));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("mistakes")
	@Mutants(of = "lock-redis")
	void mistakeIsDetected(String name, List<ScriptChange> mistake) throws Exception {
		assertThat(firstViolation(Scripts.ours().mutate(mistake))).get(InstanceOfAssertFactories.STRING)
			.as("found by what the scripts do, not because one failed")
			.doesNotContain("a script failed");
	}

	static Stream<Arguments> mistakes() {
		return Stream.of(mistake("joined hold is longer than the record says", "lock.earliest, lock.expiry = ends, 0",
				"lock.earliest, lock.expiry = ends, string.format('%.0f', ends)",
				"change_holder(instance, request, ends, lock.token, block, state, about)",
				"local before = lock.expiry change_holder(instance, request, ends, lock.token, block, state, about) lock.expiry = before"),
				mistake("renewed hold is longer than the record says",
						"change_holder(instance, own, ends, own_token, own_block, 'H', own_about) save()",
						"local before = lock.expiry change_holder(instance, own, ends, own_token, own_block, 'H', own_about) lock.expiry = before save()"),
				mistake("leftover holds are found", "if own_token - first < 0 then", "if false then"),
				mistake("tokens of those before are forgotten", "math.max(lock.token + lock.block, micros)", "micros"));
	}

	private static Optional<String> firstViolation(Scripts scripts) throws Exception {
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			VirtualRedis redis = new VirtualRedis(connection, new Scripts(scripts.texts(), UnaryOperator.identity()))
				.older(TogetherSteps.OLDER, Scripts.beforeSharing());
			for (long seed = 0; seed < SEEDS; seed++) {
				List<Both> steps = new TogetherSteps(seed).withOlder().take(STEPS);
				String violation = new Beliefs().violation(steps, redis.run(steps.stream().map(Both::step).toList()));
				if (violation != null) {
					return Optional.of("Seed " + seed + violation);
				}
			}
			return Optional.empty();
		}
	}

	/** Who may believe that it holds the lock, as far as it was told. */
	private static final class Beliefs {

		private final Map<RequestId, Belief> beliefs = new HashMap<>();

		private final Map<RequestId, Sharing> kinds = new HashMap<>();

		private final Map<RequestId, Long> tokens = new HashMap<>();

		private long highestToken;

		record Belief(Sharing sharing, long until) {
		}

		String violation(List<Both> steps, List<Observation> seen) {
			for (int i = 0; i < steps.size(); i++) {
				String wrong = wrong(steps.get(i), seen.get(i));
				if (wrong != null) {
					StringBuilder trace = new StringBuilder("\n");
					for (int before = 0; before <= i; before++) {
						trace.append(steps.get(before).step())
							.append("\n    -> ")
							.append(seen.get(before))
							.append('\n');
					}
					return trace.append(wrong).toString();
				}
			}
			return null;
		}

		private String wrong(Both both, Observation seen) {
			if (!(seen.reply().get(0) instanceof Long)) {
				return "a script failed";
			}
			long now = both.step().micros() / 1000;
			this.beliefs.values().removeIf((belief) -> belief.until() <= now);
			if (both.command() instanceof AcquireCommand acquire) {
				this.kinds.put(acquire.request(), acquire.sharing());
				return granted(acquire.request(), seen.reply()) ? "a token does not rise" : together();
			}
			if (both.command() instanceof RenewCommand renew) {
				if (Replies.code(seen.reply()) == Replies.HELD) {
					this.tokens.put(renew.request(), Replies.grant(seen.reply()).fencingToken());
					this.highestToken = Math.max(this.highestToken, Replies.grant(seen.reply()).fencingToken());
					believe(renew.request(), Replies.grant(seen.reply()).expiresAt());
				}
				return together();
			}
			RequestId ended = ((TogetherSteps.Finish) both.command()).request();
			this.beliefs.keySet()
				.removeIf(
						(request) -> request.instance().equals(ended.instance()) && request.number() <= ended.number());
			return StateViews.counted(seen.state());
		}

		/** Whether it got a token that is not higher than all before. */
		private boolean granted(RequestId request, List<Object> reply) {
			if (Replies.code(reply) == Replies.OVER) {
				return false;
			}
			// Who asks anew, or is refused, has given up what it had.
			this.beliefs.keySet().removeIf((other) -> other.instance().equals(request.instance()));
			if (Replies.code(reply) != Replies.HELD) {
				return false;
			}
			believe(request, Replies.grant(reply).expiresAt());
			long token = Replies.grant(reply).fencingToken();
			Long before = this.tokens.put(request, token);
			boolean pushed = before == null && token <= this.highestToken;
			this.highestToken = Math.max(this.highestToken, token);
			// Of those let in at once, the later one may be the first to ask.
			return pushed && this.kinds.get(request) instanceof Sharing.Exclusive;
		}

		private void believe(RequestId request, long until) {
			this.beliefs.put(request, new Belief(this.kinds.getOrDefault(request, Sharing.EXCLUSIVE), until));
		}

		private String together() {
			for (Belief one : this.beliefs.values()) {
				for (Belief two : this.beliefs.values()) {
					if (one != two && !one.sharing().goesWith(two.sharing())) {
						return "hold it at the same time: " + this.beliefs;
					}
				}
			}
			return null;
		}

	}

}
