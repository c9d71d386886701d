package io.distlock.lab.node;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.event.RunPlan;
import io.distlock.lab.strategy.StrategySupport;
import io.distlock.lab.strategy.Places;
import io.distlock.lab.strategy.Step;
import io.distlock.lab.strategy.Step.Stock;
import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Strategy;

/** One run in this node. */
final class NodeRun {

	private static final long END_SECONDS = 20;

	private final Plan plan;

	private final EventLog log;

	private final NodeHappenings happenings;

	private final StrategySupport support;

	private final Shelf shelf;

	private final Strategy strategy;

	private final Trap trap = new Trap();

	private final AtomicInteger sales = new AtomicInteger();

	private final AtomicInteger complaints = new AtomicInteger();

	private final ExecutorService callers;

	private volatile boolean over;

	private NodeRun(Plan plan, EventLog log, NodeHappenings happenings, StrategySupport support, Step step) {
		this.plan = plan;
		this.log = log;
		this.happenings = happenings;
		this.support = support;
		this.shelf = new RedisShelf((step.stock() == Stock.REDIS) ? support.redis() : support.shelf());
		this.strategy = step.create(support);
		this.callers = Callers.pool(plan.callers());
	}

	/** Connects to what the strategy needs, and tells the director. */
	static NodeRun prepare(RunPlan order, EventLog log) {
		Step step = Staircase.find(order.strategy()).orElseThrow();
		List<String> places = order.places();
		NodeHappenings happenings = new NodeHappenings(log);
		StrategySupport support = new StrategySupport(new Places(places.get(0), places.get(1), places.get(2),
				places.subList(7, places.size()), places.get(3), places.get(4), places.get(5), places.get(6)),
				order.node(), happenings);
		try {
			NodeRun run = new NodeRun(new Plan(order.node(), order.firstCaller(), order.callers(), order.sales(),
					order.insideMillis(), step.place()), log, happenings, support, step);
			log.setClock();
			log.add(Kind.READY, -1, Callers.concurrent(order.callers()), Callers.VIRTUAL ? 1 : 0);
			return run;
		}
		catch (RuntimeException ex) {
			support.close();
			throw ex;
		}
	}

	void start() {
		for (int i = 0; i < this.plan.callers(); i++) {
			int number = this.plan.firstCaller() + i;
			this.callers.execute(() -> shop(number));
		}
	}

	private void shop(int number) {
		NodeCustomer customer = new NodeCustomer(this, number);
		this.happenings.calls(number);
		try {
			boolean open = true;
			while (open && !this.over && this.sales.get() < this.plan.sales()) {
				open = attempt(customer);
			}
		}
		finally {
			this.log.add(Kind.DONE, number, 0, 0);
		}
	}

	private boolean attempt(NodeCustomer customer) {
		customer.ask();
		try {
			return this.strategy.sell(customer);
		}
		catch (RunOverException ex) {
			return false;
		}
		catch (RuntimeException | Error ex) {
			if (this.over) {
				return false;
			}
			if (this.complaints.getAndIncrement() < 5) {
				System.out.println("An attempt failed: " + ex);
			}
			customer.failed(ex);
			return true;
		}
	}

	/** Ends what is under way, and closes connections in the background. */
	void stop() {
		this.over = true;
		this.trap.release();
		this.callers.shutdownNow();
		Thread closer = new Thread(this::close, "close run");
		closer.setDaemon(true);
		closer.start();
	}

	private void close() {
		try {
			if (this.callers.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
				this.log.add(Kind.ENDED, -1, 0, 0);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.support.close();
	}

	boolean isOver() {
		return this.over;
	}

	void countSale() {
		this.sales.incrementAndGet();
	}

	Plan plan() {
		return this.plan;
	}

	NodeHappenings happenings() {
		return this.happenings;
	}

	EventLog log() {
		return this.log;
	}

	Shelf shelf() {
		return this.shelf;
	}

	Trap trap() {
		return this.trap;
	}

	/** The part of the order that callers need. */
	record Plan(int node, int firstCaller, int callers, int sales, int insideMillis, Step.Place place) {
	}

}
