package io.distlock.redis.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.distlock.output.Mutants;
import io.distlock.output.Seeds;
import io.distlock.test.redis.RedisServer;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever the key of a lock holds, each script answers soon, with a reply of bounded
 * size that can be read, or refuses the key as not its own.
 */
class CorruptRecordTests {

	private static final String KEY = "lk:corrupt";

	private static final int SEEDS = Seeds.of("lock.corrupt.seeds", 50, 400);

	private static final int LONGEST_REPLY = 20_000;

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final long HIGHEST = 9_001_000_000_000_000L;

	private static final String TOO_HIGH = "100000000000000000000";

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = RedisClient
		.create(RedisURI.builder().withHost(this.server.host()).withPort(this.server.port()).withTimeout(SOON).build());

	private final StatefulRedisConnection<String, String> connection = this.client.connect();

	private final long now = System.currentTimeMillis();

	private final Map<LockScript, String> texts = new LinkedHashMap<>();

	CorruptRecordTests() {
		for (LockScript script : LockScript.values()) {
			this.texts.put(script, script.text());
		}
	}

	@AfterEach
	void stop() {
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
		this.server.close();
	}

	private String record(Object expiry, Object token, String queue, String state, String about) {
		return "you;3;" + expiry + ";" + token + ";64;" + (this.now + 700_000) + ";" + queue + ";" + state + ";"
				+ about;
	}

	private String held(String queue) {
		return record(this.now + 600_000, this.now * 1000, queue, "H", "app;host;thread;caller");
	}

	private String over(String queue) {
		return record(this.now - 5000, this.now * 1000 - 9_000_000, queue, "H", "app;host;thread;caller");
	}

	private String together(String state, String about) {
		return "*;0;" + (this.now + 600_000) + ";" + (this.now * 1000) + ";64;" + (this.now + 700_000) + ";;" + state
				+ ";" + about;
	}

	private String hold(long begun) {
		return "1;" + (this.now + 600_000) + ";" + (this.now * 1000 - begun) + ";64;H;app;host;thread;caller";
	}

	private String waiter(String instance) {
		return instance + ";1;" + (this.now + 600_000) + ";1500;64;address;app;host;thread;caller";
	}

	/** No script wrote these, so none reads on. */
	private List<Map<String, String>> refused() {
		String group = "1," + (this.now + 600_000) + ",me";
		return List.of(Map.of("o", "garbage"), Map.of("o", ""), Map.of("o", ";1;2;3;4;5;;H;"), Map.of("o", "you;1;2"),
				Map.of("o", held("").replace(";64;", ";6x4;")), Map.of("o", held("1,9007199254740993,1")),
				Map.of("o", over("1,9007199254740993,1"), "q:1", waiter("him")),
				Map.of("o", over("9007199254740992,9007199254740994,1")),
				Map.of("o", together("S", "garbage"), "h:me", hold(5)),
				Map.of("o", together("S", group), "h:me", "1;" + TOO_HIGH + ";" + (this.now * 1000) + ";64;H;app"),
				Map.of("o", together("S", group), "h:me", "1;" + (this.now + 600_000) + ";" + TOO_HIGH + ";64;H;app"),
				Map.of("o", together("S", group), "h:me", "1;" + (this.now + 600_000) + ";9007199254740993;64;H;app"),
				Map.of("o", over("1,3000001,1")), Map.of("o", over("5,4,1")), Map.of("o", over("x")),
				Map.of("o", over("1,2")), Map.of("o", record(this.now - 5000, TOO_HIGH, "", "E", "")),
				Map.of("o", record(this.now - 5000, "9007199254740993", "", "E", "")),
				Map.of("o", record(this.now - 5000, "9".repeat(400), "", "E", "")),
				Map.of("o",
						record(this.now - 5000, this.now * 1000, "", "E", "").replace(";64;", ";" + TOO_HIGH + ";")),
				Map.of("o", record(TOO_HIGH, this.now * 1000, "", "H", "")),
				Map.of("o", record(this.now - 5000, "9007199254740993", "1,2,1", "H", ""), "q:1", waiter("him"),
						"w:him", "1"),
				Map.of("o", record(this.now + 600_000, this.now * 1000, "", "H", "x".repeat(9000))),
				Map.of("o", together("S", "garbage")), Map.of("o", together("S", "")), Map.of("o", together("P", "1")),
				Map.of("o", together("S", "2," + TOO_HIGH + ",me")),
				Map.of("o", together("S", group), "h:me", "garbage"),
				Map.of("o", together("S", group), "h:me", hold(5).replace(";64;", ";" + TOO_HIGH + ";")),
				Map.of("o", together("S", group), "h:me", hold(5) + "x".repeat(9000)));
	}

	/** What other clients may add; each concerns one waiter or one ended request only. */
	private List<Map<String, String>> passedOver() {
		String group = "2," + (this.now - 20) + ",him";
		List<Map<String, String>> states = new ArrayList<>();
		for (String waiter : List.of("garbage", "", "him;x;1;1;1;;", "him;1;" + "9".repeat(400) + ";1500;64;a;b",
				"him;1;" + (this.now + 600_000) + ";" + "9".repeat(400) + ";64;a;b",
				"him;1;" + (this.now + 600_000) + ";1500;" + TOO_HIGH + ";a;b", waiter("him") + "x".repeat(100_000),
				waiter("him"))) {
			states.add(Map.of("o", held("1,2,1"), "q:1", waiter, "w:me", "1"));
			states.add(Map.of("o", over("1,2,1"), "q:1", waiter, "w:me", "1"));
			states.add(Map.of("o", over("1,9,5"), "q:1", waiter, "w:him", "1", "q:4", waiter("she"), "w:she", "4"));
		}
		for (String end : List.of("garbage", "", "x;1;1", "9".repeat(400) + ";1;1")) {
			states.add(Map.of("o", held(""), "f:me", end));
			states.add(Map.of("o", held(""), "w:me", end));
		}
		for (String hold : List.of("garbage", "", "1;2;3", "1;" + "9".repeat(400) + ";1;1;H;", "x".repeat(100_000),
				"1;" + (this.now + 600_000) + ";" + TOO_HIGH + ";64;H;app")) {
			states.add(Map.of("o", together("S", group), "h:him", hold, "h:she", hold(5)));
		}
		String sampled = group.replace("," + (this.now - 20) + ",", "," + (this.now + 600_000) + ",");
		for (String hold : List.of("garbage", "1;" + (this.now + 600_000) + ";" + TOO_HIGH + ";64;H;app",
				hold(5) + "x".repeat(100_000))) {
			states.add(Map.of("o", together("P", sampled), "h:him", hold, "h:she", hold(5)));
		}
		states.add(Map.of("o", together("P", group)));
		states.add(Map.of("o", held(""), "foreign", "1"));
		return states;
	}

	private List<Map<String, String>> valid() {
		String group = "2," + (this.now + 600_000) + ",him";
		return List.of(Map.of("o", held("")), Map.of("o", record(this.now, this.now * 1000, "", "E", "")),
				Map.of("o", over("1,3,2"), "q:1", waiter("him"), "w:him", "1", "q:2", waiter("me"), "w:me", "2"),
				Map.of("o", held("7,9,2"), "q:7", waiter("him"), "w:him", "7", "q:8", waiter("me"), "w:me", "8", "f:me",
						"0;1;1"),
				Map.of("o", together("S", group), "h:him", hold(5), "h:me", hold(4)),
				Map.of("o", together("P", group), "h:him", hold(5), "h:she", hold(4), "f:me", "0;2;5"));
	}

	private List<List<String>> commands() {
		String notAfter = "0";
		return Stream
			.of("ACQUIRE me 1 30000 1500 2000 64 10000 " + notAfter + " lk:ch: 0 about address",
					"ACQUIRE me 1 30000 1500 0 64 10000 " + notAfter + " lk:ch: 0 about address S",
					"ACQUIRE me 2 30000 1500 2000 64 10000 " + notAfter + " lk:ch: 0 about address 3",
					"RENEW me 1 30000 0 10000", "RENEW me 1 30000 64 10000", "FINISH me 1 10000 lk:ch:",
					"FINISH me 1 10000 lk:ch: 1", "FINISH you 3 10000 lk:ch:",
					"RAISE_TOKEN me 1 " + (this.now * 1000 + 5) + " 10000 64", "INSPECT")
			.map((command) -> List.of(command.split(" ")))
			.toList();
	}

	/** What the script replies, or the first word of its error. */
	private Object run(List<String> command, Map<String, String> state) {
		return runAll(List.of(command), state).get(0);
	}

	/** The same for several, each on the same state; all are sent at once. */
	private List<Object> runAll(List<List<String>> commands, Map<String, String> state) {
		this.connection.setAutoFlushCommands(false);
		List<RedisFuture<Object>> replies = commands.stream().map((command) -> send(command, state)).toList();
		this.connection.flushCommands();
		this.connection.setAutoFlushCommands(true);
		return replies.stream().map(CorruptRecordTests::reply).toList();
	}

	private RedisFuture<Object> send(List<String> command, Map<String, String> state) {
		this.connection.async().del(KEY);
		this.connection.async().hset(KEY, state);
		return eval(command);
	}

	private RedisFuture<Object> eval(List<String> command) {
		return this.connection.async()
			.eval(this.texts.get(LockScript.valueOf(command.get(0))), ScriptOutputType.MULTI, new String[] { KEY },
					command.subList(1, command.size()).toArray(String[]::new));
	}

	private static Object reply(RedisFuture<Object> reply) {
		try {
			return LettuceFutures.awaitOrCancel(reply, SOON.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RedisCommandExecutionException ex) {
			return ex.getMessage().contains("LKFOREIGN") ? "LKFOREIGN" : ex.getMessage();
		}
		catch (RedisException ex) {
			return "no answer: " + ex.getMessage();
		}
	}

	private void assertAnswered(List<String> command, Map<String, String> state, Object answer) {
		if ("LKFOREIGN".equals(answer)) {
			return;
		}
		Supplier<String> shown = () -> command + " on " + state + " -> " + answer;
		assertThat(answer).as(shown).isInstanceOf(List.class);
		List<?> reply = (List<?>) answer;
		if (command.get(0).equals("INSPECT")) {
			return;
		}
		assertThat(answer.toString()).as(shown).hasSizeLessThan(LONGEST_REPLY);
		for (Object part : reply) {
			if (part instanceof Long number) {
				assertThat(number).as(shown).isBetween(-3L, 10_000_000_000_000_000L);
			}
		}
		if (command.get(0).equals("ACQUIRE") && reply.size() == 1) {
			reply = Replies.acquired(List.of(reply.get(0)), Long.parseLong(command.get(2)),
					Long.parseLong(command.get(3)));
		}
		if (reply.get(0).equals(1L) && reply.size() > 4 && !command.get(0).equals("RAISE_TOKEN")) {
			assertThat((Long) reply.get(3)).as(shown).isBetween(0L, HIGHEST);
		}
	}

	private void assertAllAnswered(Map<String, String> state) {
		List<List<String>> commands = commands();
		List<Object> answers = runAll(commands, state);
		for (int i = 0; i < commands.size(); i++) {
			assertAnswered(commands.get(i), state, answers.get(i));
		}
	}

	private void assertAllAnswered(List<Map<String, String>> states) {
		for (Map<String, String> state : states) {
			assertAllAnswered(state);
		}
	}

	@Test
	void scriptsWhenNoScriptWroteTheRecordThenRefuse() {
		for (Map<String, String> state : refused()) {
			assertThat(run(commands().get(0), state)).as("%s", state).isEqualTo("LKFOREIGN");
			assertThat(this.connection.sync().hgetall(KEY)).as("untouched").isEqualTo(state);
		}
		assertAllAnswered(refused());
	}

	@Test
	void scriptsWhenKeyHoldsOtherDataThenLeaveIt() {
		Map<String, String> foreign = Map.of("foreign", "1");
		for (List<String> command : commands()) {
			String verb = command.get(0);
			Object answer = run(command, foreign);
			if (verb.equals("ACQUIRE") || verb.equals("FINISH")) {
				assertThat(answer).as("%s", command).isEqualTo("LKFOREIGN");
			}
			else if (!verb.equals("INSPECT")) {
				assertThat(answer).as("%s", command).asInstanceOf(InstanceOfAssertFactories.LIST).startsWith(0L);
			}
			assertThat(this.connection.sync().hgetall(KEY)).as("%s", command).isEqualTo(foreign);
			this.connection.sync().set(KEY, "foreign");
			assertThat(reply(eval(command))).as("%s", command).asString().startsWith("WRONGTYPE");
			assertThat(this.connection.sync().get(KEY)).as("%s", command).isEqualTo("foreign");
		}
	}

	@Test
	void scriptsWhenPartsOfOthersAreCorruptThenGoOn() {
		for (Map<String, String> state : passedOver()) {
			assertThat(run(commands().get(0), state)).as("%s", state).isInstanceOf(List.class);
		}
		assertAllAnswered(passedOver());
	}

	@Test
	void scriptsWhenValidThenAnswer() {
		for (Map<String, String> state : valid()) {
			for (List<String> command : commands()) {
				assertThat(run(command, state)).as("%s on %s", command, state).isInstanceOf(List.class);
			}
		}
	}

	@Test
	void scriptsWhenAnyCharactersAreChangedThenAnswer() {
		for (long seed = 0; seed < SEEDS; seed++) {
			Random random = new Random(seed);
			Map<String, String> state = new LinkedHashMap<>(valid().get(random.nextInt(valid().size())));
			for (int i = random.nextInt(3); i >= 0; i--) {
				List<String> fields = state.keySet().stream().sorted().toList();
				String field = fields.get(random.nextInt(fields.size()));
				state.put(field, changed(state.get(field), random));
			}
			assertAllAnswered(state);
		}
	}

	private static String changed(String text, Random random) {
		int at = text.isEmpty() ? 0 : random.nextInt(text.length());
		String rest = text.substring(at);
		return text.substring(0, at) + switch (random.nextInt(6)) {
			case 0 -> rest.isEmpty() ? "" : rest.substring(1);
			case 1 -> ";" + rest;
			case 2 -> "9".repeat(1 + random.nextInt(30)) + rest;
			case 3 -> "";
			case 4 -> "\u0000\u00ff" + rest;
			default -> (char) (32 + random.nextInt(96)) + rest;
		};
	}

	/** What is there for these tests only is needed by them. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
					if not owner or #record > 8192 or | if not owner or
			or #expiry > 16 or #token > 16 or | or #token > 16 or
			or #expiry > 16 or #token > 16 or #token == 16 | or #expiry > 16 or #token == 16
			or #token > 16 or #token == 16 and token >= '9' or #block > 7 then | or #token > 16 or #block > 7 then
			or #token == 16 and token >= '9' or #block > 7 then | or #token == 16 and token >= '9' then
			if not owner or | if
			if not own or #own_expiry > 16 or | if #own_expiry > 16 or
			if not own or #own_expiry > 16 or | if not own or
			or #own_token > 16 or #own_token == 16 and own_token >= '9' or | or #own_token > 16 or
			or #own_block > 7 or | or
			or #own_about > 8192 then | then
			if not span or span < 0 or span > 1e6 then | if not span or span < 0 then
			if not span or span < 0 or span > 1e6 then | if not span or span > 1e6 then
			local span = head and #tail < 16 and tail - head | local span = head and tail - head
			local span = head and #tail < 16 and tail - head | local span = tail - head
			if not count or #count > 9 or #earliest > 16 then | if not count or #count > 9 then
			if not count or #count > 9 or #earliest > 16 then | if false then
			if not ends or ends <= now or ends > 2 ^ 53 then | if ends <= now or ends > 2 ^ 53 then
			if waiter and #request <= 16 and #alive <= 16 and #claim <= 13 and #tokens <= 7 then | if waiter then
			if text and #text <= 8192 then | if text then
			if waiter ~= instance then | if false then
			if waiter == instance and | if
			finished = finished or 0 |
			not record and redis.call('EXISTS', key) == 1 | false
			token and #token <= 16 and token or 0 | token or 0
			token and #token <= 16 and token or 0 | token
			string.match(#sample <= 8192 and sample or '', | string.match(sample,
			""")
	@Mutants
	void scriptsWithoutACheckAreFound(String code, String replacement) {
		this.texts.putAll(new ScriptChange(code, (replacement != null) ? replacement : "").in(Map.copyOf(this.texts)));
		List<Runnable> tests = List.of(this::scriptsWhenNoScriptWroteTheRecordThenRefuse,
				this::scriptsWhenKeyHoldsOtherDataThenLeaveIt, this::scriptsWhenPartsOfOthersAreCorruptThenGoOn,
				this::scriptsWhenAnyCharactersAreChangedThenAnswer);
		assertThat(tests).anyMatch(CorruptRecordTests::fails);
	}

	private static boolean fails(Runnable test) {
		try {
			test.run();
			return false;
		}
		catch (AssertionError | RedisException ex) {
			return true;
		}
	}

}
