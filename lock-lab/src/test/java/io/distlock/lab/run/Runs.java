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
		return run(new RunRequest(strategy, fault.id(), 2, callers, items, insideMillis));
	}

	Verdict run(RunRequest request) {
		assertThat(request.problems()).isEmpty();
		LabRun run = this.lab.start(request).orElseThrow();
		await().atMost(LIMIT).until(run::isOver);
		RunView view = run.view(true);
		assertThat(view.verdict()).as("%s", view.problem()).isNotNull();
		System.out.println(request.strategy() + " " + request.fault() + ": " + view.verdict());
		if (!request.fault().equals(Fault.NONE.id())) {
			assertThat(view.faults()).as("the fault began and ended")
				.extracting(FaultNote::ended)
				.containsExactly(false, true);
		}
		return view.verdict();
	}

	/** Stops the run as soon as so many are sold. */
	Verdict stop(RunRequest request, int sold) {
		LabRun run = this.lab.start(request).orElseThrow();
		await().atMost(LIMIT).until(() -> run.view(false).last() != null && run.view(false).last().sold() >= sold);
		this.lab.stop(run);
		await().atMost(LIMIT).until(run::isOver);
		return run.verdict();
	}

}
