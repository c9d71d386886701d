package io.distlock.lab.run;

import java.util.List;
import java.util.Locale;

import io.distlock.lab.strategy.Condition;
import io.distlock.lab.strategy.Setting;
import io.distlock.lab.strategy.Source;
import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Step;
import io.distlock.lab.strategy.Text;
import org.jspecify.annotations.Nullable;

/**
 * A strategy as readers see it.
 *
 * @param id its name in addresses
 * @param group where it belongs
 * @param sound whether it keeps the stock exact
 * @param needs the servers it uses
 * @param title its name for readers
 * @param flaw what it gets wrong; of a sound one, what it costs or does not promise
 * @param source the class
 * @param sourceFile name of its file
 * @param breaksBy the fault that shows its bug, or {@code null}
 * @param condition the condition of a lock that it breaks, or {@code null}
 * @param version the version of the usual tutorials that does the same, or {@code null}
 * @param fixedBy the strategy that mends it, or {@code null}
 * @param docs where to read on, a path below the root of the repository, or {@code null}
 * @param settings what it sets beyond the defaults of this project
 * @param scripts the Lua scripts that it runs
 * @param buy the method of the customer that it calls, or {@code null}
 * @param cells what to expect of it, one for each fault
 */
public record StrategyView(String id, Text group, boolean sound, List<String> needs, Text title, Text flaw,
		String source, String sourceFile, @Nullable String breaksBy, @Nullable ConditionView condition,
		@Nullable String version, @Nullable String fixedBy, @Nullable String docs, List<Setting> settings,
		List<Source> scripts, @Nullable Source buy, List<Expectations.Cell> cells) {

	/**
	 * Describes all strategies.
	 * @return the strategies, from the bottom of the staircase
	 */
	public static List<StrategyView> all() {
		return Staircase.steps().stream().map(StrategyView::of).toList();
	}

	private static StrategyView of(Step step) {
		return new StrategyView(step.id(), step.group(), step.sound(),
				step.needs().stream().map((need) -> need.name().toLowerCase(Locale.ROOT)).toList(), step.title(),
				step.flaw(), step.source(), step.sourceFile(), step.breaksBy(), ConditionView.of(step.condition()),
				step.version(), step.fixedBy(), step.docs(), step.settings(), step.scripts(), step.buy(),
				Expectations.of(step));
	}

	/**
	 * A condition of a lock.
	 *
	 * @param id its name in addresses
	 * @param title what it says
	 */
	public record ConditionView(String id, Text title) {

		private static @Nullable ConditionView of(@Nullable Condition condition) {
			return (condition != null) ? new ConditionView(condition.id(), condition.title()) : null;
		}

	}

}
