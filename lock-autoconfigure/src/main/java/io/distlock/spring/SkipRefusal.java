package io.distlock.spring;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

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

/** Returns a value without running the body. */
final class SkipRefusal implements Refusal {

	private static final Map<Class<?>, Object> EMPTY = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	private static final Logger logger = LoggerFactory.getLogger(SkipRefusal.class);

	private final String title;

	private final @Nullable Object value;

	private SkipRefusal(LockSite site, @Nullable Object value) {
		this.title = site.title();
		this.value = value;
	}

	/**
	 * Finds out what a skipped method returns.
	 * @param site the method
	 * @param text what its annotation says, or {@code null}
	 * @param targetClass whose method it is
	 * @return the refusal
	 */
	static SkipRefusal of(LockSite site, @Nullable String text, Class<?> targetClass) {
		ResolvableType type = CallStyles.result(site.method(), targetClass);
		Class<?> raw = CallStyles.resultClass(site.method(), targetClass);
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(raw);
		if (text != null) {
			return new SkipRefusal(site, given(site, text, type, raw, adapter != null));
		}
		if (raw.isAssignableFrom(CompletableFuture.class) && raw != Object.class) {
			return new SkipRefusal(site, CompletableFuture.completedFuture(empty(type.as(raw).getGeneric().resolve())));
		}
		if (adapter != null && adapter.getDescriptor().supportsEmpty()) {
			return new SkipRefusal(site, adapter.getDescriptor().getEmptyValue());
		}
		if (adapter != null || !nullable(site, raw)) {
			throw site.invalid(
					"onBusy is SKIP, but there is no value to return: the method returns "
							+ ClassUtils.getShortName(raw),
					"Name one with skipValue, or return void, an Optional or a type that may be null");
		}
		return new SkipRefusal(site, empty(raw));
	}

	private static @Nullable Object empty(@Nullable Class<?> type) {
		return (type != null) ? EMPTY.get(type) : null;
	}

	/** Kotlin tells only through its reflection. */
	private static boolean nullable(LockSite site, Class<?> type) {
		if (type == void.class || type == Void.class || EMPTY.containsKey(type)) {
			return true;
		}
		boolean kotlin = KotlinDetector.isKotlinType(site.method().getDeclaringClass())
				&& KotlinDetector.isKotlinReflectPresent();
		return !type.isPrimitive() && (!kotlin || new MethodParameter(site.method(), -1).isOptional());
	}

	private static @Nullable Object given(LockSite site, String text, ResolvableType type, Class<?> raw,
			boolean reactive) {
		if (raw == void.class || raw == Void.class) {
			throw site.invalid("skipValue is \"" + text + "\", but the method returns nothing", "Leave it out");
		}
		boolean future = raw.isAssignableFrom(CompletableFuture.class) && raw != Object.class;
		if (reactive && !future) {
			throw site.invalid("skipValue is \"" + text + "\", but the method returns " + ClassUtils.getShortName(raw),
					"Leave it out, and let the caller say what an empty result means");
		}
		Object value = converted(site, text, future ? type.as(raw).getGeneric() : type);
		return future ? CompletableFuture.completedFuture(value) : value;
	}

	private static @Nullable Object converted(LockSite site, String text, ResolvableType type) {
		TypeDescriptor target = new TypeDescriptor(type, null, null);
		try {
			return DefaultConversionService.getSharedInstance()
				.convert(text, TypeDescriptor.valueOf(String.class), target);
		}
		catch (ConversionException | IllegalArgumentException ex) {
			throw site.invalid("skipValue \"" + text + "\" is no " + ClassUtils.getShortName(target.getType()),
					"Write it as a text of that type, for instance \"false\" or \"0\"");
		}
	}

	@Override
	public @Nullable Object answer(LockedCall call, LockException reason) {
		logger.debug("{}: the call is skipped. {}", this.title, reason.getMessage());
		return this.value;
	}

}
