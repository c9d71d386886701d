package io.distlock.lab.web;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.distlock.lab.run.Expectation;
import io.distlock.lab.run.Expectations;
import io.distlock.lab.run.Fault;
import io.distlock.lab.run.Lab;
import io.distlock.lab.run.LabRun;
import io.distlock.lab.run.RunRequest;
import io.distlock.lab.run.Tour;
import io.distlock.lab.run.Verdict;
import io.distlock.lab.strategy.Staircase;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Writes what the API answers into a folder, so that the page works without a lab: the
 * strategies, the tour, and recorded runs. Runs that are in the folder stay; delete
 * {@code runs.json} to record them anew.
 */
public final class Recorder {

	private static final int ATTEMPTS = 4;

	private static final Duration SPIN = Duration.ofMillis(300);

	/** Processes of the lab itself may end or start for some seconds after a run. */
	private static final int SPINS = 30;

	private final Path folder;

	private final PrintStream out;

	private final Calibration calibration;

	private final HttpClient client = HttpClient.newHttpClient();

	/**
	 * Creates a recorder.
	 * @param folder where the files go
	 * @param out where it says what it does
	 */
	public Recorder(Path folder, PrintStream out) {
		this(folder, out, new Calibration(Runtime.getRuntime().availableProcessors(), new Spin(SPIN)));
	}

	Recorder(Path folder, PrintStream out, Calibration calibration) {
		this.folder = folder;
		this.out = out;
		this.calibration = calibration;
	}

	/**
	 * Starts the lab, writes the files, and ends the lab. Records no run while the
	 * machine is busy with something else.
	 * @param application the lab
	 * @return 0 if each run came out as expected, otherwise 1
	 */
	public int run(Class<?> application) {
		try (ConfigurableApplicationContext context = SpringApplication.run(application, "--server.port=0",
				"--spring.main.banner-mode=off")) {
			String port = context.getEnvironment().getRequiredProperty("local.server.port");
			URI api = URI.create("http://localhost:" + port + "/api/");
			Files.createDirectories(this.folder.resolve("runs"));
			for (String name : new String[] { "strategies", "faults", "limits", "tour" }) {
				write(api, name);
			}
			return Files.exists(file("runs")) || record(context.getBean(Lab.class), api) ? 0 : 1;
		}
		catch (IOException ex) {
			this.out.println("Could not be written: " + ex);
			return 1;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return 1;
		}
	}

	/**
	 * Lists the runs: those of the tour, what mends them, and what else is worth seeing.
	 * @return the requests by their names
	 */
	static Map<String, RunRequest> recordings() {
		Map<String, RunRequest> all = new LinkedHashMap<>();
		Tour.stops().forEach((stop) -> all.put(stop.id(), stop.request()));
		for (String[] each : new String[][] { { "nothing", "none" }, { "setnx-del", "none" },
				{ "setnx-expire", "kill-holder" }, { "blind-delete", "kill-holder" }, { "owner-lua", "freeze-holder" },
				{ "setnx-twice", "none" }, { "hash-count", "none" }, { "hash-renewed", "long-work" },
				{ "stock-script", "none" }, { "conditional-update", "kill-holder" },
				{ "annotation-redis", "long-work" }, { "lock-in-transaction", "none" },
				{ "transaction-in-lock", "none" }, { "guarded-redis", "freeze-holder" },
				{ "guarded-redis", "failover" }, { "guarded-zookeeper", "kill-holder" },
				{ "fenced-writes", "restart-redis" }, { "semaphore", "none" } }) {
			int items = each[1].equals(Fault.NONE.id()) ? 60 : 120;
			all.put(each[0] + "-" + each[1], new RunRequest(each[0], each[1], 2, 8, items, 5));
		}
		all.put("synchronized-none", new RunRequest("synchronized", "none", 1, 8, 60, 5));
		// So few that each key and each token can be followed.
		all.put("slow-motion-hash", new RunRequest("hash-count", "none", 2, 2, 6, 100));
		all.put("slow-motion-fencing", new RunRequest("fenced-writes", "freeze-holder", 2, 2, 8, 100));
		return all;
	}

	private boolean record(Lab lab, URI api) throws IOException, InterruptedException {
		boolean all = true;
		warmUp(lab);
		for (Map.Entry<String, RunRequest> each : recordings().entrySet()) {
			if (isBusy()) {
				return false;
			}
			all &= record(lab, each.getKey(), each.getValue(), api);
		}
		write(api, "runs");
		return all;
	}

	/**
	 * Starts the processes: their first sale takes a hundred times as long as the next.
	 */
	private static void warmUp(Lab lab) throws InterruptedException {
		RunRequest first = recordings().values().iterator().next();
		for (int run = 0; run < 2; run++) {
			LabRun unseen = lab.start("warm-up", first).orElseThrow();
			unseen.awaitEnd();
			lab.forget(unseen);
		}
	}

	private boolean isBusy() throws InterruptedException {
		double share = this.calibration.leastShare();
		for (int spin = 1; spin < SPINS && share < Calibration.LEAST_SHARE; spin++) {
			share = this.calibration.leastShare();
		}
		boolean busy = share < Calibration.LEAST_SHARE;
		if (busy) {
			this.out.printf(Locale.ROOT,
					"Nothing was recorded from here on: this machine is busy, a thread gets %.0f %% of a processor and "
							+ "needs %.0f %%. End what else runs, delete what was recorded, and start again.%n",
					100 * share, 100 * Calibration.LEAST_SHARE);
		}
		return busy;
	}

	private boolean record(Lab lab, String name, RunRequest request, URI api) throws IOException, InterruptedException {
		Expectation expected = Expectations
			.of(Staircase.find(request.strategy()).orElseThrow(), Fault.find(request.fault()).orElseThrow(),
					request.nodes())
			.expected();
		for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
			LabRun run = lab.start(name, request).orElseThrow();
			run.awaitEnd();
			Verdict verdict = run.verdict();
			if (verdict != null && expected.allows(verdict.outcome())
					&& (expected != Expectation.BREAKS || verdict.oversold() > 0)) {
				write(api, "runs/" + name);
				this.out.println(name + ": " + verdict.sentence().en());
				return true;
			}
			this.out.println(name + " is not as expected: " + verdict);
			lab.forget(run);
		}
		return false;
	}

	private void write(URI api, String name) throws IOException, InterruptedException {
		HttpResponse<String> answer = this.client.send(HttpRequest.newBuilder(api.resolve(name)).build(),
				HttpResponse.BodyHandlers.ofString());
		if (answer.statusCode() != 200) {
			throw new IOException("The lab answers " + answer.statusCode() + " to " + name);
		}
		Files.writeString(file(name), answer.body() + "\n");
	}

	private Path file(String name) {
		return this.folder.resolve(name + ".json");
	}

}
