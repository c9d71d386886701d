package io.distlock.spring.startup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.LockOptions;
import io.distlock.LockSettings;
import io.distlock.OnBusy;
import io.distlock.spring.ConfiguredLock;
import io.distlock.spring.definition.LockAttributes;
import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.spring.definition.LockedMethod;
import io.distlock.support.DurationText;

/**
 * Logs once, when all singletons exist, which methods are locked and how. The report
 * shows the result of annotations, configuration and defaults.
 */
final class StartupReport {

	private static final Logger logger = LoggerFactory.getLogger(StartupReport.class);

	private static final String OVERRIDDEN = "*";

	private static final String ALSO = "+";

	private static final Set<String> IN_TABLE = Set.of("wait-time", "lease-time", "permits");

	private static final TextTable TABLE = new TextTable(List.of(new TextTable.Column("name", 40, true),
			new TextTable.Column("key", 32, false), new TextTable.Column("mode", 15, false),
			new TextTable.Column("wait", 9, false), new TextTable.Column("lease", 16, false),
			new TextTable.Column("if busy", 32, false), new TextTable.Column("method", Integer.MAX_VALUE, false)));

	private final Supplier<LockSettings> defaults;

	private final Supplier<String> store;

	/**
	 * Creates a report.
	 * @param defaults the template's settings, for options that are not set
	 * @param store describes the store of the locks; called once
	 */
	StartupReport(Supplier<LockSettings> defaults, Supplier<String> store) {
		this.defaults = defaults;
		this.store = store;
	}

	void run(List<LockedBeanMethod> places) {
		warnOfSwitchedOff(places);
		MisuseCheck.warn(places, this.defaults.get());
		if (logger.isInfoEnabled()) {
			logger.info("{}", text(places));
		}
	}

	/**
	 * Warns of methods whose lock is switched off, even without the report, because these
	 * methods exclude no other calls.
	 */
	private static void warnOfSwitchedOff(List<LockedBeanMethod> found) {
		String off = found.stream()
			.filter((place) -> !place.method().configured().enabled())
			.map((place) -> place.name() + " (" + place.id().describe() + ")")
			.distinct()
			.sorted()
			.collect(Collectors.joining(", "));
		if (!off.isEmpty()) {
			logger.warn(
					"Switched off by distributed-lock.locks.<name>.enabled, so these methods run WITHOUT a lock: {}",
					off);
		}
	}

	private String text(List<LockedBeanMethod> found) {
		List<LockedBeanMethod> places = found.stream()
			.sorted(Comparator.comparing(LockedBeanMethod::name).thenComparing((place) -> place.id().describe()))
			.toList();
		// The report shows an inherited method with its declaring class, perhaps twice.
		List<List<String>> rows = places.stream().map(this::row).distinct().toList();
		if (rows.isEmpty()) {
			return "No method has a distributed lock. Locks are kept in " + this.store.get();
		}
		List<String> lines = new ArrayList<>();
		lines.add(((rows.size() == 1) ? "1 method has" : rows.size() + " methods have")
				+ " a distributed lock. Locks are kept in " + this.store.get());
		lines.addAll(TABLE.lines(rows));
		lines.addAll(more(places));
		lines.addAll(overrides(places));
		return String.join(System.lineSeparator(), lines);
	}

	private List<String> row(LockedBeanMethod place) {
		LockAttributes attributes = place.attributes();
		ConfiguredLock configured = place.method().configured();
		LockOptions override = configured.options();
		return List.of(name(place), orNone(keys(attributes)), mode(place),
				waitTime(place.method().options()) + mark(override.waitTime()),
				lease(place.method().options()) + mark(override.leaseTime()),
				onBusy(place) + mark((configured.onBusy() != null) ? configured.onBusy() : configured.fallback()),
				place.id().describe());
	}

	/**
	 * Returns the name to show. If the name is the signature, the last column already has
	 * it.
	 */
	private static String name(LockedBeanMethod place) {
		return place.name().equals(place.id().signature()) ? "(signature)" : orNone(place.name());
	}

	private static String orNone(String text) {
		return text.isEmpty() ? "-" : text;
	}

	private static String keys(LockAttributes attributes) {
		return attributes.keys().isEmpty() ? attributes.key() : String.join(", ", attributes.keys());
	}

	private static String mode(LockedBeanMethod place) {
		if (!place.method().configured().enabled()) {
			return "off" + OVERRIDDEN;
		}
		return (place.permits() != null) ? place.permits() + " permits" : SettingText.of(place.attributes().mode());
	}

	private String waitTime(LockOptions options) {
		Duration waitTime = (options.waitTime() != null) ? options.waitTime() : this.defaults.get().waitTime();
		return waitTime.isZero() ? "none" : DurationText.of(waitTime);
	}

	private String lease(LockOptions options) {
		return (options.leaseTime() != null) ? "fixed " + DurationText.of(options.leaseTime())
				: "renewed " + DurationText.of(this.defaults.get().leaseTime());
	}

	private static String onBusy(LockedBeanMethod place) {
		OnBusy onBusy = place.method().onBusy();
		String choice = SettingText.of(onBusy);
		return (onBusy == OnBusy.FALLBACK) ? choice + " " + place.method().fallback() : choice;
	}

	private static String mark(@Nullable Object override) {
		return (override != null) ? OVERRIDDEN : "";
	}

	/** Lists options of annotations that have no column in the table. */
	private static List<String> more(List<LockedBeanMethod> places) {
		Set<String> lines = new LinkedHashSet<>();
		for (LockedBeanMethod place : places) {
			String condition = place.attributes().condition();
			List<String> said = new ArrayList<>(condition.isEmpty() ? List.of() : List.of("only if " + condition));
			said.addAll(inWords(beyondTheTable(place.method())));
			if (!said.isEmpty()) {
				lines.add("  " + ALSO + " " + place.id().describe() + ": " + String.join(", ", said));
			}
		}
		return List.copyOf(lines);
	}

	/** Returns the options that have no column and that no property overrides. */
	private static Map<String, String> beyondTheTable(LockedMethod method) {
		Map<String, String> options = SettingText.ofAll(method.options());
		options.keySet().removeAll(IN_TABLE);
		options.keySet().removeAll(SettingText.ofAll(method.configured().options()).keySet());
		return options;
	}

	/**
	 * Explains the mark, and lists configured options that have no column in the table.
	 */
	private static List<String> overrides(List<LockedBeanMethod> places) {
		Set<String> lines = new LinkedHashSet<>();
		for (LockedBeanMethod place : places) {
			List<String> override = describe(place.method().configured());
			if (!override.isEmpty()) {
				lines.add("  " + OVERRIDDEN + " distributed-lock.locks." + place.name() + ": "
						+ String.join(", ", override));
			}
		}
		return List.copyOf(lines);
	}

	/** Describes configured options in the words of the configuration. */
	private static List<String> describe(ConfiguredLock configured) {
		List<String> said = new ArrayList<>(configured.enabled() ? List.of() : List.of("enabled false"));
		if (configured.onBusy() != null) {
			said.add("on-busy " + SettingText.of(configured.onBusy()));
		}
		if (configured.fallback() != null) {
			said.add("fallback " + configured.fallback());
		}
		said.addAll(inWords(SettingText.ofAll(configured.options())));
		return said;
	}

	private static List<String> inWords(Map<String, String> options) {
		return options.entrySet().stream().map((option) -> option.getKey() + " " + option.getValue()).toList();
	}

}
