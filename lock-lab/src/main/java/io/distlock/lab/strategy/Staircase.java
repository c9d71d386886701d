package io.distlock.lab.strategy;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.distlock.lab.strategy.Step.Builder;
import io.distlock.lab.strategy.Step.Lock;
import io.distlock.lab.strategy.Step.Server;
import io.distlock.lab.strategy.Step.Stock;

/** All strategies, from nothing at all to fenced writes. */
public final class Staircase {

	private static final Text PLAIN = new Text("Without a lock that all share", "没有共享的锁");

	private static final Text HOME_MADE = new Text("Home-made locks in Redis", "自己动手写的 Redis 锁");

	private static final Text WITHOUT = new Text("Without a lock, and still exact", "不用锁也准确");

	private static final Text OURS = new Text("This project", "本项目");

	private static final String KILL = "kill-holder";

	private static final String FREEZE = "freeze-holder";

	private static final String LONG_WORK = "long-work";

	private static final String LOST = "docs/failures.md#lost";

	private static final String FENCING = "docs/failures.md#fencing";

	private static final List<Step> STEPS = List.of(
			// Without a lock that all share
			plain("nothing", NoLock.class, (support) -> new NoLock()).title("No lock", "不加锁")
				.flaw("Two customers read the same number, and both get the same item.", "两个顾客读到同一个库存数，于是买到了同一件商品。")
				.breaks(Condition.EXCLUSIVE)
				.fixedBy("synchronized")
				.build(),
			plain("synchronized", JvmLock.class, (support) -> new JvmLock())
				.title("synchronized", "synchronized（JVM 锁）")
				.flaw("On one node it is enough. On two, each process has a monitor of its own, which the other does not see.",
						"只有一个节点时它就够了；有两个节点时，每个进程各有一个监视器，互相看不见。")
				.version("v1, v2")
				.breaks(Condition.EXCLUSIVE)
				.fixedBy("setnx-del")
				.build(),

			// Home-made locks in Redis
			homeMade("setnx-del", SetnxDel.class, SetnxDel::new).lock(Lock.ENDLESS_KEY)
				.title("SETNX and DEL", "SETNX + DEL")
				.flaw("If the holder dies, nobody deletes the lock, and all others wait for ever.",
						"持有者一旦崩溃，就没有人删除这把锁，其他人永远等下去。")
				.version("v3")
				.breaksBy(KILL)
				.breaks(Condition.DEADLOCK_FREE)
				.fixedBy("setnx-expire")
				.build(),
			homeMade("recursion", RetryByRecursion.class, RetryByRecursion::new).title("Retry by recursion", "递归重试")
				.flaw("Each attempt needs more of the stack, so a long wait can end in a StackOverflowError; "
						+ "and the lease is not renewed.", "每次重试都会加深调用栈，等待太久可能 StackOverflowError；而且租期不会续。")
				.version("v3")
				.breaksBy(FREEZE)
				.fixedBy("spinning")
				.build(),
			homeMade("spinning", RetryBySpinning.class, RetryBySpinning::new).title("Retry by spinning", "自旋重试")
				.flaw("Waiting costs as many commands as Redis can answer, which slows down the holder too; "
						+ "and the lease is not renewed.", "等待期间不停地向 Redis 发命令，连持有者也被拖慢；而且租期不会续。")
				.version("v3")
				.breaksBy(FREEZE)
				.fixedBy("annotation-redis")
				.build(),
			homeMade("setnx-expire", SetnxExpire.class, SetnxExpire::new)
				.title("SETNX, then EXPIRE", "先 SETNX 再 EXPIRE")
				.flaw("A process that dies between the two commands leaves a lock without an expiry.",
						"进程若在两条命令之间崩溃，就会留下一把没有过期时间的锁。")
				.between()
				.version("v4")
				.breaksBy(KILL)
				.breaks(Condition.DEADLOCK_FREE)
				.fixedBy("blind-delete")
				.build(),
			homeMade("blind-delete", BlindDelete.class, BlindDelete::new)
				.title("SET NX EX with a blind DEL", "SET NX EX，盲目 DEL")
				.flaw("A holder that outlives its lease deletes the lock of the next holder, and a third one comes in.",
						"持有者超过租期后，会把下一个持有者的锁删掉，第三个人随即进入。")
				.version("v4")
				.breaksBy(FREEZE)
				.breaks(Condition.OWNER_ONLY)
				.fixedBy("check-then-delete")
				.build(),
			homeMade("check-then-delete", CheckThenDelete.class, CheckThenDelete::new)
				.title("Owner value, checked, then deleted", "带所有者标识，先检查后删除")
				.flaw("Between the check and the DEL the lease can end; then the DEL hits the lock of another owner.",
						"检查与 DEL 之间租期可能结束，DEL 删掉的就是别人的锁。")
				.between()
				.version("v5")
				.breaksBy(FREEZE)
				.breaks(Condition.OWNER_ONLY)
				.fixedBy("owner-lua")
				.build(),
			homeMade("owner-lua", OwnerAndLua.class, OwnerAndLua::new)
				.title("Owner value, deleted by a script", "带所有者标识，Lua 脚本删除")
				.flaw("The release is right, but nothing renews the lease: work that takes longer is not alone any more.",
						"释放是正确的，但没有人续租：工作时间超过租期后，就不再是独占的了。")
				.version("v6")
				.breaksBy(LONG_WORK)
				.breaks(Condition.EXCLUSIVE)
				.fixedBy("hash-renewed")
				.build(),
			homeMade("setnx-twice", SetnxTwice.class, SetnxTwice::new).lock(Lock.ENDLESS_KEY)
				.title("SETNX, entered twice", "SETNX，重复进入")
				.flaw("A method that holds the lock calls another one that takes it too, and waits for itself for ever.",
						"持有锁的方法调用了另一个也要加锁的方法，于是永远等待自己。")
				.breaks(Condition.REENTRANT)
				.fixedBy("owner-twice")
				.build(),
			homeMade("owner-twice", OwnerTwice.class, OwnerTwice::new)
				.title("Owner may enter again, without a count", "所有者可再次进入，但不计数")
				.flaw("The inner end deletes the lock while the outer one still works: without a count, the first end is the last.",
						"内层退出时就把锁删了，而外层还在工作：没有计数，第一次释放就成了最后一次。")
				.breaks(Condition.REENTRANT)
				.fixedBy("hash-count")
				.build(),
			homeMade("hash-count", HashCount.class, HashCount::new).title("Reentrant hash, not renewed", "可重入哈希，不续租")
				.flaw("The owner enters twice, and the count keeps the lock until the outer end. But nothing renews the lease.",
						"所有者进入两次，靠计数把锁保持到最外层退出。但没有人续租。")
				.version("v7")
				.breaksBy(LONG_WORK)
				.breaks(Condition.EXCLUSIVE)
				.fixedBy("hash-renewed")
				.docs("docs/guarantees.md#details-worth-knowing")
				.build(),
			homeMade("hash-renewed", HashCountRenewed.class, HashCountRenewed::new)
				.title("Reentrant hash, renewed by a timer", "可重入哈希，定时续租")
				.flaw("Long work is safe. But the timer freezes with its process, and a failover forgets the lock: "
						+ "then nobody tells the holder, and it writes.",
						"工作再久也没问题。但进程被冻结时定时器也停了，主从切换也会忘掉锁：没有人通知持有者，它照样写入。")
				.version("v8")
				.breaksBy(FREEZE)
				.breaks(Condition.AVAILABLE)
				.fixedBy("guarded-redis")
				.docs(LOST)
				.build(),

			// Without a lock, and still exact
			without("optimistic", Optimistic.class, Optimistic::new, Server.REDIS).stock(Stock.REDIS)
				.title("WATCH, MULTI, EXEC", "WATCH、MULTI、EXEC（乐观锁）")
				.flaw("With many customers most attempts are in vain, and nobody is served in order.",
						"顾客一多，大多数尝试都会白费，而且不保证先来后到。")
				.build(),
			without("stock-script", StockScript.class, StockScript::new, Server.REDIS).stock(Stock.REDIS)
				.title("One Lua script for the stock", "一段 Lua 脚本扣库存")
				.flaw("Fast and exact as long as all that is decided is in one Redis; "
						+ "a failover can forget sales that were answered.",
						"只要所有判断都在同一个 Redis 里，就又快又准；但主从切换可能丢掉已经应答的销售。")
				.build(),
			without("conditional-update", ConditionalUpdate.class, ConditionalUpdate::new, Server.JDBC)
				.stock(Stock.TABLE)
				.title("Conditional SQL update", "带条件的 SQL 更新")
				.flaw("The database decides; all customers of an item queue for its row.", "由数据库裁决；同一件商品的顾客都在同一行上排队。")
				.build(),
			without("select-for-update", SelectForUpdate.class, SelectForUpdate::new, Server.JDBC).stock(Stock.TABLE)
				.inside(1)
				.title("SELECT … FOR UPDATE", "SELECT … FOR UPDATE")
				.flaw("The row is locked by a transaction, so each one who waits occupies a connection.",
						"行锁由事务持有，每个等待者都占着一个数据库连接。")
				.docs("docs/recipes.md#when-a-unique-constraint-is-enough")
				.build(),

			// This project
			ours("annotation-redis", AnnotationOnRedis.class, AnnotationOnRedis::create, Server.REDIS)
				.title("@DistributedLock, nothing else", "@DistributedLock，仅此而已")
				.flaw("Waiting, renewal and reentrancy are right. But a holder that freezes wakes up and writes before it asks, "
						+ "and a Redis that forgets its locks lets a second holder in: the guards of the next step close this.",
						"等待、续租、重入都正确。但被冻结的持有者醒来后，不先确认就写入；Redis 忘掉锁之后也会放进第二个持有者：下一步的防护补上这些缺口。")
				.breaksBy(FREEZE)
				.fixedBy("guarded-redis")
				.docs(LOST)
				.build(),
			ours("lock-in-transaction", LockInTransaction.class, LockInTransaction::create, Server.REDIS, Server.JDBC)
				.stock(Stock.TABLE)
				.title("The lock inside the transaction", "事务里面加锁")
				.flaw("The lock is given back before the commit. The next holder reads what was committed, "
						+ "which is the old number: nobody overlaps, and items are sold twice.",
						"锁在事务提交之前就释放了。下一个持有者读到的是已提交的旧库存：没有任何重叠，商品照样卖了两次。")
				.fixedBy("transaction-in-lock")
				.docs("docs/failures.md#transactions")
				.build(),
			ours("transaction-in-lock", TransactionInLock.class, TransactionInLock::create, Server.REDIS, Server.JDBC)
				.stock(Stock.TABLE)
				.title("The transaction inside the lock", "锁里面开事务")
				.flaw("The order is right. Like the annotation alone, it has no guard against a holder that freezes.",
						"顺序是对的。但和单独的注解一样，挡不住被冻结后醒来的持有者。")
				.breaksBy(FREEZE)
				.fixedBy("guarded-jdbc")
				.docs("docs/failures.md#transactions")
				.build(),
			guarded("guarded-redis", GuardedOnRedis.class, GuardedOnRedis::create, Server.REDIS)
				.title("@DistributedLock, guarded, on Redis", "@DistributedLock 加防护（Redis）")
				.flaw("A process that freezes between its last check and its write writes all the same; "
						+ "fenced writes close that gap.", "如果进程恰好在最后一次检查与写入之间被冻结，醒来后仍会写入；用带栅栏令牌的写入可以堵住这个缺口。")
				.setting("quarantine = 2s",
						"A Redis that lost its locks grants none until those that it forgot have run out.",
						"丢失锁数据的 Redis，在被遗忘的锁全部到期之前不再发放新锁。")
				.setting("failoverDelay = 2s",
						"A new master, which may not know the last lock, waits for its lease to end.",
						"新的主节点可能不知道最后一把锁，它会等那把锁的租期结束。")
				.fixedBy("fenced-writes")
				.docs("docs/guarantees.md#quarantine")
				.build(),
			guarded("guarded-redlock", GuardedOnRedlock.class, GuardedOnRedlock::create, Server.REDLOCK)
				.title("@DistributedLock, guarded, on a Redlock quorum", "@DistributedLock 加防护（Redlock 多数派）")
				.flaw("One of three servers may fail at any time; it costs several times the commands and has no queue.",
						"三台服务器中任意一台都可以失效；代价是数倍的命令，而且没有排队。")
				.setting("quarantine = 2s",
						"A server that lost its locks takes no part in a majority until those have run out.",
						"丢失锁数据的服务器，在那些锁到期之前不参与多数派。")
				.fixedBy("fenced-writes")
				.docs("docs/guarantees.md#redlock")
				.build(),
			guarded("guarded-jdbc", GuardedOnJdbc.class, GuardedOnJdbc::create, Server.JDBC)
				.title("@DistributedLock, guarded, on JDBC", "@DistributedLock 加防护（JDBC）")
				.flaw("No further server is needed; a lock costs a few transactions and waiting is polling.",
						"不需要额外的服务器；每次加锁要几个事务，等待靠轮询。")
				.docs("docs/failures.md#exact-exclusion-in-one-database")
				.build(),
			guarded("guarded-zookeeper", GuardedOnZooKeeper.class, GuardedOnZooKeeper::create, Server.ZOOKEEPER)
				.title("@DistributedLock, guarded, on ZooKeeper", "@DistributedLock 加防护（ZooKeeper）")
				.flaw("Consistent over a majority of servers; each change is written to their disks.",
						"在多数服务器上保持一致；每次变更都要写入它们的磁盘。")
				.docs("docs/stores.md#zookeeper")
				.build(),
			guarded("semaphore", Semaphore.class, Semaphore::create, Server.REDIS).inside(3)
				.title("@DistributedSemaphore", "@DistributedSemaphore")
				.flaw("It limits how many are inside and excludes nobody: what they share needs its own safety.",
						"它只限制同时进入的人数，并不互斥：共享的数据要自己保证安全。")
				.docs("docs/annotation.md#semaphores")
				.build(),
			ours("fenced-writes", FencedWrites.class, FencedWrites::create, Server.REDIS).sound()
				.fenced()
				.title("Fenced writes", "带栅栏令牌的写入")
				.flaw("Even a holder that wakes up late cannot overwrite; what is written to must know the token.",
						"即使迟醒的持有者也无法覆盖数据；前提是被写入的一方要认识令牌。")
				.setting("fencingToken()",
						"The stock remembers the highest token and refuses a write with a lower one, however late it comes.",
						"库存记住见过的最大令牌，令牌更小的写入来得再晚也会被拒绝。")
				.docs(FENCING)
				.build());

	private Staircase() {
	}

	private static Builder plain(String id, Class<? extends Strategy> type, Function<StrategySupport, Strategy> maker) {
		return Step.of(id, PLAIN, type, maker);
	}

	private static Builder homeMade(String id, Class<? extends Strategy> type,
			Function<StrategySupport, Strategy> maker) {
		return Step.of(id, HOME_MADE, type, maker).lock(Lock.KEY).needs(Server.REDIS);
	}

	private static Builder without(String id, Class<? extends Strategy> type, Function<StrategySupport, Strategy> maker,
			Server server) {
		return Step.of(id, WITHOUT, type, maker).needs(server).inside(0).sound();
	}

	private static Builder ours(String id, Class<? extends Strategy> type, Function<StrategySupport, Strategy> maker,
			Server... servers) {
		return Step.of(id, OURS, type, maker).lock(Lock.OURS).needs(servers);
	}

	private static Builder guarded(String id, Class<? extends Strategy> type, Function<StrategySupport, Strategy> maker,
			Server server) {
		return ours(id, type, maker, server).sound()
			.setting("onLost = INTERRUPT", "Work that goes on after the lock is lost is interrupted.",
					"锁丢失之后，还在进行的工作会被中断。")
			.setting("ensureHeld()", "Right before the write the holder asks whether the lock is still its own, "
					+ "and throws an exception if not.", "写入之前，持有者先确认锁还是自己的；不是就抛出异常。");
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
