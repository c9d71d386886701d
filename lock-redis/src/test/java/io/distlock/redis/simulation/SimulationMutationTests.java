package io.distlock.redis.simulation;

import java.util.Map;
import java.util.Optional;

import io.distlock.output.Mutants;
import io.distlock.redis.SimulatedStore;
import io.distlock.redis.protocol.ScriptChange;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The simulation finds mistakes, in the scripts and in the engine. */
@Mutants
class SimulationMutationTests {

	private static final Logger logger = LoggerFactory.getLogger("simulation");

	private static final int SEEDS = Integer.getInteger("simulation.mutant.seeds", 40);

	private static RedisServer server;

	@BeforeAll
	static void start() {
		server = RedisServer.builder().unprotected().start();
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
		report(mistake, mistake.engine()
			.firstViolation(server.host(), server.port(), mistake.scenario(), mistake.use(), SEEDS));
	}

	/** What the simulation does not see because it costs no more than a command. */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					message-ticket | !this.inbox.isAddress(parts[1], request, expiresAt - storeTime) | false | receiveWhenTicketIsOfAnotherRequestThenIgnored
					message-token | inTime ? expiresAt | true ? expiresAt | receiveWhenTokenIsAheadOfTheClockByMoreThanABlockThenNothingIsLeftOfIt
					message-digest | '|| !this.inbox.isDigest(parts[1])' | '' | receiveWhenDigestIsOfAnotherInstanceThenIgnored
					message-length | 'message.length() > this.longest ||' | '' | receiveWhenTooLongThenNotRead
					message-report | now - this.nextReport < 0 | false | receiveWhenManyAreForgedThenReportedOnceAMinute
					""")
	void mistakeInMessagesIsFoundByTheirTests(String mutant, String original, String mistake, String test) {
		MutatedEngine mutated = new MutatedEngine("GrantMessages", original, mistake);
		assertThat(catchThrowable(() -> mutated.run("io.distlock.redis.protocol.GrantMessagesTests", test)))
			.isInstanceOf(AssertionError.class);
	}

	/** Or else what is found might be found without a mistake. */
	@Test
	void engineCompiledAgainWithoutMistakeBreaksNoRule() throws Exception {
		MutatedEngine engine = new MutatedEngine("WaitQueue", "others.add(waiter)", "others.add(waiter)");
		assertThat(engine.firstViolation(server.host(), server.port(), Scenario.HOSTILE, Use.ALONE, 3)).isEmpty();
	}

	@Test
	void mistakeThatChangesNothingIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new MutatedEngine("WaitQueue", "noSuchCode();", ""));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ScriptMistake.NO_HANDOVER.in(Map.of("ACQUIRE", "return 1")));
	}

	private static void report(Enum<?> mistake, Optional<String> found) {
		logger.info("{}: {}", mistake, found.orElse("not found"));
		assertThat(found).as("%s within %d seeds", mistake, SEEDS).isPresent();
	}

	/** What may be wrong in the scripts. */
	enum ScriptMistake {

		NO_TOMBSTONE(Scenario.NONOTAFTER, "save('f:' .. instance, string.format('%.0f;%d;%s', req, code, time[1]))",
				"save()", "'o', text, 'f:' .. instance, tombstone)", "'o', text)",
				"lock.owner, lock.request, lock.about = instance, string.format('%.0f', req), ''", "",
				"if state == 'E' and owner == instance then", "if false then"),

		SHORT_REST_WITHOUT_TOMBSTONE(Scenario.NONOTAFTER, "'o', rest, 'f:' .. instance, tombstone)", "'o', rest)"),

		UNKNOWN_REQUEST_WITHOUT_TOMBSTONE(Scenario.DIRECT,
				"save('f:' .. instance, string.format('%.0f;%d;%s', req, code, time[1]))",
				"if code == 0 then save() else save('f:' .. instance, string.format('%.0f;%d;%s', req, code, time[1])) end",
				"lock.owner, lock.request, lock.about = instance, string.format('%.0f', req), ''", ""),

		CANCEL_IGNORES_GRANT(Scenario.NET, "if held and held <= req then",
				"if held and held <= req and state ~= 'C' then"),

		TOKEN_LOSES_DIGITS(Scenario.CLEAN, "';%.0f;%.0f;%.0f;%d;', req, expires, first",
				"';%.0f;%.0f;%.14g;%d;', req, expires, first", "string.format('%.0f', math.max(lock.token + lock.block",
				"string.format('%.14g', math.max(lock.token + lock.block"),

		CLAIM_NEVER_EXPIRES(Scenario.HOSTILE, "if lock.expiry - now <= 0 then",
				"if lock.expiry - now <= 0 and lock.state ~= 'C' then"),

		ACQUIRE_NOT_IDEMPOTENT(Scenario.LOSSY, "elseif lock.owner == instance then if lock.state == 'C'",
				"elseif false then if lock.state == 'C'"),

		FINISH_NOT_IDEMPOTENT(Scenario.LOSSY, "if tonumber(finished) >= req then", "if false then"),

		NO_HANDOVER(Scenario.CLEAN, "while (lock.state == 'E' or lock.count > 0) and", "while false and"),

		TAIL_NOT_UPDATED(Scenario.CLEAN,
				"position, lock.tail, lock.waiting = lock.tail, lock.tail + 1, lock.waiting + 1",
				"position, lock.waiting = lock.tail, lock.waiting + 1"),

		POSITIONS_NOT_UPDATED(Scenario.CLEAN, "'w:' .. waiter, free, 'q:' .. free", "'q:' .. free"),

		OWN_ORPHAN_STAYS(Scenario.HOSTILE, "if held and held < req then", "if false then"),

		GRANT_TO_THE_DEAD(Scenario.HOSTILE, "if live then", "if true then"),

		BUSY_WITHOUT_TOMBSTONE(Scenario.TRYDUP, "tombstone = string.format('%.0f;0;%s', req, time[1])", ""),

		TOKEN_ONLY_COUNTS(Scenario.EVICT, "math.max(token + block, micros)", "token + block",
				"math.max(lock.token + lock.block, micros)", "lock.token + lock.block"),

		TOKEN_IS_ONLY_THE_TIME(Scenario.CLOCK, "math.max(token + block, micros)", "micros",
				"math.max(lock.token + lock.block, micros)", "micros"),

		READER_PASSES_A_WAITING_WRITER(Scenario.CLEAN, Use.READERS, "(turn or fits(sharing) and lock.waiting == 0)",
				"(turn or fits(sharing))"),

		READER_LET_IN_BEHIND_A_WRITER(Scenario.CLEAN, Use.READERS, "and live and not fits(sharing) then",
				"and live and sharing and not fits(sharing) then"),

		READER_JOINS_A_WRITER(Scenario.CLEAN, Use.READERS, "lock.state == (permits and 'P' or 'S') and", ""),

		READERS_LET_IN_ONE_BY_ONE(Scenario.CLEAN, Use.READERS, "while (lock.state == 'E' or lock.count > 0) and",
				"while lock.state == 'E' and"),

		HOLD_NOT_COUNTED(Scenario.CLEAN, Use.PERMITS, "lock.count, lock.sample_holder = lock.count + 1,",
				"lock.count, lock.sample_holder = math.max(lock.count, 1),"),

		END_NOT_COUNTED(Scenario.CLEAN, Use.PERMITS, "lock.count = lock.count - 1", ""),

		ONE_PERMIT_TOO_MANY(Scenario.CLEAN, Use.PERMITS, "lock.count < (permits", "lock.count <= (permits"),

		PERMIT_OF_THE_DEAD_STAYS(Scenario.HOSTILE, Use.PERMITS, "if not ends or ends <= now or ends > 2 ^ 53 then",
				"if not ends or ends > 2 ^ 53 then"),

		EARLIEST_END_NOT_KEPT(Scenario.HOSTILE, Use.PERMITS, "math.min(lock.earliest, ends)",
				"math.max(lock.earliest, ends)"),

		PERMITS_OF_TWO_LOCKS(Scenario.CLEAN, Use.MIXED, "lock.state == (permits and 'P' or 'S')",
				"(lock.state == 'P' or lock.state == 'S')"),

		FORCE_ENDS_WHOEVER_HOLDS(Scenario.FORCED, "local ended = held == req and", "local ended = held and"),

		FORCE_PASSES_OVER_WHO_WAITS(Scenario.FORCED, "admit_waiters() if lock.state == 'E' then lock.about = '' end",
				"if lock.state == 'E' then lock.about = '' end"),

		FORCE_LEAVES_NO_TOMBSTONE(Scenario.FORCED, "save(tombstones[1], tombstones[2])", "save()"),

		FORCED_HOLD_IS_RENEWED(Scenario.FORCED,
				"if alone and (owner ~= instance or request - req ~= 0 or expiry - now <= 0) or not alone",
				"if not alone"),

		NEW_MASTER_DELAYS_NOTHING(Scenario.FAILOVER, "local closed = closed_until > now", "local closed = false"),

		NEW_MASTER_NOT_NOTICED(Scenario.FAILOVER, "if seen ~= id then", "if not moment then"),

		NEW_MASTER_ADMITS_WHO_WAITS(Scenario.FAILOVER, "if closed then", "if false then"),

		TOKEN_OF_A_GROUP(Scenario.CLEAN, Use.READERS,
				"lock.token, lock.block = string.format('%.0f', math.max(lock.token + lock.block, micros)), block",
				"lock.token, lock.block = lock.count > 0 and lock.token"
						+ " or string.format('%.0f', math.max(lock.token + lock.block, micros)), block");

		private final Scenario scenario;

		private final Use use;

		/** Pairs of code and its replacement. */
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

		Map<String, String> in(Map<String, String> scripts) {
			Map<String, String> mutated = scripts;
			for (int i = 0; i < this.changes.length; i += 2) {
				mutated = new ScriptChange(this.changes[i], this.changes[i + 1]).in(mutated);
			}
			return mutated;
		}

	}

	/** What may be wrong in the engine. */
	enum EngineMistake {

		DEADLINE_FROM_ARRIVAL_OF_ANSWER(Scenario.FREEZE, "Acquirer",
				"LocalDeadline.after(sentAt, asked.certainMillis(grant))",
				"LocalDeadline.after(this.engine.now(), grant.remainingMillis())"),

		DEADLINE_FROM_ARRIVAL_OF_MESSAGE(Scenario.FREEZE, "AcquireRequest",
				"return LocalDeadline.earlier(sinceQueued, sinceArrival);", "return sinceArrival;"),

		FORGED_GRANT(Scenario.FORGED, "GrantMessages",
				"!this.inbox.isAddress(parts[1], request, expiresAt - storeTime)", "false"),

		GRANT_OF_ANOTHER_REQUEST(Scenario.FREEZE, "Acquirer",
				"return this.current != null && this.current.id().equals(request);", "return this.current != null;"),

		FORCED_RELEASE_NOT_CONFIRMED(Scenario.TOLD, "LockEntry", "this.renewer.confirm(); this.acquirer.revoked();",
				"this.acquirer.revoked();"),

		FORCED_RELEASE_BEFORE_ITS_GRANT_FORGOTTEN(Scenario.TOLD, "Acquirer", "this.current.markRevoked();", ""),

		NO_FINISH_AFTER_GIVING_UP(Scenario.CLEAN, "Contender",
				"this.finisher.begin(request.id(), request.waiter().term());", ""),

		READERS_JOIN_FOR_EVER(Scenario.NOPUB, Use.READERS, "Readers",
				"lastsFor(next) && this.lease.handOffs().mayStay(now)", "lastsFor(next)"),

		READER_JOINS_BEFORE_A_WAITING_WRITER(Scenario.CLEAN, Use.READERS, "Waiters", "enqueue(waiter); return true;",
				"if (!waiter.shared() || !admit(waiter)) { enqueue(waiter); } return true;"),

		FIRST_READER_ENDS_IT_FOR_ALL(Scenario.CLEAN, Use.READERS, "Readers",
				"boolean last = this.holds.size() == 1 && this.holds.contains(reader);", "boolean last = true;"),

		READERS_PASS_ON_TO_A_WRITER(Scenario.CLEAN, Use.READERS, "LocalHolds",
				"boolean sameKind = !next.shared() && next.sharing().equals(hold.sharing());",
				"boolean sameKind = !next.shared();"),

		LEASE_OF_A_READER_NOT_FOLLOWED(Scenario.CLEAN, Use.READERS, "Readers",
				"return term.renewed() ? now + LocalDeadline.FOREVER_NANOS :",
				"return false ? now + LocalDeadline.FOREVER_NANOS :"),

		READER_KEEPS_THE_LEASE_OF_OTHERS(Scenario.CLEAN, Use.READERS, "Hold",
				"LocalDeadline.earlier(this.lease.deadline(), this.cap)",
				"LocalDeadline.earlier(this.lease.deadline(), this.cap + 1_000_000_000L)"),

		SLOT_NOT_VACATED(Scenario.CLEAN, Use.PERMITS, "Semaphore", "vacate(number); serve();", "serve();"),

		TWO_IN_ONE_SLOT(Scenario.CLEAN, Use.PERMITS, "SlotNumbers", "(lowest != null) ? lowest : ++this.highest", "1"),

		MINIMUM_HOLD_NOT_KEPT(Scenario.CLEAN, Use.MIXED, "Hold",
				"(minimumHold != null) ? LocalDeadline.nanos(minimumHold) : 0", "0");

		private final Scenario scenario;

		private final Use use;

		private final String type;

		private final String original;

		private final String mistake;

		EngineMistake(Scenario scenario, String type, String original, String mistake) {
			this(scenario, Use.ALONE, type, original, mistake);
		}

		EngineMistake(Scenario scenario, Use use, String type, String original, String mistake) {
			this.scenario = scenario;
			this.use = use;
			this.type = type;
			this.original = original;
			this.mistake = mistake;
		}

		Scenario scenario() {
			return this.scenario;
		}

		Use use() {
			return this.use;
		}

		MutatedEngine engine() {
			return new MutatedEngine(this.type, this.original, this.mistake);
		}

	}

}
