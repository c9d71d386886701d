package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.distlock.FencingToken;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.LockKeyException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class KeyExpressionTests {

	private static final Order ORDER = new Order("sku-1", 7L, Size.LARGE,
			UUID.fromString("00000000-0000-0000-0000-000000000001"), null, List.of("x"));

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final KeyExpressions keys = new KeyExpressions(this.beans);

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"#order.sku"                          | sku-1
			"#p0.sku"                             | sku-1
			"#a0.sku"                             | sku-1
			"#order.id"                           | 7
			"#order.size"                         | LARGE
			"#order.uuid"                         | 00000000-0000-0000-0000-000000000001
			"#order.tags[0]"                      | x
			"#order.tags.![#this.length()][0]"    | 1
			"#count"                              | 3
			"#order.id + #count"                  | 10
			"#order.id + 1 + '-' + #count"        | 8-3
			'daily'                             | daily
			'#5 of ${x}'                        | #5 of ${x}
			'order:' + #order.id + ':' + #count | order:7:3
			'' + #order.size                    | LARGE
			"#order.note ?: 'none'"               | none
			"#order.optional"                     | given
			"#root.method.name"                   | deduct
			"#root.methodName"                    | deduct
			methodName + ':' + #order.sku       | deduct:sku-1
			"#root.args[1]"                       | 3
			args[1]                             | 3
			"#root.target.tenant"                 | acme
			"#root.targetClass.simpleName"        | Service
			method.name + target.tenant         | deductacme
			@tenants.current()                  | blue
			"#order.tags.get(0).length()"         | 1
			"#order.class.simpleName"             | Order
			{#order.sku, 'b'}[1]                | b
			"#order.id > 5 ? 'big' : 'small'"     | big
			"#order.id > 5 ? 'o' + #order.id : 1" | o7
			"#order.sku + ' ' + #order.id"        | sku-1 7
			"#order.note ?: 'n' + #order.id"      | n7
			"#order.total"                        | 12
			'order:' + #order.total             | order:12
			""")
	void evaluateGivesTheText(String expression, String text) {
		this.beans.registerSingleton("tenants", new Tenants());
		assertThat(evaluate(expression, ORDER, 3)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					"#order.note"                  | evaluated to null; callers with different data would share one lock
					"#order.empty"                 | evaluated to null; callers with different data would share one lock
					'  '                         | evaluated to a blank text; callers with different data would share one lock
					'order:' + #order.note       | has a part that is null: #order.note; callers with different data would share one lock
					"#order.note + ':' + #order.id" | has a part that is null: #order.note; callers with different data would share one lock
					"#order"                       | evaluated to a io.distlock.spring.definition.KeyExpressionTests$Order, whose text is not the same in every process; use one of its properties
					{'a': 1}                     | evaluated to a java.util.Collections$UnmodifiableMap, which is no text; a key is one text, or a collection or an array of texts
					'order:' + #order.tags       | has a part, #order.tags, that is a java.util.ImmutableCollections$List12, which is no text; a key is one text, or a collection or an array of texts
					'order:' + #order.blank      | has a part that is blank: #order.blank; callers with different data would share one lock
					"#order.blank + #order.id"     | has a part that is blank: #order.blank; callers with different data would share one lock
					'order:' + #order.number     | has a part that is null: #order.number; callers with different data would share one lock
					"#order.number"                | evaluated to null; callers with different data would share one lock
					{'order:' + #order.note, #order.id} | has a part that is null: #order.note; callers with different data would share one lock
					"#order.id > 5 ? 'o' + #order.note : 'n'" | has a part that is null: #order.note; callers with different data would share one lock
					"#order.note ?: 'n' + #order.note" | has a part that is null: #order.note; callers with different data would share one lock
					'order:' + #order.empty      | has a part that is null: #order.empty; callers with different data would share one lock
					{}                           | evaluated to an empty java.util.Collections$UnmodifiableRandomAccessList; nothing would be locked
					{'a', #order.note}           | has an element (2 of 2) that is null; callers with different data would share one lock
					{'a', 'b', ' '}              | has an element (3 of 3) that is a blank text; callers with different data would share one lock
					{#order.tags}                | has an element (1 of 1) that is a java.util.ImmutableCollections$List12, which is no text; a key is one text, or a collection or an array of texts
					{#order}                     | has an element (1 of 1) that is a io.distlock.spring.definition.KeyExpressionTests$Order, whose text is not the same in every process; use one of its properties
					'a'.bytes                    | evaluated to a byte[], which is no text; a key is one text, or a collection or an array of texts
					'a'.toCharArray()            | evaluated to a char[], which is no text; a key is one text, or a collection or an array of texts
					"#order.missing"               | could not be evaluated: EL1008E: Property or field 'missing' cannot be found on object of type 'io.distlock.spring.definition.KeyExpressionTests$Order' - maybe not public or not valid?
					""")
	void evaluateWhenNoKeyThenRefusesTheCall(String expression, String reason) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> evaluate(expression, ORDER, 3))
			.withMessage("@DistributedLock on KeyExpressionTests.Service.deduct(KeyExpressionTests.Order, int): key '"
					+ expression + "' " + reason)
			.satisfies((ex) -> assertThat(ex.expression()).isEqualTo(expression))
			.satisfies((ex) -> assertThat(ex.method())
				.isEqualTo("KeyExpressionTests.Service.deduct(KeyExpressionTests.Order, int)"));
	}

	@Test
	void evaluateWhenARecordTellsWhereItIsInMemoryThenRefused() {
		assertThat(evaluateAll("#p0", new Parcel("a", 1, null), 3))
			.containsExactly("Parcel[id=a, weight=1, content=null]");
		assertThat(evaluateAll("#p0", new Parcel("a", 1, new Parcel("b", 2, Size.LARGE)), 3)).hasSize(1);
		assertThat(evaluateAll("#p0", new Label(ORDER), 3)).containsExactly("label");
		assertThat(evaluateAll("#p0.id", new Parcel("a", 1, ORDER), 3)).containsExactly("a");
		for (Object content : List.of(ORDER, new int[] { 1 }, new Parcel("b", 2, ORDER))) {
			assertThatExceptionOfType(LockKeyException.class)
				.isThrownBy(() -> evaluateAll("#p0", new Parcel("a", 1, content), 3))
				.withMessageEndingWith(
						"key '#p0' evaluated to a io.distlock.spring.definition.KeyExpressionTests$Parcel, whose "
								+ "text is not the same in every process; use one of its properties");
		}
	}

	/** Processes of two time zones would have two locks for one moment. */
	@Test
	void evaluateWhenTheTextHasTheTimeZoneThenRefused() {
		Date moment = new Date(0);
		Calendar calendar = Calendar.getInstance();
		Date ofDatabase = new Timestamp(0);
		Date inherited = new Date(0) {
		};
		for (Object value : List.of(moment, ofDatabase, inherited, calendar, List.of(moment),
				new Parcel("a", 1, moment))) {
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> evaluateAll("#p0", value, 3))
				.withMessageEndingWith("whose text is not the same in every process; use one of its properties");
		}
		assertThat(evaluateAll("#p0.time", moment, 3)).containsExactly("0");
		assertThat(evaluateAll("#p0.timeInMillis", calendar, 3)).hasSize(1);
	}

	@Test
	void evaluateWhenABeanFailsThenSaysWhoseKeyItIs() {
		IllegalStateException failure = new IllegalStateException("no tenant");
		this.beans.registerSingleton("tenants", new Tenants() {

			@Override
			public String current() {
				throw failure;
			}

		});
		assertThatExceptionOfType(LockKeyException.class)
			.isThrownBy(() -> evaluate("'order:' + @tenants.current()", ORDER, 3))
			.withMessage("@DistributedLock on KeyExpressionTests.Service.deduct(KeyExpressionTests.Order, int): key "
					+ "''order:' + @tenants.current()' could not be evaluated: java.lang.IllegalStateException: no tenant")
			.withCause(failure);
	}

	@Test
	void evaluateWhenSeveralThenEachIsAKey() {
		assertThat(evaluateAll("{#order.sku, #count, #order.size}", ORDER, 3)).containsExactly("sku-1", "3", "LARGE");
		assertThat(evaluateAll("{#order.optional}", ORDER, 3)).containsExactly("given");
		assertThat(evaluateAll("#order.tags", ORDER, 3)).containsExactly("x");
		assertThat(evaluateAll("#p0", List.of("b", "a", "b"), 3)).containsExactly("b", "a", "b");
		assertThat(evaluateAll("#p0", new long[] { 7, 8 }, 3)).containsExactly("7", "8");
		assertThat(evaluateAll("#p0", new String[] { "a:b", "${x} #y" }, 3)).containsExactly("a:b", "${x} #y");
		assertThat(evaluateAll("#p0", Optional.of(List.of("a", "b")), 3)).containsExactly("a", "b");
		assertThat(evaluateAll("#p0.![#this.sku]", List.of(ORDER, ORDER), 3)).containsExactly("sku-1", "sku-1");
	}

	@Test
	void evaluateWhenArgumentIsNullThenRefusesTheCall() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> evaluate("#order.sku", null, 3))
			.withMessageContaining("key '#order.sku' could not be evaluated: EL1007E");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> evaluate("#order?.sku", null, 3))
			.withMessageContaining("key '#order?.sku' evaluated to null");
	}

	@Test
	void evaluateWhenArgumentClassesChangeThenStillWorks() {
		KeyExpression key = this.keys.parse("#value.toString()", new LockedMethodId(method(Service.class, "any")));
		for (Object value : Arrays.<Object>asList("a", 1, 2L, Size.LARGE, "b")) {
			assertThat(key.evaluate(new Service(), new Object[] { value })).containsExactly(value.toString());
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					"#ordr.sku"          | key '#ordr.sku' uses the unknown variable #ordr. Did you mean #order? The parameters are #order, #count, by position #p0, #p1
					"#p2"                | key '#p2' uses the unknown variable #p2. The parameters are #order, #count, by position #p0, #p1
					"#order.tags[#i]"    | key '#order.tags[#i]' uses the unknown variable #i. The parameters are #order, #count, by position #p0, #p1
					"#fn(1)"             | key '#fn(1)' calls #fn(1), but there are no functions. The parameters are #order, #count, by position #p0, #p1
					daily              | key 'daily' uses the unknown name daily. For a parameter write #daily, for a fixed text write 'daily' in single quotes. The parameters are #order, #count, by position #p0, #p1
					order.sku          | key 'order.sku' uses the unknown name order. For a parameter write #order, for a fixed text write 'order' in single quotes. The parameters are #order, #count, by position #p0, #p1
					@tenant.id         | key '@tenant.id' uses @tenant, but there is no bean 'tenant'. Name a bean that exists
					""")
	void parseWhenNamesAreUnknownThenRefused(String expression, String reason) {
		assertThatExceptionOfType(InvalidLockDefinitionException.class).isThrownBy(() -> evaluate(expression, ORDER, 3))
			.withMessage(
					"@DistributedLock on KeyExpressionTests.Service.deduct(KeyExpressionTests.Order, int): " + reason);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					"#line.skuu"               | reads skuu, which KeyExpressionTests.Line does not have. Did you mean sku? KeyExpressionTests.Line has box, lines, maybe, owner, size, sku
					"#p0?.skuu"                | reads skuu, which KeyExpressionTests.Line does not have. Did you mean sku? KeyExpressionTests.Line has box, lines, maybe, owner, size, sku
					"'a' + #line.box.widht"    | reads widht, which KeyExpressionTests.Box does not have. Did you mean width? KeyExpressionTests.Box has width
					"#line.sku.lenght"         | reads lenght, which String does not have. Did you mean length? String has blank, bytes, empty
					"{#line.sku, #count.foo}"  | reads foo, which Integer does not have. Integer has no properties
					"#root.metod"              | reads metod, which #root does not have. Did you mean method? #root has args, method, methodName, target, targetClass
					"#root.methodNmae"         | reads methodNmae, which #root does not have. Did you mean methodName?
					"#root.method.nmae"        | reads nmae, which Method does not have. Did you mean name?
					"method.nmae"              | reads nmae, which Method does not have. Did you mean name?
					""")
	void parseWhenPropertyCannotExistThenRefused(String expression, String reason) {
		LockedMethodId id = new LockedMethodId(method(Service.class, "pack"));
		assertThatExceptionOfType(InvalidLockDefinitionException.class)
			.isThrownBy(() -> this.keys.parse(expression, id))
			.withMessageContaining("key '" + expression + "' " + reason);
	}

	/** What may be there at the call is not refused at startup. */
	@ParameterizedTest
	@ValueSource(strings = { "#line.sku.length", "#line.sku.bytes.length", "#line.maybe.nothing", "#line.owner.nothing",
			"#line.lines.nothing", "#line.size.name", "#line.size.nothing", "#open.nothing", "#map.nothing",
			"#any.nothing", "#generic.nothing", "#line.sku().nothing", "#lines.![nothing]", "#lines[0].nothing",
			"#root.target.nothing", "#root.targetClass.name", "#root.args[0].nothing", "#line.box.width",
			"#line.getSku()", "#box.width" })
	void parseWhenPropertyMayExistThenAccepted(String expression) {
		LockedMethodId id = new LockedMethodId(method(Service.class, "pack"));
		assertThat(this.keys.parse(expression, id)).isNotNull();
	}

	@Test
	void evaluateWhenPropertiesOfFinalTypesThenRead() {
		KeyExpression key = this.keys.parse("{#line.sku, #line.box.width, #line.sku.length, #box.width}",
				new LockedMethodId(method(Service.class, "pack")));
		Line line = new Line("s", new Box(7), Optional.empty(), List.of(), ORDER, Size.LARGE);
		assertThat(key.evaluate(new Service(),
				new Object[] { line, 1, ORDER, Map.of(), "", "", List.of(line), new Box(8) }))
			.containsExactly("s", "7", "1", "8");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"#order.sku = 'other'" | assigns a value: #order.sku = 'other'
			"#count++"             | assigns a value:
			--#count             | assigns a value: --#count
			""")
	void parseWhenItAssignsThenRefused(String expression, String reason) {
		assertThatExceptionOfType(InvalidLockDefinitionException.class).isThrownBy(() -> evaluate(expression, ORDER, 3))
			.satisfies((ex) -> assertThat(ex.reason()).startsWith("key '" + expression + "' ")
				.containsIgnoringWhitespaces(reason))
			.satisfies((ex) -> assertThat(ex.fix()).isEqualTo("Only read values; compare with =="));
	}

	/** Whoever writes the key writes the class, as with {@code @Cacheable}. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			T(java.lang.Integer).valueOf(5)                      | 5
			T(java.util.UUID).fromString(#order.uuid.toString()) | 00000000-0000-0000-0000-000000000001
			new String('a')                                      | a
			new java.math.BigDecimal('1.50')                     | 1.5
			"#order.sku + T(java.lang.Math).abs(#count)"           | sku-13
			"#count instanceof T(Integer) ? 'i' : 'n'"             | i
			T(String).join('-', #order.sku, 'x')                 | sku-1-x
			T(String).format('%s/%d', #order.sku, #count)        | sku-1/3
			"#order.sku.concat('-x')"                              | sku-1-x
			"#root.targetClass.getSimpleName()"                    | Service
			""")
	void evaluateWhenTypesAndConstructorsThenAsInCacheable(String expression, String text) {
		assertThat(evaluate(expression, ORDER, 3)).isEqualTo(text);
	}

	/**
	 * Two calls with different data, of which a part is null, must not share a lock,
	 * wherever in the expression the null becomes text.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "'x:' + #note", "#note + ''", "'x' + (#note + 'y')", "('x:' + #note).toLowerCase()",
			"('x:' + #note)[0] + 'z'", "'x'.concat(':' + #note)", "'x'.concat(#note)", "'x'.replace('x', 'y' + #note)",
			"T(String).valueOf(#note)", "T(String).valueOf('x' + #note)", "T(String).join(':', 'x', #note)",
			"T(String).join(':', {'x', #note})", "T(String).format('%s', #note)", "'%s'.formatted(#note)",
			"T(java.util.Objects).toString(#note)", "T(java.util.Arrays).asList('x', #note).toString()",
			"{'x', #note}.toString()", "{'x', #note}[0] + {'x', #note}[1]", "{'x' + #note}", "{a: 'x' + #note}['a']",
			"{a: #note}.toString()", "#map['x' + #note]", "#map[#note]", "#map[#note] + 'x'", "'x' + #map['none']",
			"#map.get('none') + 'x'", "#map.toString()", "#list.![#this + ':' + #note]", "#list.!['x'.concat(#note)]",
			"#list.![{'x' + #note}[0]]", "#list", "#list.toString()", "'x' + #list[1]", "#list[1] + 'x'",
			"T(String).join(',', #list)", "#list.stream().toList().toString()",
			"#list.stream().collect(T(java.util.stream.Collectors).joining(','))",
			"new StringBuilder('x').append(#note).toString()", "new java.util.StringJoiner(',').add(#note).toString()",
			"new io.distlock.spring.definition.KeyExpressionTests$Pair('x', #note)",
			"new io.distlock.spring.definition.KeyExpressionTests$Pair('x', 'y' + #note)", "@tenants.of(#note)",
			"@tenants.of('x' + #note)", "'x' + @tenants.none()", "@tenants.none()", "#yes ? 'x' + #note : 'y'",
			"(#yes ? 'x' + #note : 'y').trim()", "#yesText ? 'x' + #note : 'y'", "(#note ?: #note) + 'x'",
			"#note ?: ('x' + #note)", "(#note ?: ('x' + #note)).trim()", "'x' + #note?.length()", "#root.args + 'x'",
			"T(java.util.Arrays).toString(#root.args)", "'x' + #empty", "T(String).valueOf(#empty)",
			"#empty.toString()", "'x'.concat(#empty.toString())", "('x' + #note) * 2", "(('x' + #note) * 2).trim()",
			"#note > 'a' ? 'x' : 'y'", "#list.?[#this > 'a'].![#this + 'x']", "#empty.![#this + 'x']",
			"#given.![#this + ':' + #note]", "#array.![#this + ':' + #note]", "#map.![key + ':' + value]",
			"T(java.util.Optional).of('x' + #note)", "-1 + 'x' + #note", "('x' + #note) + 1",
			"#list.get(('x' + #note).length() + 1)" })
	void evaluateWhenAPartIsNullThenNoTextHasIt(String expression) {
		this.beans.registerSingleton("tenants", new Tenants());
		LockedMethodId id = new LockedMethodId(method(Nulls.class, "call"));
		Map<String, @Nullable String> map = new HashMap<>();
		map.put("none", null);
		Object[] arguments = { null, map, Arrays.asList("a", null), true, "true", Optional.empty(),
				Optional.of(List.of("g")), new String[] { "a" } };
		assertThat(catchThrowable(() -> this.keys.parse(expression, id).evaluate(new Nulls(), arguments)))
			.isInstanceOfAny(InvalidLockDefinitionException.class, LockKeyException.class);
	}

	/** What asks for null itself, or cannot make a text of it, is left alone. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"#note ?: 'none'"                             | none
			"#note == null ? 'none' : 'x' + #note"        | none
			"#note != null && #note > 'a' ? 'x' : 'y'"    | y
			"'x' + (#note ?: 'none')"                     | xnone
			"@tenants.of(#note ?: 'none')"                | none
			"'x'.equals(#note) ? 'x' : 'y'"               | y
			"#empty.isPresent() ? 'x' : 'y'"              | y
			"#empty.orElse('none')"                       | none
			"#array.![#this + ':x']"                      | a:x
			"#array.![#this + ':x'].length"               | 1
			"#given.get().![#this + ':x']"                | g:x
			"#given.![#this + ':x']"                      | g:x
			"(#yesText + ':x').toUpperCase()"             | TRUE:X
			"#list.get(0 + 0)"                            | !
			"#array[#yesText.length() - 4]"               | a
			"#array[#yesText.length() + #yesText.length() - 8]" | a
			"(#yesText.length() + #array.length) % 2"     | 1
			"#array.length + 1 + 'x'"                     | 2x
			""")
	void evaluateWhenNullIsAskedForThenAllowed(String expression, String text) {
		this.beans.registerSingleton("tenants", new Tenants());
		LockedMethodId id = new LockedMethodId(method(Nulls.class, "call"));
		Object[] arguments = { null, Map.of(), text.equals("!") ? List.of("!") : List.of(), true, "true",
				Optional.empty(), Optional.of(List.of("g")), new String[] { "a" } };
		assertThat(this.keys.parse(expression, id).evaluate(new Nulls(), arguments)).containsExactly(text);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					'x'.concat(':' + #order.sku) | concatenates (':' + #order.sku) inside of concat((':' + #order.sku)), where a null part would become the text null. Concatenate last: 'x:' + #name.trim(), or do it in a method of a bean: @bean.method(#p0)
					""")
	void parseWhenSpelWouldConcatenateThenSaysHowElse(String expression, String message) {
		assertThatExceptionOfType(InvalidLockDefinitionException.class).isThrownBy(() -> evaluate(expression, ORDER, 3))
			.withMessageEndingWith("key '" + expression + "' " + message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "#token", "#p1", "#a1" })
	void parseWhenKeyIsMadeOfTheTokenThenRefused(String expression) {
		LockedMethodId id = new LockedMethodId(method(Service.class, "fenced"));
		assertThatExceptionOfType(InvalidLockDefinitionException.class)
			.isThrownBy(() -> this.keys.parse(expression + " + #sku", id))
			.withMessageEndingWith("uses " + expression + ", the fencing token, which is known only when the lock is "
					+ "held. Use the other parameters");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#order.", "'open", "a b", " ", "#{#order}" })
	void parseWhenSyntaxIsWrongThenRefused(String expression) {
		assertThatExceptionOfType(InvalidLockDefinitionException.class).isThrownBy(() -> evaluate(expression, ORDER, 3))
			.withMessageStartingWith(
					"@DistributedLock on KeyExpressionTests.Service.deduct(KeyExpressionTests.Order, int): key '"
							+ expression + "' is not a valid expression: ")
			.withMessageEndingWith(". Write a SpEL expression such as #order.id, or a text in single quotes");
	}

	@Test
	void parseWhenParameterNamesAreMissingThenSaysHowToHaveThem() {
		assertThatExceptionOfType(InvalidLockDefinitionException.class)
			.isThrownBy(() -> this.keys.parse("#key", new LockedMethodId(method(Map.class, "get"))))
			.withMessage("@DistributedLock on Map.get(Object): key '#key' uses the unknown variable #key. "
					+ "The class has no parameter names: compile it with -parameters, or use positions: #p0");
		assertThat(this.keys.parse("#p0", new LockedMethodId(method(Map.class, "get")))
			.evaluate(Map.of(), new Object[] { "k" })).containsExactly("k");
	}

	@Test
	void parseWhenThereAreNoParametersThenSaysSo() {
		assertThatExceptionOfType(InvalidLockDefinitionException.class)
			.isThrownBy(() -> this.keys.parse("#order", new LockedMethodId(method(Service.class, "getTenant"))))
			.withMessageEndingWith("uses the unknown variable #order. The method has no parameters");
	}

	private String evaluate(String expression, @Nullable Object... arguments) {
		assertThat(evaluateAll(expression, arguments)).hasSize(1);
		return evaluateAll(expression, arguments).get(0);
	}

	private List<String> evaluateAll(String expression, @Nullable Object... arguments) {
		return this.keys.parse(expression, new LockedMethodId(method(Service.class, "deduct")))
			.evaluate(new Service(), arguments);
	}

	private static Method method(Class<?> type, String name) {
		return Arrays.stream(type.getMethods())
			.filter((method) -> method.getName().equals(name))
			.findAny()
			.orElseThrow();
	}

	public static class Service {

		public void deduct(Order order, int count) {
		}

		public void any(Object value) {
		}

		public <T> void pack(Line line, int count, Order open, Map<String, String> map, Object any, T generic,
				List<Line> lines, Box box) {
		}

		public void fenced(String sku, @FencingToken long token) {
		}

		public static final String SECRET = "static";

		public static String secret() {
			return SECRET;
		}

		public String getTenant() {
			return "acme";
		}

	}

	public static class Nulls {

		public void call(@Nullable String note, Map<String, String> map, List<String> list, boolean yes, String yesText,
				Optional<String> empty, Optional<List<String>> given, String[] array) {
		}

	}

	public record Pair(String left, @Nullable String right) {

	}

	record Line(String sku, Box box, Optional<Box> maybe, List<Line> lines, Order owner, Size size) {

		String getSku() {
			return this.sku;
		}

	}

	public static final class Box {

		public final int width;

		public Box(int width) {
			this.width = width;
		}

	}

	record Parcel(String id, int weight, @Nullable Object content) {

	}

	record Label(Order order) {

		@Override
		public String toString() {
			return "label";
		}

	}

	public static class Tenants {

		public String current() {
			return "blue";
		}

		public @Nullable String none() {
			return null;
		}

		public String of(@Nullable String note) {
			return String.valueOf(note);
		}

	}

	public enum Size {

		LARGE {
			@Override
			public String toString() {
				return "extra large";
			}
		}

	}

	/** Not a record: it has no text of its own. */
	public static class Order {

		public static final String SECRET = "static";

		public String sku;

		public final Long id;

		public final Size size;

		public final UUID uuid;

		public final @Nullable String note;

		public final List<String> tags;

		public final Optional<String> optional = Optional.of("given");

		public final Optional<String> empty = Optional.empty();

		public final OptionalInt number = OptionalInt.empty();

		public final OptionalLong total = OptionalLong.of(12);

		public final String blank = " ";

		public static String secret() {
			return SECRET;
		}

		Order(String sku, Long id, Size size, UUID uuid, @Nullable String note, List<String> tags) {
			this.sku = sku;
			this.id = id;
			this.size = size;
			this.uuid = uuid;
			this.note = note;
			this.tags = tags;
		}

	}

}
