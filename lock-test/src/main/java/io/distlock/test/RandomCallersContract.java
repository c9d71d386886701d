package io.distlock.test;

import java.util.List;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no answer is lost. The threads of two processes do random things with one or
 * two locks, in many short sequences, on a server that is well. Extend this class and
 * return new stores of your kind, all of them on one server.
 * <p>
 * A failure names the seed of its sequence; {@code -Dcallers.seed} runs that one alone.
 * The seed decides what the callers do, but not in which order their threads run.
 */
@SuppressWarnings("NullAway")
@Timeout(900)
public abstract class RandomCallersContract {

	private static final Long ONLY = Long.getLong("callers.seed");

	private final ContractTemplates templates = new ContractTemplates(this::newStore,
			RandomCallersContract::newTemplate, () -> true);

	/**
	 * Creates a store, not started yet.
	 * @return a new client of the one server
	 */
	protected abstract LockStore newStore();

	/**
	 * Returns the number of sequences.
	 * @return more find more
	 */
	protected int sequences() {
		return 20;
	}

	private static CloseableLockTemplate newTemplate(LockStore store, LockSettings settings) {
		return LockTemplateBuilder.forStore(store).settings(settings).build();
	}

	@AfterEach
	void closeTemplates() {
		this.templates.close();
	}

	@Test
	@DisplayName("Each of many callers gets an answer, whatever the others do")
	void callWhenManyDoRandomThingsThenEachIsAnswered() {
		List<CloseableLockTemplate> processes = List.of(this.templates.template(), this.templates.template());
		long first = (ONLY != null) ? ONLY : 1;
		long last = (ONLY != null) ? ONLY : sequences();
		int granted = 0;
		for (long seed = first; seed <= last; seed++) {
			granted += run(processes, seed);
		}
		assertThat(granted).isGreaterThan((int) (last - first));
	}

	private int run(List<CloseableLockTemplate> processes, long seed) {
		try {
			return new RandomCallers(processes, this.templates.key() + ":" + seed, seed).run();
		}
		catch (Exception | AssertionError ex) {
			throw new AssertionError("Seed " + seed + ": " + ex.getMessage(), ex);
		}
	}

}
