package io.distlock.spring.definition;

import java.io.File;
import java.lang.annotation.Annotation;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.chrono.Chronology;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * The text of a value in a key. Equal values have one text, in each process of a fleet.
 * Of Java's own types, only values from a list have such a text. Types of the application
 * and of other libraries have it if they override {@code toString}, and a record if none
 * of its parts spoils it.
 */
final class StableText {

	/** A longer number is written with an exponent, because it may fill the memory. */
	private static final int MOST_DIGITS = 64;

	/** Dates of {@code java.util} are missing, because their text has the time zone. */
	private static final List<Class<?>> VALUES_OF_JAVA = List.of(CharSequence.class, Character.class, Boolean.class,
			Number.class, UUID.class, TemporalAccessor.class, TemporalAmount.class, ZoneId.class, Chronology.class,
			Locale.class, Currency.class, Charset.class, URI.class, URL.class, Path.class, File.class, Class.class,
			Executable.class);

	private static final List<String> JAVA = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

	private static final ClassValue<Boolean> IS_STABLE = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			try {
				Class<?> author = type.getMethod("toString").getDeclaringClass();
				return author != Object.class && (JAVA.stream().noneMatch(author.getName()::startsWith)
						|| VALUES_OF_JAVA.stream().anyMatch((value) -> value.isAssignableFrom(type)));
			}
			catch (NoSuchMethodException ex) {
				return false;
			}
		}

	};

	/** Unwraps a value class of Kotlin. */
	private static final ClassValue<Optional<Method>> UNBOX = new ClassValue<>() {

		@Override
		protected Optional<Method> computeValue(Class<?> type) {
			for (Annotation annotation : type.getAnnotations()) {
				if (annotation.annotationType().getName().equals("kotlin.jvm.JvmInline")) {
					return Optional.ofNullable(ReflectionUtils.findMethod(type, "unbox-impl"));
				}
			}
			return Optional.empty();
		}

	};

	private StableText() {
	}

	/**
	 * Returns the text of a value.
	 * @param what says in a message which value it is: {@code "evaluated to "}
	 * @param given the value, perhaps in an {@code Optional}
	 * @return the text, perhaps blank
	 * @throws UnusableValueException if equal values may have different texts
	 */
	static String of(String what, @Nullable Object given) {
		Object value = content(given);
		if (value == null) {
			throw new UnusableValueException(what + "null; callers with different data would share one lock");
		}
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		if (isSeveral(value)) {
			throw new UnusableValueException(what + "a " + value.getClass().getTypeName()
					+ ", which is no text; a key is one text, or a collection or an array of texts");
		}
		if (!isStable(value)) {
			throw new UnusableValueException(what + "a " + value.getClass().getTypeName()
					+ ", whose text is not the same in every process; use one of its properties");
		}
		return isDecimal(value) ? number(value.toString()) : value.toString();
	}

	/**
	 * Unwraps each kind of {@code Optional}, and the value classes of Kotlin. Whether
	 * Kotlin passes the class or its only property depends on the declared type.
	 */
	static @Nullable Object content(@Nullable Object value) {
		if (value instanceof Optional<?> optional) {
			return content(optional.orElse(null));
		}
		if (value instanceof OptionalInt optional) {
			return optional.isPresent() ? optional.getAsInt() : null;
		}
		if (value instanceof OptionalLong optional) {
			return optional.isPresent() ? optional.getAsLong() : null;
		}
		if (value instanceof OptionalDouble optional) {
			return optional.isPresent() ? optional.getAsDouble() : null;
		}
		Method unbox = (value != null) ? UNBOX.get(value.getClass()).orElse(null) : null;
		return (unbox != null) ? content(ReflectionUtils.invokeMethod(unbox, value)) : value;
	}

	/** Returns whether a value consists of several, unlike a path, which is a text. */
	private static boolean isSeveral(Object value) {
		return (value instanceof Iterable && !(value instanceof Path)) || value instanceof Map
				|| value.getClass().isArray();
	}

	private static boolean isDecimal(Object value) {
		return value instanceof BigDecimal || (value instanceof Double number && Double.isFinite(number))
				|| (value instanceof Float number && Float.isFinite(number));
	}

	/** Writes {@code 1}, {@code 1.0} and {@code 1.00} as the same number. */
	private static String number(String text) {
		BigDecimal number = new BigDecimal(text).stripTrailingZeros();
		return (Math.abs((long) number.scale()) <= MOST_DIGITS) ? number.toPlainString() : number.toString();
	}

	private static boolean isStable(Object value) {
		if (!IS_STABLE.get(value.getClass())) {
			return false;
		}
		return !(value instanceof Record)
				|| Arrays.stream(value.getClass().getRecordComponents()).noneMatch((component) -> {
					Method accessor = component.getAccessor();
					ReflectionUtils.makeAccessible(accessor);
					Object part = ReflectionUtils.invokeMethod(accessor, value);
					return part != null && spoils(part) && value.toString().contains(part.toString());
				});
	}

	/**
	 * Returns whether the text of a part spoils the text of the whole: equal parts may
	 * have different texts.
	 */
	private static boolean spoils(Object part) {
		if (part instanceof Optional<?> optional) {
			return optional.isPresent() && spoils(optional.get());
		}
		if (part instanceof List || part instanceof SortedSet) {
			return ((Collection<?>) part).stream().anyMatch((element) -> element != null && spoils(element));
		}
		return part instanceof BigDecimal || !isStableAlone(part);
	}

	private static boolean isStableAlone(Object part) {
		boolean optional = part instanceof OptionalInt || part instanceof OptionalLong
				|| part instanceof OptionalDouble;
		return optional || part instanceof Enum || (!isSeveral(part) && isStable(part));
	}

}
