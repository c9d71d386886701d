package io.distlock.lab.web;

import java.util.List;

import io.distlock.lab.run.Fault;
import io.distlock.lab.run.Lab;
import io.distlock.lab.run.LabRun;
import io.distlock.lab.run.Limits;
import io.distlock.lab.run.RunRequest;
import io.distlock.lab.run.FaultView;
import io.distlock.lab.run.RunView;
import io.distlock.lab.run.StrategyView;
import io.distlock.lab.run.Tour;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
@RequestMapping("/api")
class LabController {

	private final Lab lab;

	private final EventStreams streams;

	LabController(Lab lab, EventStreams streams) {
		this.lab = lab;
		this.streams = streams;
	}

	@GetMapping("/strategies")
	List<StrategyView> strategies() {
		return StrategyView.all();
	}

	@GetMapping("/faults")
	List<FaultView> faults() {
		return FaultView.all();
	}

	@GetMapping("/tour")
	List<Tour.Stop> tour() {
		return Tour.stops();
	}

	@GetMapping("/limits")
	Limits limits() {
		return Limits.ALL;
	}

	@PostMapping("/runs")
	ResponseEntity<RunView> start(@RequestBody RunOrder order) {
		RunRequest request = order.request();
		List<RunRequest.Problem> problems = request.problems();
		if (!problems.isEmpty()) {
			ProblemDetail detail = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST,
					"This run is not possible.");
			detail.setProperty("errors", problems);
			throw new ErrorResponseException(HttpStatus.BAD_REQUEST, detail, null);
		}
		LabRun run = this.lab.start(request)
			.orElseThrow(() -> problem(HttpStatus.CONFLICT, "Another run goes on; wait for its end or stop it."));
		return ResponseEntity.status(HttpStatus.ACCEPTED)
			.header(HttpHeaders.LOCATION, "/api/runs/" + run.id())
			.body(run.view(false));
	}

	@GetMapping("/runs")
	List<RunView> runs() {
		return this.lab.runs().stream().map((run) -> run.view(false)).toList();
	}

	@GetMapping("/runs/{id}")
	RunView run(@PathVariable String id) {
		return find(id).view(true);
	}

	@DeleteMapping("/runs/{id}")
	ResponseEntity<Void> stop(@PathVariable String id) {
		this.lab.stop(find(id));
		return ResponseEntity.noContent().build();
	}

	@GetMapping(path = "/runs/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	SseEmitter events(@PathVariable String id) {
		return this.streams.open(new RunSource(find(id).feed()));
	}

	@GetMapping("/runs.json")
	ResponseEntity<List<RunView>> json() {
		return ResponseEntity.ok()
			.header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"runs.json\"")
			.contentType(MediaType.APPLICATION_JSON)
			.body(runs());
	}

	@GetMapping("/runs.csv")
	ResponseEntity<String> csv() {
		return ResponseEntity.ok()
			.header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"runs.csv\"")
			.contentType(MediaType.parseMediaType("text/csv;charset=UTF-8"))
			.body(RunTable.csv(this.lab.runs()));
	}

	private LabRun find(String id) {
		return this.lab.find(id)
			.orElseThrow(() -> problem(HttpStatus.NOT_FOUND, "This run does not exist, or not any more."));
	}

	private static ErrorResponseException problem(HttpStatus status, String text) {
		return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, text), null);
	}

	/** A run as it is ordered: what is left out is the default. */
	record RunOrder(@Nullable String strategy, @Nullable String fault, @Nullable Integer nodes,
			@Nullable Integer callers, @Nullable Integer items, @Nullable Integer insideMillis) {

		RunRequest request() {
			Limits limits = Limits.ALL;
			return new RunRequest((this.strategy != null) ? this.strategy : "",
					(this.fault != null) ? this.fault : Fault.NONE.id(), or(this.nodes, limits.nodes()),
					or(this.callers, limits.callers()), or(this.items, limits.items()),
					or(this.insideMillis, limits.insideMillis()));
		}

		private static int or(@Nullable Integer value, Limits.Range range) {
			return (value != null) ? value : range.proposed();
		}

	}

}
