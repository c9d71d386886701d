package io.distlock.lab.strategy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/** A step of the staircase: a strategy with its texts and needs. */
public final class Step {

	private final Builder it;

	private Step(Builder builder) {
		this.it = builder;
	}

	static Builder of(String id, Text group, Class<? extends Strategy> type,
			Function<StrategySupport, Strategy> maker) {
		return new Builder(id, group, type, maker);
	}

	/**
	 * Names the step in addresses.
	 * @return the name
	 */
	public String id() {
		return this.it.id;
	}

	/**
	 * Says where it belongs.
	 * @return the group
	 */
	public Text group() {
		return this.it.group;
	}

	/**
	 * Names the step for readers.
	 * @return its title
	 */
	public Text title() {
		return this.it.title;
	}

	/**
	 * Says what it gets wrong; of a sound one, what it costs or does not promise.
	 * @return a sentence
	 */
	public Text flaw() {
		return this.it.flaw;
	}

	/**
	 * Returns the class that the page shows.
	 * @return the class
	 */
	public Class<? extends Strategy> type() {
		return this.it.type;
	}

	/**
	 * Creates the strategy in a node.
	 * @param support what it needs
	 * @return the strategy
	 */
	public Strategy create(StrategySupport support) {
		return this.it.maker.apply(support);
	}

	/**
	 * Lists the servers that it uses besides the shelf.
	 * @return the servers
	 */
	public List<Server> needs() {
		return List.copyOf(this.it.needs);
	}

	/**
	 * Says where the number of items is.
	 * @return the place
	 */
	public Stock stock() {
		return this.it.stock;
	}

	/**
	 * Says how many may be inside at a time.
	 * @return 0 for any number
	 */
	public int inside() {
		return this.it.inside;
	}

	/**
	 * Says where a fault hits the caller.
	 * @return the place
	 */
	public Place place() {
		return this.it.place;
	}

	/**
	 * Says what is between the customers of different nodes.
	 * @return the kind of lock
	 */
	public Lock lock() {
		return this.it.lock;
	}

	/**
	 * Names the fault that shows its bug.
	 * @return {@code null} if none is needed or there is no bug
	 */
	public @Nullable String breaksBy() {
		return this.it.breaksBy;
	}

	/**
	 * Says whether it keeps the stock exact.
	 * @return whether no fault makes it sell twice
	 */
	public boolean sound() {
		return this.it.sound;
	}

	/**
	 * Says whether the stock itself refuses late writes, so that an overlap does no harm.
	 * @return whether writes are fenced
	 */
	public boolean fenced() {
		return this.it.fenced;
	}

	/**
	 * Names the condition of a lock that it breaks.
	 * @return {@code null} if none of the five
	 */
	public @Nullable Condition condition() {
		return this.it.condition;
	}

	/**
	 * Names the version of the usual tutorials that does the same.
	 * @return {@code v1} to {@code v8}, or {@code null}
	 */
	public @Nullable String version() {
		return this.it.version;
	}

	/**
	 * Names the step that mends this one.
	 * @return its id, or {@code null}
	 */
	public @Nullable String fixedBy() {
		return this.it.fixedBy;
	}

	/**
	 * Says where to read on.
	 * @return a path below the root of the repository, or {@code null}
	 */
	public @Nullable String docs() {
		return this.it.docs;
	}

	/**
	 * Lists what it sets beyond the defaults of this project.
	 * @return the settings
	 */
	public List<Setting> settings() {
		return List.copyOf(this.it.settings);
	}

	/**
	 * Names the file with the source.
	 * @return the name
	 */
	public String sourceFile() {
		return type().getSimpleName() + ".java";
	}

	/**
	 * Reads the source of the class.
	 * @return the text
	 */
	public String source() {
		return Sources.java(type());
	}

	/**
	 * Reads the Lua scripts that it runs.
	 * @return the scripts
	 */
	public List<Source> scripts() {
		List<Source> scripts = new ArrayList<>(Sources.scripts(source()));
		if (fenced()) {
			scripts.add(Source.script("fenced_read.lua"));
			scripts.add(Source.script("fenced_write.lua"));
		}
		return scripts;
	}

	/**
	 * Reads the method of the customer that it calls.
	 * @return {@code null} if it calls none
	 */
	public @Nullable Source buy() {
		return Sources.buy(source());
	}

	@Override
	public String toString() {
		return id();
	}

	/** Servers of a run. */
	public enum Server {

		/**
		 * One Redis, or a master with a replica and a Sentinel if the fault is a
		 * failover.
		 */
		REDIS,

		/** Three Redis without a connection between them. */
		REDLOCK,

		/** A database. */
		JDBC,

		/** A ZooKeeper. */
		ZOOKEEPER

	}

	/** Where the number of items is. */
	public enum Stock {

		/** In a Redis that no fault hits, so that what breaks is the lock. */
		SHELF,

		/** In the Redis that the fault hits. */
		REDIS,

		/** In the database. */
		TABLE

	}

	/** Where a fault hits the caller. */
	public enum Place {

		/** Right after it came in. */
		ENTRY,

		/** While it works. */
		WORK,

		/** Where the strategy marked the gap between two commands. */
		BETWEEN

	}

	/** What is between the customers of different nodes. */
	public enum Lock {

		/** Nothing, or what a server does in one step. */
		NONE,

		/** A key of Redis, {@code lab:lock}, without an end. */
		ENDLESS_KEY,

		/** A key of Redis, {@code lab:lock}, with a lease. */
		KEY,

		/** A lock of this project. */
		OURS

	}

	/** Describes a step. What is not said is as of a home-made lock in Redis. */
	static final class Builder {

		private final String id;

		private final Text group;

		private final Class<? extends Strategy> type;

		private final Function<StrategySupport, Strategy> maker;

		private final List<Server> needs = new ArrayList<>();

		private final List<Setting> settings = new ArrayList<>();

		private Text title = new Text("", "");

		private Text flaw = new Text("", "");

		private Stock stock = Stock.SHELF;

		private Lock lock = Lock.NONE;

		private int inside = 1;

		private Place place = Place.WORK;

		private boolean sound;

		private boolean fenced;

		private @Nullable String breaksBy;

		private @Nullable Condition condition;

		private @Nullable String version;

		private @Nullable String fixedBy;

		private @Nullable String docs;

		private Builder(String id, Text group, Class<? extends Strategy> type,
				Function<StrategySupport, Strategy> maker) {
			this.id = id;
			this.group = group;
			this.type = type;
			this.maker = maker;
		}

		Builder title(String en, String zh) {
			this.title = new Text(en, zh);
			return this;
		}

		Builder flaw(String en, String zh) {
			this.flaw = new Text(en, zh);
			return this;
		}

		Builder needs(Server... servers) {
			this.needs.addAll(List.of(servers));
			return this;
		}

		Builder stock(Stock stock) {
			this.stock = stock;
			return this;
		}

		Builder lock(Lock lock) {
			this.lock = lock;
			return this;
		}

		Builder inside(int inside) {
			this.inside = inside;
			return this;
		}

		Builder between() {
			this.place = Place.BETWEEN;
			return this;
		}

		Builder sound() {
			this.sound = true;
			return this;
		}

		Builder fenced() {
			this.fenced = true;
			return this;
		}

		Builder breaksBy(String fault) {
			this.breaksBy = fault;
			return this;
		}

		Builder breaks(Condition condition) {
			this.condition = condition;
			return this;
		}

		Builder version(String version) {
			this.version = version;
			return this;
		}

		Builder fixedBy(String step) {
			this.fixedBy = step;
			return this;
		}

		Builder docs(String docs) {
			this.docs = docs;
			return this;
		}

		Builder setting(String name, String en, String zh) {
			this.settings.add(new Setting(name, new Text(en, zh)));
			return this;
		}

		Step build() {
			return new Step(this);
		}

	}

}
