package io.distlock.spring.startup;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;

import io.distlock.LockMode;
import io.distlock.LockSettings;
import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/**
 * Warns of annotations that are valid, and probably lock something else than their author
 * means: constants as keys, texts that look like expressions, and jobs that each instance
 * runs in turn.
 */
final class MisuseCheck {

	private static final Logger logger = LoggerFactory.getLogger(MisuseCheck.class);

	private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private MisuseCheck() {
	}

	/**
	 * Warns once for each kind of misuse, or for each method.
	 * @param places all annotated methods of the application
	 * @param defaults the settings for options that are not set
	 */
	static void warn(Collection<LockedBeanMethod> places, LockSettings defaults) {
		Map<String, LockedBeanMethod> methods = new TreeMap<>();
		places.stream()
			.filter((place) -> place.method().configured().enabled())
			.forEach((place) -> methods.putIfAbsent(place.id().describe(), place));
		methods.values().forEach(MisuseCheck::warnOfConstantAmongKeys);
		methods.values().forEach(MisuseCheck::warnOfReferenceInText);
		warnOfSameConstants(methods.values());
		warnOfJobs(methods.values(), defaults);
	}

	private static void warnOfConstantAmongKeys(LockedBeanMethod place) {
		List<String> constants = place.method().constantKeys();
		if (!constants.isEmpty() && !place.method().hasConstantKey()) {
			logger
				.warn("{} on {}: the key {} is the same in each call, and each key is a lock of its own, so all calls "
						+ "of the method exclude each other. For one lock write one key: key = \"'{}:' + …\". For calls that "
						+ "exclude each other the other keys are useless.", place.annotation(), place.id().describe(),
						quoted(constants), ForeignText.of(constants.get(0)));
		}
	}

	private static void warnOfSameConstants(Collection<LockedBeanMethod> places) {
		Map<String, Set<String>> methods = new TreeMap<>();
		places.stream()
			.filter((place) -> place.name().isEmpty() && place.method().hasConstantKey())
			.forEach((place) -> place.method()
				.constantKeys()
				.forEach((key) -> methods.computeIfAbsent(key, (ignored) -> new TreeSet<>())
					.add(place.id().describe())));
		methods.forEach((key, sharers) -> {
			if (sharers.size() > 1) {
				logger.warn(
						"Methods have the fixed key '{}' and no name, so they share one lock: {}. Give them names, the "
								+ "same name only to those that are to exclude each other.",
						ForeignText.of(key), String.join(", ", sharers));
			}
		});
	}

	/** A fixed text with a reference to a parameter in it was meant as an expression. */
	private static void warnOfReferenceInText(LockedBeanMethod place) {
		Map<String, String> texts = new HashMap<>();
		place.method().constantKeys().forEach((key) -> texts.put(key, "key"));
		texts.put(place.name(), "name");
		texts.forEach((text, attribute) -> {
			String reference = reference(place, text);
			if (reference != null) {
				logger.warn("{} on {}: the {} '{}' is a fixed text, the same for each value of {}. {}",
						place.annotation(), place.id().describe(), attribute, ForeignText.of(text), reference,
						attribute.equals("key")
								? "Leave the quotes out where an expression is meant: key = \"" + reference + "\""
								: "Put the value into the key: key = \"" + reference + "\"");
			}
		});
	}

	private static @Nullable String reference(LockedBeanMethod place, String text) {
		Set<String> known = new TreeSet<>();
		@Nullable String @Nullable [] names = NAMES.getParameterNames(place.id().method());
		for (int i = 0; i < place.id().parameterCount(); i++) {
			known.addAll(List.of("p" + i, "a" + i));
			String name = (names != null && i < names.length) ? names[i] : null;
			if (name != null) {
				known.add(name);
			}
		}
		return known.stream()
			.map((name) -> "#" + name)
			.filter((reference) -> Pattern.compile(Pattern.quote(reference) + "(?!\\w)").matcher(text).find())
			.findFirst()
			.orElse(null);
	}

	private static void warnOfJobs(Collection<LockedBeanMethod> places, LockSettings defaults) {
		String jobs = places.stream()
			.filter((place) -> place.permits() == null && place.attributes().mode() == LockMode.EXCLUSIVE)
			.filter((place) -> MergedAnnotations.from(place.id().method(), SearchStrategy.TYPE_HIERARCHY)
				.isPresent(Scheduled.class))
			.map((place) -> job(place, defaults))
			.filter(Objects::nonNull)
			.collect(Collectors.joining(", "));
		if (!jobs.isEmpty()) {
			logger
				.warn("With @Scheduled each instance runs these methods, one instance after the other: {}. To run them on "
						+ "one instance for each time of the schedule, write waitTime = \"0\", onBusy = OnBusy.SKIP and a minHold "
						+ "such as \"30s\", longer than the clocks of the instances differ. Ignore this if each instance is to run "
						+ "them.", jobs);
		}
	}

	private static @Nullable String job(LockedBeanMethod place, LockSettings defaults) {
		Duration wait = Objects.requireNonNullElse(place.method().options().waitTime(), defaults.waitTime());
		Duration minHold = place.method().options().minHold();
		boolean waits = !wait.isZero();
		boolean brief = minHold == null || minHold.isZero();
		return (waits || brief) ? place.id().describe() + " (" + (waits ? "waits " + DurationText.of(wait) : "")
				+ ((waits && brief) ? ", " : "") + (brief ? "no minHold" : "") + ")" : null;
	}

	private static String quoted(List<String> texts) {
		return texts.stream().map((text) -> "'" + ForeignText.of(text) + "'").collect(Collectors.joining(", "));
	}

}
