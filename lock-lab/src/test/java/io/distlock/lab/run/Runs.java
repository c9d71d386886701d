package io.distlock.lab.run;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Runs of a lab, one after the other. */
final class Runs {

	private static final Duration LIMIT = Duration.ofMinutes(4);

	private final Lab lab;

	Runs(Lab lab) {
		this.lab = lab;
	}

	Verdict run(String strategy, Fault fault, int callers, int items, int insideMillis) {
		RunRequest request = new RunRequest(strategy, fault.id(), 2, callers, items, insideMillis);
		assertThat(request.problems()).isEmpty();
		LabRun run = this.lab.start(request).orElseThrow();
		await().atMost(LIMIT).until(run::isOver);
		RunView view = run.view(true);
		assertThat(view.verdict()).as("%s", view.problem()).isNotNull();
		System.out.println(strategy + " " + fault.id() + ": " + view.verdict());
		if (fault != Fault.NONE) {
			assertThat(view.faults()).as("the fault began and ended")
				.extracting(FaultNote::ended)
				.containsExactly(false, true);
		}
		return view.verdict();
	}

}
