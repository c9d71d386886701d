package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.List;

import io.distlock.output.Mutants;
import io.distlock.redis.protocol.RandomSteps.Step;
import io.distlock.redis.protocol.VirtualRedis.Observation;
import io.lettuce.core.api.StatefulRedisConnection;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What the scripts do beyond the model that random lives are compared with. */
class ScriptMetadataTests extends AbstractScriptTests {

	private static final long START = 1_795_225_522_000_000L;

	private static final String KEEP = "3000";

	private StatefulRedisConnection<String, String> connection;

	private VirtualRedis redis;

	@BeforeEach
	void connect() {
		this.connection = client.connect();
		this.redis = new VirtualRedis(this.connection, Scripts.ours());
	}

	@AfterEach
	void disconnect() {
		this.connection.close();
	}

	@Test
	void acquireWhenHeldThenTellsHolderOnlyToThoseWhoTellTheirs() throws Exception {
		List<Observation> seen = this.redis.run(List.of(acquire(0, "a", 1, "0", "about a"),
				acquire(1000, "b", 1, "2000", "about b"), acquire(2000, "c", 1, "0", ""), acquire(3000, "d", 1, "0")));
		assertThat(reply(seen, 1)).hasSize(9).endsWith("a", "about a", START);
		assertThat(reply(seen, 2)).hasSize(9).endsWith("a", "about a", START);
		assertThat(reply(seen, 3)).hasSize(6);
	}

	@Test
	void acquireWhenGrantedFromQueueThenOthersAreToldOfTheNewHolder() throws Exception {
		List<Observation> seen = this.redis.run(List.of(acquire(0, "a", 1, "0", "about a"),
				acquire(1000, "b", 1, "2000", "about b"), finish(2000, "a", 1), acquire(3000, "c", 1, "0", "about c")));
		assertThat(reply(seen, 3)).endsWith("b", "about b", START + 2000);
	}

	@Test
	void acquireWhenHolderSaidNothingThenEmpty() throws Exception {
		List<Observation> seen = this.redis.run(List.of(acquire(0, "a", 1, "0"), acquire(1000, "b", 1, "0", "b")));
		assertThat(reply(seen, 1)).endsWith("a", "", START);
	}

	@Test
	void finishWhenManyInstancesCameAndWentThenTheirFieldsArePruned() throws Exception {
		List<Step> steps = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			steps.add(acquire(i * 640, "i" + i, 1, "0", "about"));
			steps.add(finish(i * 640 + 64, "i" + i, 1));
		}
		this.redis.runToTheEnd(steps);
		assertThat(this.connection.sync().hkeys(RandomSteps.KEY)).hasSize(501);
		// Later than keep, in a microsecond that prunes.
		Step late = acquire(10_000_000 - 64, "late", 1, "0", "about");
		Step waiting = acquire(10_000_000 - 63, "last", 1, "2000", "about");
		Step release = finish(10_000_000, "late", 1);
		this.redis.runToTheEnd(followed(steps, late, release));
		assertThat(this.connection.sync().hkeys(RandomSteps.KEY)).containsExactlyInAnyOrder("o", "f:late");
		this.redis.runToTheEnd(followed(steps, late, waiting, release));
		assertThat(this.connection.sync().hkeys(RandomSteps.KEY)).containsExactlyInAnyOrder("o", "f:late");
	}

	@Test
	void finishWhenNobodyWaitsThenForgetsWhatHolderSaid() throws Exception {
		this.redis.run(List.of(acquire(0, "a", 1, "0", "about a;\n")));
		assertThat(this.connection.sync().hget(RandomSteps.KEY, "o")).endsWith(";H;about a;\n");
		this.redis.run(List.of(acquire(0, "a", 1, "0", "about a;\n"), finish(1001, "a", 1)));
		assertThat(this.connection.sync().hget(RandomSteps.KEY, "o")).endsWith(";E;");
	}

	@Test
	void acquireWhenManyGaveUpWaitingThenTheirPlacesAreReused() throws Exception {
		List<Step> steps = new ArrayList<>(List.of(acquire(0, "holder", 1, "0"), acquire(1, "first", 1, "2000")));
		for (int i = 0; i < 500; i++) {
			steps.add(acquire(2, "i" + i, 1, "2000"));
			steps.add(finish(3, "i" + i, 1));
		}
		steps.add(acquire(4, "last", 1, "2000"));
		this.redis.runToTheEnd(steps);
		assertThat(LockRecord.waiters(this.connection.sync().hgetall(RandomSteps.KEY))).containsExactly("first",
				"last");
		String lock = this.connection.sync().hget(RandomSteps.KEY, "o");
		int tail = Integer.parseInt(lock.split(";")[6].split(",")[1]);
		assertThat(tail).isLessThan(20);
	}

	@Test
	void raiseWhenNodeMissedTheRenewalThenNextOneGetsNoneOfItsTokens() throws Exception {
		long raised = START + 3_600_000_000L;
		List<Observation> seen = this.redis.run(List.of(acquire(0, "a", 1, "0"), raise(1000, "a", 1, raised, 50),
				raise(2000, "a", 1, raised + 10, 1), finish(3000, "a", 1), acquire(4000, "b", 1, "0")));
		assertThat(reply(seen, 1)).startsWith(1L);
		assertThat(reply(seen, 4).get(3)).isEqualTo(raised + 60);
	}

	@Test
	void raiseWhenHeldTogetherThenOwnHoldAndNextOneHasHigherToken() throws Exception {
		long raised = START + 3_600_000_000L;
		List<Observation> seen = this.redis.run(List.of(shared(0, "a"), shared(1000, "b"),
				raise(2000, "a", 1, raised, 50), raise(3000, "a", 1, raised - 1, 1), raise(4000, "a", 2, raised, 1),
				raise(5000, "b", 1, raised + 10, 1), raise(6000, "stranger", 1, raised, 1), shared(7000, "c"),
				finish(8000, "b", 1), raise(9000, "b", 1, raised + 100, 1), raise(60_007_001, "c", 1, raised + 200, 1),
				shared(60_007_002, "d"), shared(60_007_003, "e")));
		assertThat(seen.stream().map((each) -> each.reply().get(0))).containsExactly(1L, 1L, 1L, 0L, 0L, 1L, 0L, 1L, 1L,
				0L, 0L, 1L, 1L);
		// Lower than what another one may have got by now, so the block goes on there.
		assertThat(reply(seen, 7).get(3)).isEqualTo(raised + 50);
		assertThat(reply(seen, 11).get(3)).isEqualTo(raised + 51);
		assertThat(reply(seen, 12).get(3)).isEqualTo(raised + 52);
	}

	@Test
	void raiseWhenHeldTogetherThenOthersKeepTheirTokens() throws Exception {
		long raised = START + 3_600_000_000L;
		List<Observation> seen = this.redis.run(List.of(shared(0, "a"), shared(1000, "b"),
				raise(2000, "a", 1, raised, 50), raise(2500, "a", 1, raised, 1), shared(3000, "b"), shared(4000, "a"),
				finish(5000, "a", 1), finish(6000, "b", 1), acquire(7000, "c", 1, "0")));
		assertThat(reply(seen, 4).get(3)).isEqualTo(START + 1000);
		assertThat(reply(seen, 5).get(3)).isEqualTo(raised);
		assertThat(reply(seen, 5).get(4)).isEqualTo(50L);
		assertThat(reply(seen, 8).get(3)).isEqualTo(raised + 50);
	}

	@Test
	void raiseWhenHeldAloneThenByItsHolderOnlyAndNotDown() throws Exception {
		long raised = START + 3_600_000_000L;
		List<Observation> seen = this.redis
			.run(List.of(raise(0, "a", 1, raised, 1), acquire(0, "a", 1, "0"), raise(1000, "a", 1, START - 1, 1),
					raise(1000, "stranger", 1, raised, 1), raise(1000, "a", 2, raised, 1),
					raise(1000, "a", 1, raised, 50), raise(1000, "a", 1, raised, 1), raise(1000, "a", 1, raised - 1, 1),
					acquire(2000, "a", 1, "0"), finish(3000, "a", 1), raise(4000, "a", 1, raised + 9, 1),
					acquire(5000, "b", 1, "0"), raise(60_005_000, "b", 1, raised + 90, 1)));
		assertThat(seen.stream().map((each) -> each.reply().get(0))).containsExactly(0L, 1L, 0L, 0L, 0L, 1L, 1L, 0L, 1L,
				1L, 0L, 1L, 0L);
		assertThat(reply(seen, 8).subList(3, 5)).containsExactly(raised, 50L);
		assertThat(reply(seen, 11).get(3)).isEqualTo(raised + 50);
		// Until the clock has passed the highest token.
		assertThat(Long.parseLong(seen.get(5).due())).isBetween(raised / 1000 + 1000, raised / 1000 + 20_000);
	}

	@Test
	void raiseWhenClaimedThenStaysAClaimAndOthersKeepTheirPlaces() throws Exception {
		long raised = START + 3_600_000_000L;
		List<Observation> seen = this.redis.run(List.of(acquire(0, "a", 1, "0"), acquire(1, "b", 1, "2000"),
				acquire(2, "c", 1, "2000", "about c"), finish(3, "a", 1), raise(4, "b", 1, raised, 50),
				acquire(5, "c", 1, "2000", "about c"), acquire(6, "b", 1, "2000"), finish(7, "b", 1)));
		assertThat(reply(seen, 4)).startsWith(1L);
		assertThat(seen.get(4).state().get("o")).contains(";C;");
		assertThat(reply(seen, 5)).startsWith(2L).endsWith("b", "", raised);
		assertThat(reply(seen, 6).subList(2, 5)).containsExactly(START / 1000 + 60_000, raised, 50L);
		assertThat(reply(seen, 7)).endsWith(1L, raised + 50);
	}

	@Test
	void acquireWhenManyDiedWhileTheyWaitedThenTheirPlacesAreSwept() throws Exception {
		List<Step> steps = new ArrayList<>(List.of(acquire(0, "holder", 1, "0")));
		for (int i = 0; i < 31; i++) {
			steps.add(acquire(1, "i" + i, 1, "1000"));
		}
		steps.add(acquire(1_500_000, "live", 1, "2000"));
		steps.add(acquire(1_500_001, "last", 1, "2000"));
		List<Observation> seen = this.redis.run(steps);
		assertThat(LockRecord.waiters(seen.get(32).state())).hasSize(32);
		assertThat(LockRecord.waiters(seen.get(33).state())).containsExactly("live", "last");
		assertThat(StateViews.misfit(seen.get(33).state())).isNull();
	}

	@Test
	void acquireWhenServerForgotWhenItStartedThenOnlyWhoHoldsTheLockGetsItInTheQuarantine() throws Exception {
		List<Observation> seen = this.redis
			.run(List.of(acquire(0, "a", 1, "0"), quarantined(1000, "a"), quarantined(1000, "b"), finish(2000, "a", 1),
					quarantined(5_000_999, "b"), quarantined(5_001_000, "b")));
		long until = (START + 5_001_000) / 1000;
		assertThat(reply(seen, 1)).startsWith(1L);
		assertThat(reply(seen, 2)).containsExactly(-2L, START / 1000 + 1, until);
		assertThat(reply(seen, 4)).containsExactly(-2L, until - 1, until);
		assertThat(reply(seen, 5)).startsWith(1L);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
							lock.waiting % 32 == 0 | false
							or expiry - now <= 0 or raised | or raised
							if state == 'H' or state == 'C' then if owner ~= instance or request - req ~= 0 or expiry - now <= 0 or raised | if state ~= 'S' and state ~= 'P' then if expiry - now <= 0 or raised
							or request - req ~= 0 or expiry - now <= 0 or raised | or expiry - now <= 0 or raised
							or raised - token < 0 |
							raised - token < 0 | raised - token <= 0
							token, block = string.format('%.0f', raised), math.max(block, tokens) |
					token, block = string.format('%.0f', raised), math.max(block, tokens) | token, block, state = string.format('%.0f', raised), math.max(block, tokens), 'H'
							if now < tonumber(moment) then | if false then
							""")
	@Mutants
	void mistakeIsFound(String code, String replacement) throws Exception {
		ScriptChange mistake = new ScriptChange(code, (replacement != null) ? replacement : "");
		this.redis = new VirtualRedis(this.connection, Scripts.ours().mutate(List.of(mistake)));
		List<ThrowingCallable> tests = List.of(this::raiseWhenHeldAloneThenByItsHolderOnlyAndNotDown,
				this::raiseWhenClaimedThenStaysAClaimAndOthersKeepTheirPlaces,
				this::acquireWhenManyDiedWhileTheyWaitedThenTheirPlacesAreSwept,
				this::acquireWhenServerForgotWhenItStartedThenOnlyWhoHoldsTheLockGetsItInTheQuarantine);
		assertThat(tests).anyMatch((test) -> catchThrowable(test) instanceof AssertionError);
	}

	@Test
	void acquireWhenSharingIsNotUnderstoodThenRefused() throws Exception {
		for (String sharing : List.of("", "0", "-1", "s", "2.5", "1e3", "S;")) {
			assertThat(this.redis.run(List.of(acquire(0, "a", 1, "0", "about", "", sharing))).get(0).reply())
				.as(sharing)
				.containsExactly("LKARG");
		}
	}

	@Test
	void finishWhenVeryManyWaitToShareThenAllAreLetInAtOnce() throws Exception {
		List<Step> steps = new ArrayList<>(List.of(acquire(0, "writer", 1, "0", "about")));
		for (int i = 0; i < 300; i++) {
			steps.add(acquire(1 + i, "i" + i, 1, "2000", "about", "", "S"));
		}
		steps.add(finish(4000, "writer", 1));
		List<Observation> seen = this.redis.run(steps);
		assertThat(seen.get(301).published()).hasSize(300);
		assertThat(LockRecord.parse(this.connection.sync().hget(RandomSteps.KEY, "o")).about()).startsWith("300,");
	}

	private static Step shared(long micros, String instance) {
		return acquire(micros, instance, 1, "0", "about", "", "S");
	}

	private static Step quarantined(long micros, String instance) {
		return new Step(START + micros, LockScript.ACQUIRE, List.of(RandomSteps.KEY, "lk:boot"),
				List.of(instance, "1", "60000", "1000", "0", "1", KEEP, "0", "lk:ch:", "5000"));
	}

	private static Step raise(long micros, String instance, int request, long token, int tokens) {
		return new Step(START + micros, LockScript.RAISE_TOKEN, List.of(RandomSteps.KEY),
				List.of(instance, String.valueOf(request), String.valueOf(token), KEEP, String.valueOf(tokens)));
	}

	private static List<Step> followed(List<Step> steps, Step... more) {
		List<Step> all = new ArrayList<>(steps);
		all.addAll(List.of(more));
		return all;
	}

	private static Step acquire(long micros, String instance, int request, String waiterTtl, String... about) {
		List<String> arguments = new ArrayList<>(
				List.of(instance, String.valueOf(request), "60000", "1000", waiterTtl, "1", KEEP, "0", "lk:ch:", "0"));
		arguments.addAll(List.of(about));
		return new Step(START + micros, LockScript.ACQUIRE, List.of(RandomSteps.KEY), arguments);
	}

	private static Step finish(long micros, String instance, int request) {
		return new Step(START + micros, LockScript.FINISH, List.of(RandomSteps.KEY),
				List.of(instance, String.valueOf(request), KEEP, "lk:ch:", "1"));
	}

	private static List<Object> reply(List<Observation> observations, int step) {
		return observations.get(step).reply();
	}

}
