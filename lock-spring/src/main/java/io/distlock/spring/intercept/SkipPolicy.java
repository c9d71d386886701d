package io.distlock.spring.intercept;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.util.ClassUtils;

import io.distlock.LockException;
import io.distlock.spring.definition.KotlinMethods;
import io.distlock.spring.definition.LockedMethodId;

/** Returns a value without running the body. */
final class SkipPolicy implements NoLockPolicy {

	private static final Map<Class<?>, Object> EMPTY = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	private static final Logger logger = LoggerFactory.getLogger(SkipPolicy.class);

	private final String title;

	/** Makes a value for each call, because a caller may change what it gets. */
	private final Supplier<@Nullable Object> value;

	private SkipPolicy(LockedMethodId id, Supplier<@Nullable Object> value) {
		this.title = id.title();
		this.value = value;
		// A text that cannot be converted is refused at startup.
		value.get();
	}

	/**
	 * Finds out what a skipped method returns.
	 * @param id the method
	 * @param choice the attribute that skips the method, for messages
	 * @param text the {@code skipValue} of the method, or {@code null}
	 * @param targetClass the class of the target
	 * @return the policy
	 */
	static SkipPolicy of(LockedMethodId id, String choice, @Nullable String text, Class<?> targetClass) {
		ResolvableType type = KotlinMethods.result(id.method(), targetClass);
		Class<?> raw = KotlinMethods.resultClass(id.method(), targetClass);
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(raw);
		if (text != null) {
			refuseGiven(id, text, raw, adapter != null);
			return new SkipPolicy(id, () -> given(id, text, type, raw));
		}
		if (isFuture(raw)) {
			Object result = empty(type.as(raw).getGeneric().resolve());
			return new SkipPolicy(id, () -> CompletableFuture.completedFuture(result));
		}
		if (adapter != null && adapter.getDescriptor().supportsEmpty()) {
			return new SkipPolicy(id, adapter.getDescriptor()::getEmptyValue);
		}
		if (adapter != null || !nullable(id, raw)) {
			throw id.invalid(
					choice + ", but there is no value to return: the method returns " + ClassUtils.getShortName(raw),
					"Name one with skipValue, or return void, an Optional or a type that may be null");
		}
		return new SkipPolicy(id, () -> empty(raw));
	}

	private static @Nullable Object empty(@Nullable Class<?> type) {
		return (type != null) ? EMPTY.get(type) : null;
	}

	/**
	 * Returns whether a result may be null. Only Kotlin reflection knows this for a
	 * Kotlin type.
	 */
	private static boolean nullable(LockedMethodId id, Class<?> type) {
		if (type == void.class || type == Void.class || EMPTY.containsKey(type)) {
			return true;
		}
		boolean kotlin = KotlinDetector.isKotlinType(id.method().getDeclaringClass())
				&& KotlinDetector.isKotlinReflectPresent();
		return !type.isPrimitive() && (!kotlin || new MethodParameter(id.method(), -1).isOptional());
	}

	private static void refuseGiven(LockedMethodId id, String text, Class<?> raw, boolean reactive) {
		if (raw == void.class || raw == Void.class) {
			throw id.invalid("skipValue is \"" + text + "\", but the method returns nothing", "Leave it out");
		}
		if (reactive && !isFuture(raw)) {
			throw id.invalid("skipValue is \"" + text + "\", but the method returns " + ClassUtils.getShortName(raw),
					"Leave it out, and let the caller say what an empty result means");
		}
	}

	private static @Nullable Object given(LockedMethodId id, String text, ResolvableType type, Class<?> raw) {
		return isFuture(raw) ? CompletableFuture.completedFuture(converted(id, text, type.as(raw).getGeneric()))
				: converted(id, text, type);
	}

	private static boolean isFuture(Class<?> raw) {
		return raw.isAssignableFrom(CompletableFuture.class) && raw != Object.class;
	}

	private static @Nullable Object converted(LockedMethodId id, String text, ResolvableType type) {
		TypeDescriptor target = new TypeDescriptor(type, null, null);
		try {
			return DefaultConversionService.getSharedInstance()
				.convert(text, TypeDescriptor.valueOf(String.class), target);
		}
		catch (ConversionException | IllegalArgumentException ex) {
			throw id.invalid(
					"skipValue \"" + text + "\" cannot be converted to " + ClassUtils.getShortName(target.getType()),
					"Write it as a text of that type, for instance \"false\" or \"0\"");
		}
	}

	@Override
	public @Nullable Object answer(LockedCall call, LockException reason) {
		logger.debug("{}: the call is skipped. {}", this.title, reason.getMessage());
		return this.value.get();
	}

}
