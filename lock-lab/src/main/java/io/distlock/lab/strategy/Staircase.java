package io.distlock.lab.strategy;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.distlock.lab.strategy.Step.Place;
import io.distlock.lab.strategy.Step.Server;
import io.distlock.lab.strategy.Step.Stock;
import org.jspecify.annotations.Nullable;

/** All strategies, from nothing at all to fenced writes. */
public final class Staircase {

	private static final Text PLAIN = new Text("Without a lock that all share", "没有共享的锁");

	private static final Text HOME_MADE = new Text("Home-made locks in Redis", "自己动手写的 Redis 锁");

	private static final Text WITHOUT = new Text("Without a lock, and still exact", "不用锁也准确");

	private static final Text OURS = new Text("This project", "本项目");

	private static final String KILL = "kill-holder";

	private static final String FREEZE = "freeze-holder";

	private static final List<Step> STEPS = List.of(
			plain("nothing", NoLock.class, (support) -> new NoLock(), "No lock", "不加锁",
					"Two customers read the same number, and both get the same item.", "两个顾客读到同一个库存数，于是买到了同一件商品。"),
			plain("synchronized", JvmLock.class, (support) -> new JvmLock(), "synchronized", "synchronized（JVM 锁）",
					"It excludes the threads of one process; the other node has a monitor of its own.",
					"它只能排斥同一个进程里的线程；另一个节点有自己的监视器。"),
			homeMade("setnx-del", SetnxDel.class, SetnxDel::new, Place.WORK, KILL, "SETNX and DEL", "SETNX + DEL",
					"If the holder dies, nobody deletes the lock, and all others wait for ever.",
					"持有者一旦崩溃，就没有人删除这把锁，其他人永远等下去。"),
			homeMade("setnx-expire", SetnxExpire.class, SetnxExpire::new, Place.BETWEEN, KILL, "SETNX, then EXPIRE",
					"先 SETNX 再 EXPIRE", "A process that dies between the two commands leaves a lock without an expiry.",
					"进程若在两条命令之间崩溃，就会留下一把没有过期时间的锁。"),
			homeMade("blind-delete", BlindDelete.class, BlindDelete::new, Place.WORK, FREEZE,
					"SET NX EX with a blind DEL", "SET NX EX，盲目 DEL",
					"A holder that outlives its lease deletes the lock of the next holder, and a third one comes in.",
					"持有者超过租期后，会把下一个持有者的锁删掉，第三个人随即进入。"),
			homeMade("check-then-delete", CheckThenDelete.class, CheckThenDelete::new, Place.BETWEEN, FREEZE,
					"Owner value, checked, then deleted", "带所有者标识，先检查后删除",
					"Between the check and the DEL the lease can end; then the DEL hits the lock of another owner.",
					"检查与 DEL 之间租期可能结束，DEL 删掉的就是别人的锁。"),
			homeMade("owner-lua", OwnerAndLua.class, OwnerAndLua::new, Place.WORK, FREEZE,
					"Owner value, deleted by a script", "带所有者标识，Lua 脚本删除",
					"The release is right, but nothing renews the lease: work that takes longer is not alone any more.",
					"释放是正确的，但没有人续租：工作时间超过租期后，就不再是独占的了。"),
			homeMade("recursion", RetryByRecursion.class, RetryByRecursion::new, Place.WORK, FREEZE,
					"Retry by recursion", "递归重试",
					"Each attempt needs more of the stack, so a long wait can end in a StackOverflowError; "
							+ "and the lease is not renewed.",
					"每次重试都会加深调用栈，等待太久可能 StackOverflowError；而且租期不会续。"),
			homeMade("spinning", RetryBySpinning.class, RetryBySpinning::new, Place.WORK, FREEZE, "Retry by spinning",
					"自旋重试",
					"Waiting costs as many commands as Redis can answer, which slows down the holder too; "
							+ "and the lease is not renewed.",
					"等待期间不停地向 Redis 发命令，连持有者也被拖慢；而且租期不会续。"),
			homeMade("hash-count", HashCount.class, HashCount::new, Place.WORK, FREEZE, "Reentrant hash, not renewed",
					"可重入哈希，不续租", "The owner may enter again, but nothing renews the lease.", "所有者可以重入，但没有人续租。"),
			homeMade("hash-renewed", HashCountRenewed.class, HashCountRenewed::new, Place.WORK, FREEZE,
					"Reentrant hash, renewed by a timer", "可重入哈希，定时续租",
					"The timer freezes with its process: the lock is lost, nobody tells the holder, and it writes.",
					"进程被冻结时定时器也停了：锁已丢失，却没有人通知持有者，它照样写入。"),
			new Step("optimistic", WITHOUT, Optimistic.class, Optimistic::new, List.of(Server.REDIS), Stock.REDIS, 0,
					Place.WORK, null, true, false, new Text("WATCH, MULTI, EXEC", "WATCH、MULTI、EXEC（乐观锁）"),
					new Text("With many customers most attempts are in vain, and nobody is served in order.",
							"顾客一多，大多数尝试都会白费，而且不保证先来后到。")),
			new Step("stock-script", WITHOUT, StockScript.class, StockScript::new, List.of(Server.REDIS), Stock.REDIS,
					0, Place.WORK, null, true, false, new Text("One Lua script for the stock", "一段 Lua 脚本扣库存"),
					new Text(
							"Fast and exact as long as all that is decided is in one Redis; "
									+ "a failover can forget sales that were answered.",
							"只要所有判断都在同一个 Redis 里，就又快又准；但主从切换可能丢掉已经应答的销售。")),
			new Step("conditional-update", WITHOUT, ConditionalUpdate.class, ConditionalUpdate::new,
					List.of(Server.JDBC), Stock.TABLE, 0, Place.WORK, null, true, false,
					new Text("Conditional SQL update", "带条件的 SQL 更新"),
					new Text("The database decides; all customers of an item queue for its row.",
							"由数据库裁决；同一件商品的顾客都在同一行上排队。")),
			new Step("select-for-update", WITHOUT, SelectForUpdate.class, SelectForUpdate::new, List.of(Server.JDBC),
					Stock.TABLE, 1, Place.WORK, null, true, false,
					new Text("SELECT … FOR UPDATE", "SELECT … FOR UPDATE"),
					new Text("The row is locked by a transaction, so each one who waits occupies a connection.",
							"行锁由事务持有，每个等待者都占着一个数据库连接。")),
			ours("annotation-redis", AnnotationOnRedis.class, AnnotationOnRedis::create, Server.REDIS,
					"@DistributedLock on Redis", "@DistributedLock（Redis）",
					"A process that freezes between its last check and its write writes all the same; "
							+ "fenced writes close that gap.",
					"如果进程恰好在最后一次检查与写入之间被冻结，醒来后仍会写入；用带围栏令牌的写入可以堵住这个缺口。"),
			ours("annotation-redlock", AnnotationOnRedlock.class, AnnotationOnRedlock::create, Server.REDLOCK,
					"@DistributedLock on a Redlock quorum", "@DistributedLock（Redlock 多数派）",
					"One of three servers may fail at any time; it costs several times the commands and has no queue.",
					"三台服务器中任意一台都可以失效；代价是数倍的命令，而且没有排队。"),
			ours("annotation-jdbc", AnnotationOnJdbc.class, AnnotationOnJdbc::create, Server.JDBC,
					"@DistributedLock on JDBC", "@DistributedLock（JDBC）",
					"No further server is needed; a lock costs a few transactions and waiting is polling.",
					"不需要额外的服务器；每次加锁要几个事务，等待靠轮询。"),
			ours("annotation-zookeeper", AnnotationOnZooKeeper.class, AnnotationOnZooKeeper::create, Server.ZOOKEEPER,
					"@DistributedLock on ZooKeeper", "@DistributedLock（ZooKeeper）",
					"Consistent over a majority of servers; each change is written to their disks.",
					"在多数服务器上保持一致；每次变更都要写入它们的磁盘。"),
			new Step("semaphore", OURS, Semaphore.class, Semaphore::create, List.of(Server.REDIS), Stock.SHELF, 3,
					Place.WORK, null, true, false, new Text("@DistributedSemaphore", "@DistributedSemaphore"),
					new Text("It limits how many are inside and excludes nobody: what they share needs its own safety.",
							"它只限制同时进入的人数，并不互斥：共享的数据要自己保证安全。")),
			new Step("fenced-writes", OURS, FencedWrites.class, FencedWrites::create, List.of(Server.REDIS),
					Stock.SHELF, 1, Place.WORK, null, true, true, new Text("Fenced writes", "带围栏令牌的写入"),
					new Text(
							"Even a holder that wakes up late cannot overwrite; what is written to must know the token.",
							"即使迟醒的持有者也无法覆盖数据；前提是被写入的一方要认识令牌。")));

	private Staircase() {
	}

	private static Step plain(String id, Class<? extends Strategy> type, Function<StrategySupport, Strategy> maker,
			String title, String titleZh, String flaw, String flawZh) {
		return new Step(id, PLAIN, type, maker, List.of(), Stock.SHELF, 1, Place.WORK, null, false, false,
				new Text(title, titleZh), new Text(flaw, flawZh));
	}

	private static Step homeMade(String id, Class<? extends Strategy> type, Function<StrategySupport, Strategy> maker,
			Place place, @Nullable String breaksBy, String title, String titleZh, String flaw, String flawZh) {
		return new Step(id, HOME_MADE, type, maker, List.of(Server.REDIS), Stock.SHELF, 1, place, breaksBy, false,
				false, new Text(title, titleZh), new Text(flaw, flawZh));
	}

	private static Step ours(String id, Class<? extends Strategy> type, Function<StrategySupport, Strategy> maker,
			Server server, String title, String titleZh, String flaw, String flawZh) {
		return new Step(id, OURS, type, maker, List.of(server), Stock.SHELF, 1, Place.WORK, null, true, false,
				new Text(title, titleZh), new Text(flaw, flawZh));
	}

	/**
	 * Lists the steps from the bottom.
	 * @return all steps
	 */
	public static List<Step> steps() {
		return STEPS;
	}

	/**
	 * Finds a step.
	 * @param id its name
	 * @return empty if there is none
	 */
	public static Optional<Step> find(String id) {
		return STEPS.stream().filter((step) -> step.id().equals(id)).findFirst();
	}

}
