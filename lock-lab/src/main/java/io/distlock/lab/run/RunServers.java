package io.distlock.lab.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.LockSchema;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.lab.database.DatabaseServer;
import io.distlock.lab.strategy.Source;
import io.distlock.lab.strategy.Step;
import io.distlock.lab.strategy.Step.Lock;
import io.distlock.lab.strategy.Step.Server;
import io.distlock.lab.strategy.Step.Stock;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;
import org.h2.Driver;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/**
 * The servers of one run, started for it and gone with it, so that no fault reaches the
 * shop. Faults and figures are asked for by different threads, one at a time.
 */
final class RunServers implements AutoCloseable {

	private static final String STOCK = "lab:stock";

	/**
	 * The key by which stores of this project recognize a server that has kept its data.
	 */
	private static final String MARKER = RedisLockStoreSettings.DEFAULTS.keyPrefix() + "%boot";

	private static final String HOME_MADE_LOCK = "lab:lock";

	private static final String OUR_LOCK = RedisLockStoreSettings.DEFAULTS.keyPrefix() + "lab";

	private static final String SAMPLE = Source.script("sample.lua").source();

	private static final Pattern CALLS = Pattern.compile("cmdstat_([^:|\\s]+)[^:]*:calls=(\\d+)");

	private final Step step;

	private final RedisServer shelf;

	private final List<RedisServer> locks = new ArrayList<>();

	private final Map<RedisServer, Long> commands = new HashMap<>();

	private @Nullable RedisSentinel sentinel;

	private @Nullable ZooKeeper zookeeper;

	private String jdbc = "";

	private long counted;

	private int lastStock;

	private boolean away;

	RunServers(Step step, Fault fault, int items) {
		this.step = step;
		this.shelf = RedisServer.start();
		try {
			start(step, fault);
			fill(items);
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private void start(Step step, Fault fault) {
		String[] args = (fault == Fault.RESTART_REDIS && step.stock() == Stock.REDIS)
				? new String[] { "--appendonly", "yes" } : new String[0];
		if (step.needs().contains(Server.REDIS)) {
			if (fault == Fault.FAILOVER) {
				this.sentinel = RedisSentinel.start();
				this.locks.add(this.sentinel.master());
			}
			else {
				this.locks.add(RedisServer.builder().args(args).start());
			}
		}
		if (step.needs().contains(Server.REDLOCK)) {
			for (int i = 0; i < 3; i++) {
				this.locks.add(RedisServer.start());
			}
		}
		// They have been in service for long: new ones would grant nothing for a lease.
		this.locks.forEach((server) -> server.command("SET", MARKER, "1"));
		if (step.needs().contains(Server.JDBC)) {
			// A frozen holder must not make those give up that wait for its row.
			this.jdbc = DatabaseServer.serve("lab") + ";LOCK_TIMEOUT=20000";
		}
		if (step.needs().contains(Server.ZOOKEEPER)) {
			this.zookeeper = ZooKeeper.start();
		}
	}

	private void fill(int items) {
		this.lastStock = items;
		switch (this.step.stock()) {
			case SHELF -> this.shelf.command("SET", STOCK, Integer.toString(items));
			case REDIS -> this.locks.get(0).command("SET", STOCK, Integer.toString(items));
			case TABLE -> sql("drop table if exists lab_stock",
					"create table lab_stock (name varchar(20) primary key, left_over int not null)",
					"insert into lab_stock values ('stock', " + items + ")");
		}
		if (this.step.needs().contains(Server.JDBC) && this.step.stock() != Stock.TABLE) {
			sql("drop table if exists " + JdbcLockStoreSettings.DEFAULTS.table());
			LockSchema.create(new SimpleDriverDataSource(new Driver(), this.jdbc, DatabaseServer.USER, ""),
					JdbcLockStoreSettings.DEFAULTS.table());
		}
	}

	private void sql(String... statements) {
		try (Connection connection = DriverManager.getConnection(this.jdbc, DatabaseServer.USER, "");
				Statement statement = connection.createStatement()) {
			for (String each : statements) {
				statement.execute(each);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The database of the lab does not answer", ex);
		}
	}

	/** Where nodes find the servers, in the order of the plan of a run. */
	List<String> places() {
		List<String> places = new ArrayList<>();
		RedisSentinel watched = this.sentinel;
		if (watched != null) {
			places.add(address(watched.sentinels().get(0)));
			places.add(watched.masterName());
		}
		else {
			places.add(this.locks.isEmpty() ? address(this.shelf) : address(this.locks.get(0)));
			places.add("");
		}
		places.add(address(this.shelf));
		places.add(this.jdbc);
		places.add(DatabaseServer.USER);
		places.add("");
		ZooKeeper ensemble = this.zookeeper;
		places.add((ensemble != null) ? ensemble.address() : "");
		this.locks.forEach((server) -> places.add(address(server)));
		return places;
	}

	private static String address(RedisServer server) {
		return server.host() + ":" + server.port();
	}

	/** Returns the stock on the server, or the last one known if the server is away. */
	synchronized int stock() {
		try {
			this.lastStock = switch (this.step.stock()) {
				case SHELF -> Integer.parseInt(this.shelf.command("GET", STOCK));
				case REDIS -> this.away ? this.lastStock : Integer.parseInt(this.locks.get(0).command("GET", STOCK));
				case TABLE -> tableStock();
			};
		}
		catch (RuntimeException ex) {
			// The last one stands until the server is back.
		}
		return this.lastStock;
	}

	private int tableStock() {
		try (Connection connection = DriverManager.getConnection(this.jdbc, DatabaseServer.USER, "");
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("select left_over from lab_stock")) {
			row.next();
			return row.getInt(1);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The database of the lab does not answer", ex);
		}
	}

	/**
	 * Looks at the key of the lock.
	 * @return {@code null} if the lock is not in one Redis, or that is away
	 */
	synchronized @Nullable KeySample sample(double at) {
		if (this.away || this.step.lock() == Lock.NONE || !this.step.needs().contains(Server.REDIS)) {
			return null;
		}
		String key = (this.step.lock() == Lock.OURS) ? OUR_LOCK : HOME_MADE_LOCK;
		try {
			String[] answer = this.locks.get(0).command("EVAL", SAMPLE, "1", key).split("\n", -1);
			this.counted -= Long.parseLong(answer[3]);
			if (this.step.stock() == Stock.SHELF) {
				this.lastStock = Integer.parseInt(this.shelf.command("GET", STOCK));
				this.counted--;
			}
			boolean none = answer[0].isEmpty() && answer[1].isEmpty();
			return new KeySample(at, key, none ? null : answer[0], none ? null : Long.valueOf(answer[1]),
					answer[2].isEmpty() ? null : answer[2], this.lastStock);
		}
		catch (RuntimeException ex) {
			// The next sample will do.
			return null;
		}
	}

	/** Commands that the servers ran since the last call of {@link #countFromHere()}. */
	synchronized long commands() {
		count(this.shelf);
		if (!this.away) {
			this.locks.forEach(this::count);
		}
		return this.counted;
	}

	synchronized void countFromHere() {
		commands();
		this.counted = 0;
	}

	private void count(RedisServer server) {
		try {
			long calls = CALLS.matcher(server.command("INFO", "commandstats"))
				.results()
				.filter((call) -> !call.group(1).equals("info"))
				.mapToLong((call) -> Long.parseLong(call.group(2)))
				.sum();
			long before = this.commands.getOrDefault(server, 0L);
			// A server that was restarted counts from zero.
			this.counted += (calls >= before) ? calls - before : calls;
			this.commands.put(server, calls);
		}
		catch (RuntimeException ex) {
			// Counted when it is back.
		}
	}

	/** Says who has the lock, in a run in which nobody can go on. */
	KeySample look() {
		KeySample sample = sample(0);
		return (sample != null) ? sample : new KeySample(0, HOME_MADE_LOCK, null, null, null, this.lastStock);
	}

	/** The Redis that a fault hits. */
	RedisServer victim() {
		return this.locks.get(0);
	}

	/** A Redis that is away is not asked for figures. */
	synchronized void away(boolean gone) {
		commands();
		this.away = gone;
	}

	/** From here on the replica does not learn what the master does. */
	void cutReplica() {
		victim().command("ACL", "SETUSER", "default", "-psync", "-sync");
		victim().command("CLIENT", "KILL", "TYPE", "replica");
	}

	/** Kills the master and waits until the replica took over. */
	void failOver() {
		RedisSentinel watched = this.sentinel;
		if (watched == null) {
			throw new IllegalStateException("No Sentinel watches this Redis");
		}
		RedisServer former = victim();
		former.kill();
		watched.awaitOtherMasterThan(former);
		RedisServer master = watched.master();
		synchronized (this) {
			this.locks.set(0, master);
			count(master);
			this.counted -= this.commands.getOrDefault(master, 0L);
		}
	}

	@Override
	public void close() {
		this.shelf.close();
		RedisSentinel watched = this.sentinel;
		if (watched != null) {
			watched.close();
		}
		else {
			this.locks.forEach(RedisServer::close);
		}
		ZooKeeper ensemble = this.zookeeper;
		if (ensemble != null) {
			ensemble.close();
		}
	}

}
