package io.distlock.redis.simulation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.distlock.redis.SimulatedStore;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The simulation finds mistakes, in the scripts and in the engine. */
class SimulationMutationTests {

	private static final Logger logger = LoggerFactory.getLogger("simulation");

	private static final int SEEDS = Integer.getInteger("simulation.mutant.seeds", 40);

	private static RedisServer server;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@ParameterizedTest
	@EnumSource
	void mistakeInScriptIsFound(ScriptMistake mistake) {
		Map<String, String> scripts = mistake.in(SimulatedStore.scripts());
		report(mistake, Simulation.firstViolation(server.host(), server.port(), scripts, mistake.scenario(),
				mistake.use(), SEEDS));
	}

	@ParameterizedTest
	@EnumSource
	void mistakeInEngineIsFound(EngineMistake mistake) throws Exception {
		MutatedEngine engine = new MutatedEngine(mistake.line(), mistake.replacement());
		report(mistake, engine.firstViolation(server.host(), server.port(), mistake.scenario(), mistake.use(), SEEDS));
	}

	/** Or else what is found might be found without a mistake. */
	@Test
	void engineCompiledAgainWithoutMistakeBreaksNoRule() throws Exception {
		MutatedEngine engine = new MutatedEngine("final class Contest {", "final class Contest { ");
		assertThat(engine.firstViolation(server.host(), server.port(), Scenario.HOSTILE, Use.ALONE, 3)).isEmpty();
	}

	@Test
	void mistakeThatChangesNothingIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new MutatedEngine("no such line", ""));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ScriptMistake.NO_HANDOVER.in(Map.of("ACQUIRE", "return 1")));
	}

	private static void report(Enum<?> mistake, Optional<String> found) {
		logger.info("{}: {}", mistake, found.orElse("not found"));
		assertThat(found).as("%s within %d seeds", mistake, SEEDS).isPresent();
	}

	/** What may be wrong in the scripts. */
	enum ScriptMistake {

		NO_TOMBSTONE(Scenario.NONOTAFTER,
				"write('o', text, 'f:' .. inst, string.format('%.0f;%d;%s', req, code, time[1]))", "write('o', text)",
				"'o', text, 'f:' .. inst, ARGV[2] .. ';1;' .. time[1])", "'o', text)",
				"  owner, request, holder_about = inst, req, ''", "", "if state == 'E' and owner == inst then",
				"if false then"),

		CANCEL_IGNORES_GRANT(Scenario.NET, "if held and held <= req then",
				"if held and held <= req and state ~= 'C' then"),

		TOKEN_LOSES_DIGITS(Scenario.CLEAN, "';%.0f;%.0f;%.0f;'", "';%.0f;%.0f;%.14g;'"),

		CLAIM_NEVER_EXPIRES(Scenario.HOSTILE, "if expiry <= now then\n  state",
				"if expiry <= now and state ~= 'C' then\n  state"),

		ACQUIRE_NOT_IDEMPOTENT(Scenario.LOSSY, "elseif owner == inst then\n  if state == 'C'",
				"elseif false then\n  if state == 'C'"),

		FINISH_NOT_IDEMPOTENT(Scenario.LOSSY, "  if tonumber(finished) >= req then", "  if false then"),

		NO_HANDOVER(Scenario.CLEAN, "while state == 'E' and waiting > 0", "while false"),

		TAIL_NOT_UPDATED(Scenario.CLEAN, "place, tail, waiting = tail, tail + 1, waiting + 1",
				"place, waiting = tail, waiting + 1"),

		PLACES_NOT_UPDATED(Scenario.CLEAN, "'w:' .. waiter, free, 'q:' .. free", "'q:' .. free"),

		OWN_ORPHAN_STAYS(Scenario.HOSTILE, "if held and held < req then", "if false then"),

		GRANT_TO_THE_DEAD(Scenario.HOSTILE, "if waiter and tonumber(alive) > now then", "if waiter then"),

		BUSY_WITHOUT_TOMBSTONE(Scenario.TRYDUP, "tombstone = string.format('%.0f;0;%s', req, time[1])", ""),

		TOKEN_ONLY_COUNTS(Scenario.EVICT, "math.max(token + block, micros)", "token + block"),

		TOKEN_IS_ONLY_THE_TIME(Scenario.CLOCK, "math.max(token + block, micros)", "micros"),

		READER_PASSES_A_WAITING_WRITER(Scenario.CLEAN, Use.READERS, "or turn or fits and waiting == 0)",
				"or turn or fits)"),

		READER_LET_IN_BEHIND_A_WRITER(Scenario.CLEAN, Use.READERS,
				"if not fits and (waiter == asking or tonumber(alive) > now) then",
				"if not fits and sharing and (waiter == asking or tonumber(alive) > now) then"),

		READER_JOINS_A_WRITER(Scenario.CLEAN, Use.READERS, "state == (tonumber(sharing) and 'P' or 'S') and", ""),

		READERS_LET_IN_ONE_BY_ONE(Scenario.CLEAN, Use.READERS, "or count > 0 and waiting > 0 and head < tail do", "do"),

		HOLD_NOT_COUNTED(Scenario.CLEAN, Use.PERMITS, "= count + 1, math.min(", "= math.max(count, 1), math.min("),

		END_NOT_COUNTED(Scenario.CLEAN, Use.PERMITS, "own, count = false, count - 1", "own = false"),

		ONE_PERMIT_TOO_MANY(Scenario.CLEAN, Use.PERMITS, "count < (tonumber(sharing) or count + 1)",
				"count <= (tonumber(sharing) or count + 1)"),

		PERMIT_OF_THE_DEAD_STAYS(Scenario.HOSTILE, Use.PERMITS, "if ends <= now or token_of < first then",
				"if token_of < first then"),

		EARLIEST_END_NOT_KEPT(Scenario.HOSTILE, Use.PERMITS, "math.min(earliest, ends)", "math.max(earliest, ends)"),

		PERMITS_OF_TWO_LOCKS(Scenario.CLEAN, Use.MIXED, "state == (tonumber(sharing) and 'P' or 'S')",
				"(state == 'P' or state == 'S')"),

		TOKEN_OF_A_GROUP(Scenario.CLEAN, Use.READERS,
				"token, block = math.max(token + block, micros), tonumber(amount)",
				"token, block = count > 0 and token or math.max(token + block, micros), tonumber(amount)");

		private final Scenario scenario;

		private final Use use;

		private final String[] changes;

		ScriptMistake(Scenario scenario, String... changes) {
			this(scenario, Use.ALONE, changes);
		}

		ScriptMistake(Scenario scenario, Use use, String... changes) {
			this.scenario = scenario;
			this.use = use;
			this.changes = changes;
		}

		Scenario scenario() {
			return this.scenario;
		}

		Use use() {
			return this.use;
		}

		/** Each change must be one in at least one script. */
		Map<String, String> in(Map<String, String> scripts) {
			Map<String, String> mutated = new LinkedHashMap<>(scripts);
			for (int i = 0; i < this.changes.length; i += 2) {
				String line = this.changes[i];
				String replacement = this.changes[i + 1];
				if (mutated.values().stream().noneMatch((text) -> text.contains(line))) {
					throw new IllegalArgumentException("The scripts do not have this line any more: " + line);
				}
				mutated.replaceAll((verb, text) -> text.replace(line, replacement));
			}
			return mutated;
		}

	}

	/** What may be wrong in the engine. */
	enum EngineMistake {

		DEADLINE_FROM_ARRIVAL_OF_ANSWER(Scenario.FREEZE, "LocalDeadline.after(sentAt, grant.remainingMillis())",
				"LocalDeadline.after(this.engine.now(), grant.remainingMillis())"),

		DEADLINE_FROM_ARRIVAL_OF_MESSAGE(Scenario.FREEZE,
				"return LocalDeadline.earlier(ifConfirmed, LocalDeadline.earlier(sinceSample, sinceArrival));",
				"return sinceArrival;"),

		GRANT_OF_ANOTHER_REQUEST(Scenario.FREEZE, "if (contender == null || !contender.request().equals(request)) {",
				"if (contender == null) {"),

		NO_FINISH_AFTER_GIVING_UP(Scenario.CLEAN,
				"			this.withdrawals.begin(contender.request(), contender.speaker().lease());", ""),

		READERS_JOIN_FOR_EVER(Scenario.NOPUB, Use.READERS, "		return withinBounds(now);", "		return true;"),

		READER_JOINS_BEFORE_A_WAITING_WRITER(Scenario.CLEAN, Use.READERS, "lineUp(waiter);",
				"if (!waiter.shared() || !this.holding.share(waiter)) { lineUp(waiter); }"),

		FIRST_READER_ENDS_IT_FOR_ALL(Scenario.CLEAN, Use.READERS, "this.readers.isEmpty()",
				"(this.readers.isEmpty() || true)"),

		READERS_PASS_ON_TO_A_WRITER(Scenario.CLEAN, Use.READERS,
				"return !next.shared() && next.sharing().equals(released.taker().sharing());",
				"return !next.shared();"),

		LEASE_OF_A_READER_NOT_FOLLOWED(Scenario.CLEAN, Use.READERS,
				"this.holds.forEach((hold) -> hold.follow(shared));", ""),

		READER_KEEPS_THE_LEASE_OF_OTHERS(Scenario.CLEAN, Use.READERS, ", this.cap);", ", this.cap + 1_000_000_000L);"),

		SLOT_NOT_VACATED(Scenario.CLEAN, Use.PERMITS, "this.seats.remove(number);", ""),

		TWO_IN_ONE_SLOT(Scenario.CLEAN, Use.PERMITS, "while (this.seats.containsKey(number)) {",
				"while (number < 0) {"),

		MINIMUM_HOLD_NOT_KEPT(Scenario.CLEAN, Use.MIXED, "nanos(minHold) - now <= 0) {",
				"nanos(minHold) - now <= minHold.toNanos()) {");

		private final Scenario scenario;

		private final Use use;

		private final String line;

		private final String replacement;

		EngineMistake(Scenario scenario, String line, String replacement) {
			this(scenario, Use.ALONE, line, replacement);
		}

		EngineMistake(Scenario scenario, Use use, String line, String replacement) {
			this.scenario = scenario;
			this.use = use;
			this.line = line;
			this.replacement = replacement;
		}

		Scenario scenario() {
			return this.scenario;
		}

		Use use() {
			return this.use;
		}

		String line() {
			return this.line;
		}

		String replacement() {
			return this.replacement;
		}

	}

}
