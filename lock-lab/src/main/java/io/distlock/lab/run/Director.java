package io.distlock.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import io.distlock.lab.event.LabClock;
import io.distlock.lab.event.LabEvent;
import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.event.Orders;
import io.distlock.lab.event.RunPlan;
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

	private static final long PREPARATION_MICROS = 60_000_000;

	private static final long ENDING_MICROS = 10_000_000;

	private static final int OTHERS_PER_TICK = 40;

	private final LabRun run;

	private final Step step;

	private final Fault fault;

	private final List<NodeLink> nodes;

	private final RunServers servers;

	private final LabClock clock = new LabClock();

	private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();

	private final CompletableFuture<Integer> trapped = new CompletableFuture<>();

	private final RunStatistics statistics;

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

	private volatile long faultEnded;

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
		this.run.running();
		this.nodes.forEach((node) -> node.send(Orders.START));
		FaultScript script = new FaultScript(this, this.fault);
		if (this.fault != Fault.NONE) {
			script.start();
		}
		boolean stuck = sell();
		this.faultOver = true;
		script.end();
		end();
		this.statistics.finish();
		report();
		return verdict(stuck);
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
					Director.this.reports.add(new Report(number, event, null));
				}

				@Override
				public void end() {
					Director.this.reports.add(new Report(number, null, null));
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
				throw new IllegalStateException("A node was not ready within 60 s");
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

	/** A strategy without a section shows no progress between two slow attempts. */
	private long patience() {
		return (this.step.inside() > 0) ? STUCK_MICROS : 3 * STUCK_MICROS;
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
		this.statistics.advance();
	}

	private void take(Report report) {
		int node = report.node();
		LabEvent event = report.event();
		RunStatistics.Change change = report.change();
		if (change != null && event != null) {
			change(node, event.micros(), change);
			return;
		}
		if (event == null) {
			// The last that was read of a node: nothing that happened in it follows.
			long killed = this.killed.get(node);
			change(node, (killed > 0) ? killed : this.clock.micros(), RunStatistics.Change.KILLED);
			return;
		}
		switch (event.kind()) {
			case READY -> {
				this.ready++;
				this.run.node(new NodeNote(0, name(node), "up", event.value(), event.extra() == 1));
			}
			case BROKEN -> this.broken = true;
			case DONE -> this.callersLeft[node]--;
			case ENDED -> this.ended++;
			case TRAPPED -> this.trapped.complete(node);
			default -> {
			}
		}
		if (event.kind() == Kind.HEARTBEAT || event.kind().ordinal() < Kind.TRAPPED.ordinal()
				|| event.kind() == Kind.COUNTS) {
			this.statistics.add(node, event);
		}
	}

	private void change(int node, long micros, RunStatistics.Change change) {
		if (!this.gone[node]) {
			this.gone[node] = change == RunStatistics.Change.KILLED;
			this.statistics.change(node, micros, change);
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
			if (closed.overlap() || others++ < OTHERS_PER_TICK) {
				sections.add(new Section(name(closed.node()), closed.caller(), millis(closed.from()),
						millis(closed.to()), closed.overlap()));
			}
			else {
				skipped++;
			}
		}
		if (!sections.isEmpty()) {
			this.run.sections(sections, skipped);
		}
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

	private Verdict verdict(boolean stuck) {
		int items = this.run.request().items();
		int left = this.servers.stock();
		RunStatistics.Result result = this.statistics.result();
		boolean sound = !stuck && result.oversold(items, left) == 0 && result.doubles() == 0
				&& result.lost(items, left) == 0 && (result.overlaps() == 0 || this.step.fenced())
				&& result.broken() == 0;
		return new Verdict(since(), sound, result.oversold(items, left), result.doubles(), result.overlaps(),
				Math.round(result.longestOverlapMicros() / 10.0) / 100.0, result.lost(items, left), stuck,
				result.broken(), result.refused(), VerdictText.of(result, items, left, stuck, this.step.fenced()),
				result.sold(), left, Math.round(result.micros() / 1e4) / 100.0, result.perSecond(), result.waiting(),
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

	CompletableFuture<Integer> trapped() {
		return this.trapped;
	}

	NodeLink node(int number) {
		return this.nodes.get(number - 1);
	}

	int nodes() {
		return this.nodes.size();
	}

	int soldSoFar() {
		return this.lastSold;
	}

	RunServers servers() {
		return this.servers;
	}

	void note(boolean end, int node) {
		if (end) {
			this.faultEnded = this.clock.micros();
		}
		this.run.fault(new FaultNote(since(), this.fault.id(), (node > 0) ? name(node) : null, end, this.fault.text()));
	}

	/** The node is about to die: whatever it held is free from now on. */
	void killing(int node) {
		this.killed.set(node, this.clock.micros());
	}

	void changed(int node, RunStatistics.Change change) {
		long micros = this.clock.micros();
		this.reports.add(new Report(node, new LabEvent(Kind.HEARTBEAT, -1, micros, 0, 0), change));
	}

	private record Report(int node, @Nullable LabEvent event, RunStatistics.@Nullable Change change) {
	}

}
