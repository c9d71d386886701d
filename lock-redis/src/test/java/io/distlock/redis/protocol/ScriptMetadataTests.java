package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.List;

import io.distlock.redis.protocol.RandomSteps.Step;
import io.distlock.redis.protocol.VirtualRedis.Observation;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the scripts do beyond the reference. */
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
