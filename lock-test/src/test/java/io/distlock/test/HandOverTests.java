package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.operations.LockOperations;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a lock passes between the threads of a process, and how far it may before other
 * processes get it.
 */
class HandOverTests extends AbstractVirtualTimeTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockRequest REQUEST = LockRequest.of("stock:42").waitAtMost(Duration.ofMinutes(10));

	private static final LockSettings SETTINGS = LockSettings.builder()
		.waitTime(Duration.ZERO)
		.leaseTime(LEASE)
		.commandTimeout(Duration.ofSeconds(1))
		.application("shop")
		.host("pod")
		.build();

	private final AtomicInteger messages = new AtomicInteger();

	private final List<String> order = Collections.synchronizedList(new ArrayList<>());

	private final List<Long> tokens = Collections.synchronizedList(new ArrayList<>());

	private final List<Thread> threads = new ArrayList<>();

	HandOverTests() {
		super(SETTINGS, SETTINGS);
	}

	private void queue(String name, CloseableLockTemplate template, LockRequest request, Runnable body) {
		Thread thread = new Thread(() -> template.run(request, (lock) -> {
			this.order.add(name);
			this.tokens.add(lock.fencingToken());
			body.run();
		}), name);
		startWaiting(thread, template);
	}

	private void startWaiting(Thread thread, CloseableLockTemplate template) {
		int before = waiting(template);
		this.threads.add(thread);
		thread.start();
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> waiting(template) > before);
	}

	private static int waiting(CloseableLockTemplate template) {
		return LockOperations.of(template).waitingHere().size();
	}

	@Override
	void deliver(Runnable message) {
		this.messages.incrementAndGet();
		super.deliver(() -> {
			message.run();
			this.messages.decrementAndGet();
		});
	}

	private void queueHere(int count) {
		for (int i = 0; i < count; i++) {
			queue("here", this.template, REQUEST, () -> {
			});
		}
	}

	private void queueElsewhere() {
		queue("elsewhere", this.elsewhere, REQUEST, () -> {
		});
		// Passes are counted from when it is known here that others wait.
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> this.messages.get() == 0);
	}

	private void join() throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.join(TimeUnit.SECONDS.toMillis(20));
			assertThat(thread.isAlive()).isFalse();
		}
	}

	@Test
	void closeWhenThreadsWaitHereThenPassedOnWithoutACommand() throws Exception {
		LockHandle first = this.template.acquire(REQUEST);
		queueHere(20);
		int commands = this.store.count();
		long token = first.fencingToken();
		first.close();
		join();
		assertThat(this.order).hasSize(20);
		assertThat(this.store.count() - commands).as("one release at the very end").isOne();
		assertThat(this.tokens).isSorted().doesNotHaveDuplicates().allMatch((passed) -> passed > token);
		assertThat(this.elsewhere.acquire(REQUEST).fencingToken()).isGreaterThan(this.tokens.get(19));
	}

	@Test
	void closeWhenAThousandWaitThenAllAreServedInOneTenure() throws Exception {
		LockHandle first = this.template.acquire(REQUEST);
		List<CompletableFuture<Void>> waiters = joinHere(1000);
		assertThat(this.store.count(Verb.RENEW)).as("tokens for all were reserved while they came").isOne();
		first.close();
		CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
		assertThat(this.tokens).hasSize(1000).isSorted().doesNotHaveDuplicates();
		assertThat(this.store.count(Verb.ACQUIRE)).isOne();
	}

	@Test
	void acquireWhenManyWaitForAThreadThatDiedThenItsLeaseIsNotExtended() throws Exception {
		Thread owner = new Thread(() -> this.template.acquire(REQUEST));
		owner.start();
		owner.join();
		this.clock.advance(LEASE.dividedBy(2));
		List<CompletableFuture<Void>> waiters = joinHere(100);
		this.clock.advance(LEASE.dividedBy(2).plusMillis(100));
		CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
	}

	@Test
	void acquireWhenManyWaitForAFixedLeaseThenItIsNotExtended() throws Exception {
		this.template.acquire(REQUEST.leaseFor(Duration.ofSeconds(5)));
		this.clock.advance(Duration.ofSeconds(3));
		List<CompletableFuture<Void>> waiters = joinHere(100);
		this.clock.advance(Duration.ofMillis(2100));
		CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
	}

	private List<CompletableFuture<Void>> joinHere(int count) {
		return IntStream.range(0, count)
			.mapToObj((number) -> this.template.acquireAsync(REQUEST).thenCompose((lock) -> {
				this.order.add("here");
				this.tokens.add(lock.fencingToken());
				return lock.closeAsync();
			}).toCompletableFuture())
			.toList();
	}

	@Test
	void closeWhenManyThreadsWaitHereThenTokensAreReservedInTime() throws Exception {
		LockHandle first = this.template.acquire(REQUEST);
		queueHere(150);
		first.close();
		join();
		assertThat(this.store.count(Verb.ACQUIRE)).isOne();
		assertThat(this.store.count(Verb.RENEW)).isOne();
		assertThat(this.tokens).hasSize(150).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void closeWhenOthersWaitElsewhereThenTheyGetItAfterABoundedNumberOfPasses() throws Exception {
		LockHandle first = this.template.acquire(REQUEST);
		List<CompletableFuture<Void>> waiters = joinHere(1100);
		queueElsewhere();
		first.close();
		join();
		CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
		assertThat(this.order.indexOf("elsewhere")).isBetween(1, 1024);
		assertThat(this.tokens).hasSize(1101).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void closeWhenOthersWaitElsewhereThenTheyGetItAfterABoundedTime() throws Exception {
		LockHandle first = this.template.acquire(REQUEST);
		queueElsewhere();
		queueHere(3);
		this.clock.advance(Duration.ofMillis(6));
		first.close();
		join();
		assertThat(this.order).containsExactly("elsewhere", "here", "here", "here");
	}

	@Test
	void closeWhenMessagesAreLostThenOthersElsewhereGetItWithinASecond() throws Exception {
		this.store.loseMessages();
		LockHandle first = this.template.acquire(REQUEST);
		queueElsewhere();
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch leave = new CountDownLatch(1);
		queue("here", this.template, REQUEST, () -> {
			inside.countDown();
			awaitQuietly(leave);
		});
		queueHere(1);
		first.close();
		inside.await();
		this.clock.advance(Duration.ofMillis(1001));
		leave.countDown();
		Awaitility.await().until(() -> this.order.size() == 3 || advanced());
		join();
		assertThat(this.order).containsExactly("here", "elsewhere", "here");
	}

	/** The grant's message is lost too, so polls have to find it. */
	private boolean advanced() {
		this.clock.advance(Duration.ofMillis(100));
		return false;
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void closeWhenMessagesAreLostThenARenewalTellsThatOthersWait() throws Exception {
		this.store.loseMessages();
		LockHandle first = this.template.acquire(REQUEST);
		queueElsewhere();
		queueHere(1);
		this.clock.advance(Duration.ofMillis(10_500));
		assertThat(this.store.count(Verb.RENEW)).isOne();
		first.close();
		Awaitility.await().until(() -> this.order.size() == 2 || advanced());
		join();
		assertThat(this.order).containsExactly("elsewhere", "here");
	}

	@Test
	void closeWhenOthersBeginToWaitLateThenTheyGetItAfterABoundedNumberOfPasses() throws Exception {
		LockHandle first = this.template.acquire(REQUEST);
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch leave = new CountDownLatch(1);
		queueHere(60);
		queue("here", this.template, REQUEST, () -> {
			inside.countDown();
			awaitQuietly(leave);
		});
		List<CompletableFuture<Void>> waiters = joinHere(1100);
		first.close();
		inside.await();
		queueElsewhere();
		leave.countDown();
		join();
		CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
		assertThat(this.order.indexOf("elsewhere")).isBetween(61, 61 + 1024);
	}

	@Test
	void closeWhenLittleIsLeftOfTheLeaseThenNotPassedOn() throws Exception {
		LockSettings shortLease = LockSettings.builder().leaseTime(Duration.ofMillis(900)).build();
		FaultyLockStore fragile = new FaultyLockStore(new InMemoryLockStore(this.server));
		CloseableLockTemplate template = LockTemplateBuilder.forStore(fragile)
			.settings(shortLease)
			.clock(this.clock)
			.build();
		this.clock.awaitThreads(3);
		LockHandle first = template.acquire(REQUEST);
		queue("next", template, REQUEST, () -> {
		});
		fragile.inject(Verb.RENEW, Fault.LOSE_COMMAND);
		this.clock.advance(Duration.ofMillis(650));
		first.close();
		join();
		assertThat(fragile.count(Verb.ACQUIRE)).isEqualTo(2);
		this.clock.passDuring(template::close);
	}

	@Test
	void closeWhenNextThreadWantsALeaseOfItsOwnThenItGetsThatLease() throws Exception {
		LockHandle first = this.template.acquire(REQUEST);
		queue("fixed", this.template, REQUEST.leaseFor(Duration.ofSeconds(5)), () -> {
		});
		first.close();
		join();
		assertThat(this.store.count(Verb.ACQUIRE)).isEqualTo(2);
	}

	@Test
	void renewWhenPassedOnMeanwhileThenTheNewHoldIsConfirmed() throws Exception {
		LockHandle first = this.template.acquire(REQUEST);
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch leave = new CountDownLatch(1);
		List<Duration> remaining = Collections.synchronizedList(new ArrayList<>());
		Thread next = new Thread(() -> this.template.run(REQUEST, (lock) -> {
			inside.countDown();
			awaitQuietly(leave);
			remaining.add(lock.remaining());
		}));
		startWaiting(next, this.template);
		first.close();
		inside.await();
		this.clock.advance(Duration.ofSeconds(35));
		leave.countDown();
		join();
		assertThat(remaining).hasSize(1).allMatch((left) -> left.compareTo(Duration.ofSeconds(20)) > 0);
	}

}
