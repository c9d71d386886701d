package io.distlock.spring.definition;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Time;
import java.sql.Timestamp;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.AbstractMap;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;

import io.distlock.spring.LockKeyException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The one rule for all types: equal values have one text, in each process of a fleet. */
@Isolated // sets the time zone and the locale of the process
class KeyTypesTests {

	private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 31, 10, 15, 30);

	private static final ZoneOffset OFFSET = ZoneOffset.ofHours(2);

	private static final List<Object> VALUES = List.of("text", new StringBuilder("text"), 'c', true, (byte) 1,
			(short) 1, 1, 1L, 1.5, 1.5f, BigInteger.TEN, new BigDecimal("1.5"), new AtomicInteger(1), new LongAdder(),
			Size.LARGE, DayOfWeek.MONDAY, UUID.nameUUIDFromBytes(new byte[0]), TIME, TIME.toLocalDate(),
			TIME.toLocalTime(), TIME.atOffset(OFFSET), TIME.atZone(ZoneId.of("Europe/Paris")), TIME.toInstant(OFFSET),
			Year.of(2026), YearMonth.of(2026, 1), MonthDay.of(1, 31), Duration.ofDays(1), Period.ofDays(1),
			ZoneId.of("Europe/Paris"), OFFSET, Locale.GERMANY, Currency.getInstance("EUR"), StandardCharsets.UTF_8,
			URI.create("a:b"), Path.of("a"), new File("a"), String.class, new Id("a"), new Plain("a"),
			new Own(new Object()), new Both("a", List.of(1, 2)), new Both("a", new TreeSet<>(Set.of(1, 2))),
			new Both("a", null), new Both("a", Optional.of(1)), new Both("a", OptionalInt.of(1)),
			new Both("a", Size.LARGE), new Both("a", 1.5), Optional.of("a"), OptionalInt.of(1), OptionalDouble.of(1.5));

	static Stream<Arguments> refused() throws Exception {
		Supplier<String> lambda = () -> "a";
		byte[] bytes = { 1 };
		return Stream.<@Nullable Object>of(new Object(), new Date(0), new java.sql.Date(0), new Time(0),
				new Timestamp(0), new Date(0) {
				}, Calendar.getInstance(), new GregorianCalendar(), TimeZone.getDefault(), new SimpleDateFormat("y"),
				new DecimalFormat("0"), Map.entry("a", bytes), Map.entry("a", "b"),
				new AbstractMap.SimpleEntry<>("a", bytes), Map.of("a", "b"), new HashMap<>(), new Properties(), bytes,
				new char[] { 'a' }, new Object[] { new int[0] }, List.of(new int[0]), List.of(Map.entry("a", "b")),
				List.of(List.of("a")), new BitSet(), new AtomicReference<>("a"), new AtomicBoolean(),
				InetAddress.getByAddress("a", new byte[] { 1, 2, 3, 4 }), new StringJoiner(","), Pattern.compile("a"),
				Stream.of("a"), List.of("a").iterator(), lambda, (Iterable<String>) List.of("a")::iterator,
				CompletableFuture.completedFuture("a"), Thread.currentThread(), new IllegalStateException("a"),
				RoundingMode.class.getClassLoader(), String.class.getModule(), new Nameless("a"),
				new NumberWithoutText(), AnnotationUtils.synthesizeAnnotation(Test.class), new Both("a", bytes),
				new Both("a", new Date(0)), new Both("a", new Object()), new Both("a", Set.of("a", "b")),
				new Both("a", new HashSet<>(Set.of("a", "b"))), new Both("a", new LinkedHashSet<>(Set.of("a", "b"))),
				new Both("a", Map.of("a", "b")), new Both("a", List.of(new Date(0))),
				new Both("a", Optional.of(new Date(0))), new Both("a", Map.entry("a", bytes)),
				new Both("a", new BigDecimal("1.0")), new Both("a", List.of(new BigDecimal("1.0"))),
				new Both("a", new Both("b", new BigDecimal("1.0"))), Optional.of(new Date(0)), Optional.empty(),
				Optional.of(Optional.empty()))
			.map((value) -> arguments((Object) new Object[] { value }));
	}

	@ParameterizedTest
	@MethodSource("refused")
	void keyWhenEqualValuesMayHaveDifferentTextsThenRefused(Object[] argument) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> keys(argument[0]));
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> key("'a' + #p0", argument[0]));
	}

	static List<Object> accepted() {
		return VALUES;
	}

	@ParameterizedTest
	@MethodSource("accepted")
	void keyWhenEqualValuesHaveOneTextThenAccepted(Object value) {
		List<String> here = keys(value);
		assertThat(here).hasSize(1);
		assertThat(key("'a' + #p0", value)).containsExactly("a" + here.get(0));
		assertThat(key("{#p0}", value)).isEqualTo(here);
		assertThat(keys(Optional.of(value))).isEqualTo(here);
	}

	@Test
	void keyWhenProcessHasAnotherZoneAndLocaleThenTheSame() {
		List<List<String>> here = VALUES.stream().map(KeyTypesTests::keys).toList();
		TimeZone zone = TimeZone.getDefault();
		Locale locale = Locale.getDefault();
		try {
			TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
			Locale.setDefault(Locale.forLanguageTag("ar-SA-u-nu-arab"));
			assertThat(VALUES.stream().map(KeyTypesTests::keys).toList()).isEqualTo(here);
		}
		finally {
			TimeZone.setDefault(zone);
			Locale.setDefault(locale);
		}
	}

	static Stream<Arguments> equalNumbers() {
		return Stream.of(
				arguments("1",
						List.of(1, 1L, (short) 1, 1.0, 1.0f, BigInteger.ONE, new BigDecimal("1"), new BigDecimal("1.0"),
								new BigDecimal("1.00"), new BigDecimal("10E-1"), new AtomicInteger(1))),
				arguments("0", List.of(0, 0.0, -0.0, new BigDecimal("0.00"), new BigDecimal("0E+9"))),
				arguments("-1.5", List.of(-1.5, -1.5f, new BigDecimal("-1.50"))),
				arguments("100", List.of(100, 100.0, new BigDecimal("1E+2"), new BigDecimal("100.00"))),
				arguments("10000000", List.of(10_000_000, 1.0E7, 1.0E7f, new BigDecimal("1E+7"))),
				arguments("0.1", List.of(0.1, 0.1f, new BigDecimal("0.10"))),
				arguments("1E+1000000000", List.of(new BigDecimal("1E+1000000000"), new BigDecimal("10E+999999999"))),
				arguments("NaN", List.of(Double.NaN, Float.NaN)));
	}

	@ParameterizedTest
	@MethodSource("equalNumbers")
	void keyWhenNumbersAreEqualThenOneLock(String text, List<Number> numbers) {
		for (Number number : numbers) {
			assertThat(keys(number)).containsExactly(text);
			assertThat(key("'n' + #p0", number)).containsExactly("n" + text);
			assertThat(key("#p0.toString()", number)).containsExactly(text);
		}
		assertThat(keys(numbers)).containsOnly(text);
	}

	@Test
	void keyWhenPropertyOfRefusedValueThenAccepted() {
		assertThat(key("#p0.time", new java.sql.Date(5))).containsExactly("5");
		assertThat(key("#p0.key", Map.entry("a", new byte[0]))).containsExactly("a");
		assertThat(key("#p0.second", new Both("a", new BigDecimal("1.0")))).containsExactly("1");
		assertThat(key("T(java.util.Base64).getEncoder().encodeToString(#p0)", new byte[] { 1 }))
			.containsExactly("AQ==");
		assertThat(key("new String(#p0)", new char[] { 'a' })).containsExactly("a");
	}

	/** Methods of Java that make a text obey the rule too. */
	@ParameterizedTest
	@MethodSource("refused")
	void keyWhenTextIsMadeByACallThenRefusedAsWell(Object[] argument) {
		if (!(argument[0] instanceof char[])) {
			for (String call : List.of("T(String).valueOf(#p0)", "T(String).format('%s', #p0)",
					"T(String).join(',', {#p0})")) {
				assertThatExceptionOfType(LockKeyException.class).as(call).isThrownBy(() -> key(call, argument[0]));
			}
		}
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> key("#p0.toString()", argument[0]));
	}

	private static List<String> keys(@Nullable Object value) {
		return key("#p0", value);
	}

	private static List<String> key(String expression, @Nullable Object value) {
		LockedMethodId id = new LockedMethodId(AnyMethod.class.getMethods()[0]);
		return new KeyExpressions(new DefaultListableBeanFactory()).parse(expression, id)
			.evaluate("target", new Object[] { value });
	}

	interface AnyMethod {

		void call(Object value);

	}

	enum Size {

		LARGE {
			@Override
			public String toString() {
				return "extra large";
			}
		}

	}

	record Id(String value) {

	}

	record Both(String first, @Nullable Object second) {

	}

	record Own(Object hidden) {

		@Override
		public String toString() {
			return "own";
		}

	}

	static final class Plain {

		private final String text;

		Plain(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	static final class Nameless {

		final String text;

		Nameless(String text) {
			this.text = text;
		}

	}

	static final class NumberWithoutText extends Number {

		private static final long serialVersionUID = 1L;

		@Override
		public int intValue() {
			return 1;
		}

		@Override
		public long longValue() {
			return 1;
		}

		@Override
		public float floatValue() {
			return 1;
		}

		@Override
		public double doubleValue() {
			return 1;
		}

	}

}
