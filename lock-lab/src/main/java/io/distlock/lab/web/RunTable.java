package io.distlock.lab.web;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.distlock.lab.run.LabRun;
import io.distlock.lab.run.RunRequest;
import io.distlock.lab.run.Verdict;

/** Runs as rows of a table. */
final class RunTable {

	private static final String HEAD = "id,strategy,fault,nodes,callers,items,insideMillis,outcome,sold,left,oversold,"
			+ "doubles,overlaps,longestOverlapMillis,lost,stuck,fencedWrites,seconds,perSecond,p50,p95,p99,"
			+ "redisCommandsPerSale,retries,conflicts,failures,verdict\n";

	private RunTable() {
	}

	static String csv(List<LabRun> runs) {
		return HEAD + runs.stream().map(RunTable::row).collect(Collectors.joining());
	}

	private static String row(LabRun run) {
		RunRequest request = run.request();
		Verdict verdict = run.verdict();
		String asked = String.join(",", run.id(), request.strategy(), request.fault(),
				Integer.toString(request.nodes()), Integer.toString(request.callers()),
				Integer.toString(request.items()), Integer.toString(request.insideMillis()));
		if (verdict == null) {
			return asked + ",".repeat(20) + "\n";
		}
		return asked + String.format(Locale.ROOT,
				",%s,%d,%d,%d,%d,%d,%.2f,%d,%b,%d,%.2f,%.1f,%.2f,%.2f,%.2f,%.2f,%d,%d,%d,\"%s\"%n",
				verdict.outcome().id(), verdict.sold(), verdict.left(), verdict.oversold(), verdict.doubles(),
				verdict.overlaps(), verdict.longestOverlapMillis(), verdict.lost(), verdict.stuck(),
				verdict.fencedWrites(), verdict.seconds(), verdict.perSecond(), verdict.waiting().p50(),
				verdict.waiting().p95(), verdict.waiting().p99(), verdict.redisCommandsPerSale(), verdict.retries(),
				verdict.conflicts(), verdict.failures(), verdict.sentence().en());
	}

}
