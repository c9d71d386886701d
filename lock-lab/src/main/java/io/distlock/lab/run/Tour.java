package io.distlock.lab.run;

import java.util.List;

import io.distlock.lab.strategy.Staircase;
import io.distlock.lab.strategy.Text;
import org.jspecify.annotations.Nullable;

/** What a newcomer should see, in this order. */
public final class Tour {

	private static final List<Stop> STOPS = List.of(stop("two-jvms", "synchronized", Fault.NONE, "setnx-del",
			new Text("Two processes", "两个进程"),
			new Text(
					"Two processes sell 60 items. For each customer a process reads how many are left, works for 5 ms, and writes one less. "
							+ "All of that is in a synchronized method.",
					"两个进程卖 60 件商品。每来一个顾客，进程就读取剩余数量，处理 5 毫秒，再写回减一之后的数。这一切都在 synchronized 方法里。"),
			new Text(
					"Each JVM has a monitor of its own. It excludes the threads of one process, and with one process that is enough. "
							+ "With two, a customer of each reads the same number, and both write one less: the stock falls by one, "
							+ "two customers have the item. Between the read and the write a customer must be alone, that is [[inside|inside]]. "
							+ "The lock must be where both processes see it.",
					"每个 JVM 都有自己的监视器，只能排斥同一个进程的线程；只有一个进程时这就够了。有两个进程时，"
							+ "各有一个顾客读到同一个数，又都写回减一的数：库存只减了 1，却卖给了两个顾客。从读到写的这一段叫[[inside|临界区]]，"
							+ "只能有一个顾客在里面。锁必须放在两个进程都看得到的地方。")),
			stop("dead-holder", "setnx-del", Fault.KILL_HOLDER, "blind-delete", new Text("A holder dies", "持有者崩溃"),
					new Text(
							"A key in Redis is the lock, which all processes see. SETNX creates it if it is not there, and DEL gives it back. "
									+ "Then kill -9 hits the process of the holder.",
							"锁是 Redis 里的一个键，所有进程都看得到：SETNX 在键不存在时创建它，DEL 释放它。这时持有者的进程被 kill -9 杀死。"),
					new Text(
							"The others wait for ever: the one who would have deleted the key is dead. A lock needs a [[lease|lease]], after which it ends by itself, "
									+ "set in the same command: SET key value NX EX. Two commands leave a gap in which the holder can die, too.",
							"其他人永远等下去：该删除这个键的进程已经死了。锁必须有[[lease|租期]]，到时自己结束，"
									+ "而且要在同一条命令里设置：SET key value NX EX。分成两条命令，持有者可能死在两条命令之间。")),
			stop("uuid", "blind-delete", Fault.FREEZE_HOLDER, "check-then-delete",
					new Text("Why the value is a UUID", "值为什么要用 UUID"),
					new Text(
							"Now the key has a lease of 2 s, and its value is 1 for everybody. The process of a holder freezes for longer, "
									+ "as in a long garbage collection. Then it goes on, and deletes the key at its end.",
							"现在这个键有 2 秒租期，值对所有人都是 1。持有者的进程被冻结得更久，就像一次很长的 GC；然后它继续运行，在结尾删除这个键。"),
					new Text(
							"It deleted the key of the next holder, who came in after the lease; then a third one came in beside it. "
									+ "A caller must tell its own lock from another's, so the value names its [[owner|owner]]: a UUID and the thread. "
									+ "The number of a thread alone repeats, as each process has its own thread 17.",
							"它删掉的是租期结束后进来的下一个持有者的键；于是第三个人也进来了。调用者必须分得清自己的锁和别人的锁，"
									+ "所以值要标明[[owner|所有者]]：UUID 加线程号。单靠线程号会重复，每个进程都有自己的 17 号线程。")),
			stop("lua", "check-then-delete", Fault.FREEZE_HOLDER, "owner-lua",
					new Text("Why the release is a Lua script", "释放为什么要用 Lua 脚本"),
					new Text(
							"The value is the owner now. At its end the owner reads the key, sees its own name, freezes, and only then sends DEL.",
							"现在值就是所有者。结束时，所有者读到键里是自己的名字，这时被冻结，之后才发出 DEL。"),
					new Text(
							"The check did not help. Between GET and DEL the lease ended and the key became another one's. "
									+ "Looking and deleting must be one step. Redis runs a Lua script as one step: no other command comes between.",
							"检查没有用。在 GET 和 DEL 之间租期已过，键已经属于别人。检查和删除必须是一步；Redis 把一段 Lua 脚本当作一步执行，其他命令插不进来。")),
			stop("long-work", "owner-lua", Fault.LONG_WORK, "hash-renewed",
					new Text("Work that takes longer than the lease", "工作时间超过租期"),
					new Text(
							"The release is right now. One caller's work takes longer than its lease of 2 s. Nothing is frozen, nothing fails.",
							"释放已经正确。有一个调用者的工作时间超过 2 秒的租期。没有冻结，也没有故障。"),
					new Text(
							"The lease ended while the caller worked, another one came in, and both wrote. A longer lease only moves the problem: "
									+ "it blocks the others for longer when a holder dies. So the lease stays short, and a timer sets it back to its full length "
									+ "every third of it, as long as the holder works: [[renewal|renewal]]. If the process dies, so does the timer.",
							"租期在工作途中结束，别人进来，两个人都写。把租期加长只是推迟问题：持有者崩溃时别人会被挡得更久。"
									+ "所以租期仍然短，只要持有者还在工作，定时器每过三分之一就把它恢复到完整长度，这就是[[renewal|续租]]。进程死了，定时器也就停了。")),
			stop("count", "owner-twice", Fault.NONE, "hash-count",
					new Text("Why reentrancy needs a count", "可重入为什么要计数"),
					new Text(
							"A method that holds the lock calls another method that takes the same lock. With SETNX it would wait for itself for ever. "
									+ "So the owner may enter again. The inner method ends and gives the lock back, and the outer one still works.",
							"持有锁的方法调用了另一个也要加同一把锁的方法。用 SETNX 的话，它会永远等待自己，所以允许所有者再次进入。" + "内层方法结束时释放了锁，而外层还在工作。"),
					new Text(
							"The inner end deleted the key, and the outer method was not alone any more. A hash with the owner and a count knows how often it was taken, "
									+ "and only the last end deletes it: HINCRBY 1, HINCRBY -1, DEL at zero, each in a script. "
									+ "In the lab, “SETNX, entered twice” shows how a caller waits for itself.",
							"内层退出时已经把键删了，外层不再是独占的。用哈希保存所有者和计数，就知道进入了几次，最后一次退出才删除："
									+ "HINCRBY 1、HINCRBY -1、为零时 DEL，各在一段脚本里。在实验室里选“SETNX，重复进入”，可以看到调用者怎样等待自己。")),
			stop("failover", "hash-renewed", Fault.FAILOVER, "guarded-redlock", new Text("The master dies", "主节点崩溃"),
					new Text(
							"Owner, script, renewal and count are right: the last version of the tutorials. Redis is a master with a replica. "
									+ "The master dies before its replica has the lock, and the replica takes over.",
							"所有者、脚本、续租、计数都对了：教程里的最后一版。Redis 有一个主节点和一个从节点。主节点在把锁复制给从节点之前崩溃，从节点接管。"),
					new Text(
							"As far as the new master knows nobody has the lock, so a second holder came in beside the first. Redis answers before its replica has the data. "
									+ "Two things help: a new master that grants nothing for the time of a lease (failoverDelay), "
									+ "or a majority of servers that do not copy from each other, a [[quorum|quorum]].",
							"在新的主节点看来，谁也没有锁，于是第二个持有者进来了。Redis 在从节点收到数据之前就已经应答。"
									+ "有两种办法：新的主节点在一个租期之内不发放锁（failoverDelay），或者询问互不复制的多台服务器，即[[quorum|多数派]]。")),
			stop("redlock", "guarded-redlock", Fault.RESTART_REDIS, "fenced-writes",
					new Text("What Redlock adds", "Redlock 增加了什么"),
					new Text(
							"The lock is on a majority of three servers that know nothing of each other. One of them is restarted and forgets everything.",
							"锁放在三台互不相识的服务器的多数派上。其中一台被重启，忘掉了一切。"),
					new Text("Two of three did not forget, so nobody else got a majority, and the service went on. "
							+ "The restarted server finds its memory gone, and gives no vote until all leases from before are over. "
							+ "Redlock adds this: one server may die or forget. It costs several times the commands, and it does not help against a holder that freezes.",
							"三台中有两台没有忘记，所以别人拿不到多数，服务也没有停。被重启的那台发现自己的记录没了，在旧租期全部结束之前不参与表决。"
									+ "Redlock 增加的就是这个：一台服务器可以死掉或忘记。代价是数倍的命令；对被冻结的持有者，它没有帮助。")),
			stop("bare", "annotation-redis", Fault.FREEZE_HOLDER, "guarded-redis",
					new Text("The annotation alone", "只用注解"),
					new Text(
							"@DistributedLock with its defaults has all of it: owner, scripts, renewal, count, and a queue for those who wait. "
									+ "The process of its holder freezes for longer than the lease.",
							"默认设置的 @DistributedLock 全都有：所有者、脚本、续租、计数，还有等待者的队列。持有者的进程被冻结的时间超过租期。"),
					new Text(
							"The timer froze with its process, the lease ended, another one came in. After waking up the method wrote, "
									+ "and only at its end it fails with LockLostException: a transaction rolls back, a write to Redis stays. "
									+ "Guards help: onLost = INTERRUPT interrupts a method that loses its lock, and ensureHeld() asks right before the write.",
							"定时器随进程一起被冻结，租期结束，别人进来了。方法醒来后照样写入，直到结束时才抛出 LockLostException："
									+ "事务会回滚，写进 Redis 的却留下了。加上防护会好一些：onLost = INTERRUPT 中断丢了锁的方法，ensureHeld() 在写入之前再确认一次。")),
			stop("fencing", "fenced-writes", Fault.FREEZE_HOLDER, null, new Text("What fencing adds", "栅栏令牌增加了什么"),
					new Text(
							"A guarded holder can still freeze between its last check and its write. Now there is no check at all, but each grant has a higher number, "
									+ "the [[token|fencing token]], and the stock remembers the highest that it saw. The holder freezes.",
							"加了防护的持有者，仍可能恰好在最后一次检查和写入之间被冻结。现在完全不检查，但每次授予都带一个更大的数字，"
									+ "即[[token|栅栏令牌]]，库存记住见过的最大令牌。持有者被冻结。"),
					new Text(
							"The stock refused the late write: its token was lower than that of the next holder. No pause can be too long, "
									+ "and it works even if two believe that they hold the lock. The lock keeps callers apart as long as all goes well, "
									+ "the token keeps the data right when it does not. The price: what is written to must know the token.",
							"库存拒绝了迟到的写入：它的令牌比下一个持有者的小。停顿再久也没关系，即使两个人都以为自己持有锁也没问题。"
									+ "一切正常时由锁把调用者分开，不正常时由令牌保证数据正确。代价是：被写入的一方必须认识令牌。")));

	private Tour() {
	}

	private static Stop stop(String id, String strategy, Fault fault, @Nullable String next, Text title, Text question,
			Text why) {
		// A run is exact or stuck sooner with few items; a fault needs some to be sold
		// meanwhile.
		int items = (fault == Fault.NONE) ? 60 : 120;
		return new Stop(id, title, new RunRequest(strategy, fault.id(), 2, 8, items, 5), question, why, next,
				Staircase.find(strategy).orElseThrow().docs());
	}

	/**
	 * Lists the stops in their order.
	 * @return all stops
	 */
	public static List<Stop> stops() {
		return STOPS;
	}

	/**
	 * A stop of the tour.
	 *
	 * @param id its name, also that of the recorded run
	 * @param title what it is about
	 * @param request the run
	 * @param question what the reader should think about before the run: the page asks
	 * what will happen. A word in {@code [[term|word]]} is explained by the page
	 * @param why what came of it, and why
	 * @param next the strategy that mends it, or {@code null}
	 * @param docs where to read on, a path below the root of the repository, or
	 * {@code null}
	 */
	public record Stop(String id, Text title, RunRequest request, Text question, Text why, @Nullable String next,
			@Nullable String docs) {
	}

}
