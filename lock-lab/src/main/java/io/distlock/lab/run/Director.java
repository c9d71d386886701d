package io.distlock.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import io.distlock.lab.event.LabClock;
import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.Orders;
import io.distlock.lab.event.RunPlan;
import io.distlock.lab.run.Moment.Change;
import io.distlock.lab.strategy.Step;
import org.jspecify.annotations.Nullable;

/**
 * Directs one run: prepares the nodes, reads their events, reports progress, lets the
 * fault happen and decides when it is over.
 */
final class Director {

	private static final long TICK_MICROS = 200_000;

	private static final long STUCK_MICROS = 8_000_000;

	private static final long LONGEST_MICROS = 180_000_000;

	private static final long PREPARATION_MICROS = 180_000_000;

	private static final long ENDING_MICROS = 10_000_000;

	private static final int OTHERS_PER_TICK = 40;

	private static final int MOST_OVERLAPS = 300;

	/** So long after the fault the key of the lock is of interest. */
	private static final long AFTER_MICROS = 500_000;

	private final LabRun run;

	private final Step step;

	private final Fault fault;

	private final List<NodeLink> nodes;

	private final RunServers servers;

	private final LabClock clock = new LabClock();

	private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();

	private final BlockingQueue<Integer> trapped = new LinkedBlockingQueue<>();

	private final RunStatistics statistics;

	private final EventOrder order;

	private @Nullable Story story;

	private final boolean[] gone;

	/** When the fault killed a node. */
	private final AtomicLongArray killed;

	private final int[] callersLeft;

	private int ready;

	private int ended;

	private boolean broken;

	private long begin;

	private volatile boolean faultDue;

	private volatile boolean faultOver;

	private volatile long faultBegan;

	private volatile long faultEnded;

	private int overlaps;

	private long lastSale;

	private volatile int lastSold;

	private final long[] soldAt = new long[5];

	private int ticks;

	Director(LabRun run, Step step, Fault fault, List<NodeLink> nodes, RunServers servers) {
		this.run = run;
		this.step = step;
		this.fault = fault;
		this.nodes = nodes;
		this.servers = servers;
		this.statistics = new RunStatistics(nodes.size(), step.inside());
		this.order = new EventOrder(nodes.size(), this::happened);
		this.gone = new boolean[nodes.size() + 1];
		this.killed = new AtomicLongArray(nodes.size() + 1);
		this.callersLeft = new int[nodes.size() + 1];
	}

	/** Returns the verdict; the nodes have ended the run then, or are gone. */
	Verdict direct() throws InterruptedException {
		prepare();
		this.servers.countFromHere();
		this.begin = this.clock.micros();
		this.lastSale = this.begin;
		Story told = new Story(this.step, this.fault, this.run.request().items(), this.begin, this.run::story);
		this.story = told;
		KeyWatch watch = new KeyWatch(() -> this.servers.sample(millis(this.clock.micros())), this::isKeyWanted,
				this.run::key);
		this.run.running();
		this.nodes.forEach((node) -> node.send(Orders.START));
		FaultScript script = new FaultScript(this, this.fault);
		if (this.fault != Fault.NONE) {
			script.start();
		}
		watch.start();
		boolean stuck = sell();
		int waiting = callersLeft();
		KeySample last = this.servers.look();
		this.faultOver = true;
		script.end();
		watch.end();
		end();
		this.order.finish();
		report();
		if (stuck) {
			told.stuck(this.clock.micros(), waiting, last);
		}
		return verdict(told, stuck);
	}

	private void happened(Moment moment) {
		this.statistics.take(moment);
		if (this.story != null) {
			this.story.take(moment);
		}
	}

	/** A small run is watched from the beginning, a large one while its fault lasts. */
	private boolean isKeyWanted() {
		return this.run.request().items() <= Story.FEW_ITEMS || (this.faultBegan > 0
				&& (this.faultEnded == 0 || this.clock.micros() < this.faultEnded + AFTER_MICROS));
	}

	private void prepare() throws InterruptedException {
		RunRequest request = this.run.request();
		int first = 0;
		for (int i = 0; i < this.nodes.size(); i++) {
			int number = i + 1;
			NodeLink node = this.nodes.get(i);
			node.receiver(new NodeLink.Receiver() {

				@Override
				public void receive(LabEvent event) {
					Director.this.reports.add(new Report(number, event.micros(), event, null));
				}

				@Override
				public void end() {
					Director.this.reports.add(new Report(number, Director.this.clock.micros(), null, null));
				}

			});
			int callers = share(request.callers(), i);
			this.callersLeft[number] = callers;
			node.prepare(new RunPlan(this.step.id(), number, first, callers, share(2 * request.items(), i),
					request.insideMillis(), this.servers.places()));
			first += callers;
		}
		long deadline = this.clock.micros() + PREPARATION_MICROS;
		while (this.ready < this.nodes.size()) {
			read();
			if (this.broken) {
				throw new IllegalStateException("A node could not prepare '" + this.step.id() + "', see the log");
			}
			if (this.clock.micros() > deadline) {
				throw new IllegalStateException("A node was not ready within 3 min");
			}
		}
	}

	private int share(int all, int index) {
		return all / this.nodes.size() + ((index < all % this.nodes.size()) ? 1 : 0);
	}

	/** Returns whether no caller could go on. */
	private boolean sell() throws InterruptedException {
		long nextTick = this.begin;
		while (true) {
			read();
			long now = this.clock.micros();
			if (this.statistics.sold() > this.lastSold) {
				this.lastSold = this.statistics.sold();
				this.lastSale = now;
				this.faultDue |= this.lastSold >= this.run.request().items() / 4;
			}
			else if (this.statistics.inside() > 0) {
				// On a busy machine somebody who is inside may take long.
				this.lastSale = now;
			}
			if (now >= nextTick) {
				report();
				nextTick = now + TICK_MICROS;
			}
			if (callersLeft() == 0 || this.run.isStopping()
					|| this.statistics.sold() >= 2 * this.run.request().items()) {
				return false;
			}
			if (now - Math.max(this.lastSale, this.faultEnded) > patience()) {
				return true;
			}
			if (now - this.begin > LONGEST_MICROS) {
				this.run.stop();
			}
		}
	}

	/** A run that should not be stuck may only be slow, on a busy machine. */
	private long patience() {
		Expectation expected = Expectations.of(this.step, this.fault, this.nodes.size()).expected();
		return (expected == Expectation.STICKS) ? STUCK_MICROS : 3 * STUCK_MICROS;
	}

	private void end() throws InterruptedException {
		this.nodes.forEach((node) -> node.send(Orders.STOP));
		long deadline = this.clock.micros() + ENDING_MICROS;
		while (this.ended < aliveNodes() && this.clock.micros() < deadline) {
			read();
		}
		if (this.ended < aliveNodes()) {
			// One that does not end would write into the next run.
			this.nodes.forEach(NodeLink::close);
		}
		this.nodes.forEach((node) -> node.receiver(null));
	}

	private long aliveNodes() {
		int alive = 0;
		for (int node = 1; node < this.gone.length; node++) {
			alive += this.gone[node] ? 0 : 1;
		}
		return alive;
	}

	private int callersLeft() {
		int left = 0;
		for (int node = 1; node < this.callersLeft.length; node++) {
			left += this.gone[node] ? 0 : this.callersLeft[node];
		}
		return left;
	}

	private void read() throws InterruptedException {
		Report report = this.reports.poll(20, TimeUnit.MILLISECONDS);
		for (int i = 0; report != null && i < 20_000; i++) {
			take(report);
			report = this.reports.poll();
		}
		if (report != null) {
			take(report);
		}
		this.order.advance();
	}

	private void take(Report report) {
		int node = report.node();
		LabEvent event = report.event();
		if (report.change() != null) {
			change(node, report.micros(), report.change());
		}
		else if (event == null) {
			// The last that was read of a node: nothing that happened in it follows.
			long killed = this.killed.get(node);
			change(node, (killed > 0) ? killed : report.micros(), Change.KILLED);
		}
		else {
			take(node, event);
		}
	}

	private void take(int node, LabEvent event) {
		switch (event.kind()) {
			case READY -> {
				this.ready++;
				this.run.node(new NodeNote(0, name(node), "up", event.value(), event.extra() == 1));
			}
			case BROKEN -> this.broken = true;
			case DONE -> this.callersLeft[node]--;
			case ENDED -> this.ended++;
			case SCRIPT ->
				this.run.script(ScriptCall.of(millis(event.micros()), name(node), event.caller(), event.text()));
			case TRAPPED -> {
				this.trapped.add(node);
				this.order.add(node, event);
			}
			default -> this.order.add(node, event);
		}
	}

	private void change(int node, long micros, Change change) {
		if (node > 0 && this.gone[node]) {
			return;
		}
		this.order.change(node, micros, change);
		if (node > 0) {
			this.gone[node] = change == Change.KILLED;
			this.run.node(new NodeNote((this.begin == 0) ? 0 : (micros - this.begin) / 1000, name(node),
					change.name().toLowerCase(Locale.ROOT), 0, false));
		}
	}

	private void report() {
		RunRequest request = this.run.request();
		RunStatistics.Result result = this.statistics.result();
		int stock = this.servers.stock();
		long at = since();
		this.run
			.progress(new Progress(at, request.items(), stock, result.sold(), result.oversold(request.items(), stock),
					result.doubles(), perSecond(result.sold()), result.waiting(), perSale(result.sold()),
					result.retries(), result.conflicts(), result.failures(), this.statistics.inside(), callersLeft()));
		List<Section> sections = new ArrayList<>();
		int others = 0;
		int skipped = 0;
		for (RunStatistics.Closed closed : this.statistics.takeSections()) {
			if (closed.overlap() || closed.frozenFrom() > 0 || others++ < OTHERS_PER_TICK) {
				sections.add(section(closed));
			}
			else {
				skipped++;
			}
		}
		if (!sections.isEmpty()) {
			this.run.sections(sections, skipped);
		}
		reportOverlaps();
	}

	private void reportOverlaps() {
		for (RunStatistics.Met met : this.statistics.takeOverlaps()) {
			if (this.overlaps++ < MOST_OVERLAPS) {
				this.run.overlap(new Overlap(millis(met.from()), millis(met.to()), met.callers()));
			}
		}
	}

	private Section section(RunStatistics.Closed closed) {
		boolean frozen = closed.frozenFrom() > 0;
		return new Section(name(closed.node()), closed.caller(), millis(closed.from()), millis(closed.to()),
				closed.overlap(), frozen ? millis(closed.frozenFrom()) : null,
				frozen ? millis(closed.frozenTo()) : null, closed.end().id(),
				closed.token().isEmpty() ? null : closed.token());
	}

	private int perSecond(int sold) {
		int slot = this.ticks++ % this.soldAt.length;
		int second = (int) (sold - this.soldAt[slot]);
		this.soldAt[slot] = sold;
		return second;
	}

	private double perSale(int sold) {
		return Math.round(this.servers.commands() * 100.0 / Math.max(1, sold)) / 100.0;
	}

	private Verdict verdict(Story told, boolean stuck) {
		int items = this.run.request().items();
		int left = this.servers.stock();
		RunStatistics.Result result = this.statistics.result();
		int oversold = result.oversold(items, left);
		int lost = result.lost(items, left);
		boolean wrong = oversold + result.doubles() + result.broken() > 0
				|| (result.overlaps() > 0 && !this.step.fenced());
		Outcome outcome = stuck ? Outcome.STUCK : wrong ? Outcome.WRONG : (this.run.isStopping() && left > 0)
				? Outcome.STOPPED : (lost > 0) ? Outcome.UNCERTAIN : Outcome.EXACT;
		if (outcome == Outcome.UNCERTAIN) {
			told.end("answer-lost", this.clock.micros(), Map.of("items", lost));
		}
		else if (outcome == Outcome.STOPPED) {
			told.end("stopped", this.clock.micros(), Map.of("left", left));
		}
		RunStatistics.Met longest = result.longest();
		return new Verdict(since(), outcome, Expectations.of(this.step, this.fault, this.nodes.size()).expected(),
				oversold, result.doubles(), result.overlaps(), Math.round(result.longestMicros() / 10.0) / 100.0,
				(longest != null) ? millis(longest.from()) : null, (longest != null) ? millis(longest.to()) : null,
				lost, stuck, result.broken(), result.refused(),
				VerdictText.of(result, items, left, outcome, this.step.fenced()), told.explanation(), result.sold(),
				left, Math.round(result.micros() / 1e4) / 100.0, result.perSecond(), result.waiting(),
				perSale(result.sold()), result.retries(), result.conflicts(), result.failures());
	}

	private long since() {
		return (this.begin == 0) ? 0 : (this.clock.micros() - this.begin) / 1000;
	}

	private double millis(long micros) {
		return (micros - this.begin) / 1000.0;
	}

	static String name(int node) {
		return "node-" + node;
	}

	// For the script of the fault, on its own thread

	boolean isFaultDue() {
		return this.faultDue;
	}

	boolean isOver() {
		return this.faultOver;
	}

	BlockingQueue<Integer> trapped() {
		return this.trapped;
	}

	NodeLink node(int number) {
		return this.nodes.get(number - 1);
	}

	int nodes() {
		return this.nodes.size();
	}

	boolean hitsAtWork() {
		return this.step.place() == Step.Place.WORK || this.fault == Fault.LONG_WORK;
	}

	int soldSoFar() {
		return this.lastSold;
	}

	RunServers servers() {
		return this.servers;
	}

	void note(boolean end, int node) {
		long now = this.clock.micros();
		if (end) {
			this.faultEnded = now;
		}
		else {
			this.faultBegan = now;
		}
		this.run.fault(new FaultNote(since(), this.fault.id(), (node > 0) ? name(node) : null, end, this.fault.text()));
		if (node == 0) {
			this.reports.add(new Report(0, now, null, end ? Change.FAULT_ENDED : Change.FAULT_BEGAN));
		}
	}

	/** The node is about to die: whatever it held is free from now on. */
	void killing(int node) {
		this.killed.set(node, this.clock.micros());
	}

	void changed(int node, Change change) {
		this.reports.add(new Report(node, this.clock.micros(), null, change));
	}

	private record Report(int node, long micros, @Nullable LabEvent event, @Nullable Change change) {
	}

}
