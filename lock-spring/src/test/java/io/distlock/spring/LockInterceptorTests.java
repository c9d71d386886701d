package io.distlock.spring;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.operations.LockOperations;
import io.distlock.test.Pause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LockInterceptorTests {

	@Test
	void classProxyHoldsTheLockWhileTheMethodRuns() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			Stock stock = application.get(Stock.class);
			assertThat(stock.inside("a", () -> application.isBusy("stock:a"))).isTrue();
			assertThat(application.isBusy("stock:a")).isFalse();
		}
	}

	@Test
	void interfaceProxyHoldsTheLockWhileTheMethodRuns() {
		try (LockedApplication application = LockedApplication.withInterfaceProxies(ApiStock.class)) {
			Api api = application.get(Api.class);
			assertThat(api).isNotInstanceOf(ApiStock.class);
			assertThat(api.onClass("a", () -> application.isBusy("class:a"))).isTrue();
			assertThat(api.onInterface("a", () -> application.isBusy("interface:a"))).isTrue();
		}
	}

	@Test
	void classProxyWhenInterfaceHasTheAnnotationThenLocks() {
		try (LockedApplication application = LockedApplication.of(ApiStock.class, InheritingStock.class)) {
			ApiStock stock = application.get(ApiStock.class);
			assertThat(stock.onInterface("a", () -> application.isBusy("interface:a"))).isTrue();
			InheritingStock inheriting = application.get(InheritingStock.class);
			assertThat(inheriting.count("a", () -> application.isBusy("count"))).isTrue();
		}
	}

	@Test
	void protectedAndPackagePrivateMethodsAreLocked() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			Stock stock = application.get(Stock.class);
			assertThat(stock.packagePrivate(() -> application.isBusy("package"))).isTrue();
			assertThat(stock.protectedMethod(() -> application.isBusy("protected"))).isTrue();
		}
	}

	@Test
	void classAnnotationAppliesToPublicMethodsAndTheMethodWins() {
		try (LockedApplication application = LockedApplication.of(Warehouse.class)) {
			Warehouse warehouse = application.get(Warehouse.class);
			assertThat(warehouse.any(() -> application.isBusy("warehouse"))).isTrue();
			assertThat(warehouse.inherited(() -> application.isBusy("warehouse"))).isTrue();
			assertThat(warehouse.own(() -> application.isBusy("own") && !application.isBusy("warehouse"))).isTrue();
			assertThat(warehouse.hidden(() -> application.isBusy("warehouse"))).isFalse();
			warehouse.probe = () -> application.isBusy("warehouse");
			assertThat(warehouse).hasToString("busy: false");
		}
	}

	@Test
	void interfaceTypeAnnotationAppliesToItsOwnMethodsOnly() {
		try (LockedApplication application = LockedApplication.of(TypedStock.class)) {
			TypedStock stock = application.get(TypedStock.class);
			assertThat(stock.ofApi(() -> application.isBusy("api"))).isTrue();
			assertThat(stock.other(() -> application.isBusy("api"))).isFalse();
		}
	}

	@Test
	void unnamedLockIsTheMethodsSignature() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			String signature = Stock.class.getName() + ".unnamed(java.util.function.Supplier, int[])";
			assertThat(application.get(Stock.class).unnamed(() -> application.isBusy(signature))).isTrue();
		}
	}

	@Test
	void keyWithoutNameIsTheWholeIdentity() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			assertThat(application.get(Stock.class).keyOnly("a", () -> application.isBusy("a"))).isTrue();
		}
	}

	@Test
	void placeholdersAreResolved() {
		try (LockedApplication application = new LockedApplication(true, Map.of(),
				Map.of("tenant", "acme", "patience", "PT0S"), Placeholders.class)) {
			Placeholders stock = application.get(Placeholders.class);
			assertThat(stock.run(() -> application.isBusy("stock-acme"))).isTrue();
			try (LockHandle held = application.other().acquire("stock-acme")) {
				assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> stock.run(() -> true))
					.satisfies((ex) -> assertThat(ex.waitTime()).isZero());
			}
		}
	}

	@Test
	void overridesWinOverTheAnnotation() {
		LockOptions tuning = LockOptions.NONE.withWaitTime(Duration.ZERO).withLeaseTime(Duration.ofSeconds(100));
		try (LockedApplication application = new LockedApplication(true, Map.of("timed", tuning), Map.of(),
				Stock.class)) {
			Stock stock = application.get(Stock.class);
			assertThat(stock.timed(() -> current().remaining())).isBetween(Duration.ofSeconds(90),
					Duration.ofSeconds(100));
			try (LockHandle held = application.other().acquire("timed")) {
				assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> stock.timed(() -> true))
					.satisfies((ex) -> assertThat(ex.waitTime()).isZero());
			}
		}
	}

	@Test
	void maxWaitersTurnsAwayWhoIsOneTooMany() {
		LockOptions two = LockOptions.NONE.withMaxWaiters(2);
		try (LockedApplication plain = LockedApplication.of(Crowded.class);
				LockedApplication tuned = new LockedApplication(true, Map.of("crowded", two), Map.of(),
						Crowded.class)) {
			assertThat(waitersBeforeRefusal(plain)).isOne();
			assertThat(waitersBeforeRefusal(tuned)).isEqualTo(2);
		}
	}

	private static int waitersBeforeRefusal(LockedApplication application) {
		Crowded crowded = application.get(Crowded.class);
		LockOperations operations = LockOperations.of(application.lock());
		List<CompletableFuture<Void>> waiters = new ArrayList<>();
		try (LockHandle held = application.other().acquire("crowded")) {
			while (waiters.stream().noneMatch(CompletableFuture::isDone)) {
				int waiting = operations.waitingHere().size();
				CompletableFuture<Void> next = CompletableFuture.runAsync(crowded::run, NewThread.EXECUTOR);
				waiters.add(next);
				while (!next.isDone() && operations.waitingHere().size() == waiting) {
					Pause.of(Duration.ofMillis(1));
				}
			}
		}
		long refused = waiters.stream().filter((waiter) -> {
			try {
				waiter.join();
				return false;
			}
			catch (CompletionException ex) {
				assertThat(ex).hasRootCauseInstanceOf(LockBusyException.class).hasMessageContaining("(max waiters)");
				return true;
			}
		}).count();
		assertThat(refused).isOne();
		return waiters.size() - 1;
	}

	@Test
	void busyLockThrowsAndNamesTheCallerThatHoldsIt() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			String message = application.get(Stock.class).inside("a", () -> {
				try {
					LockRequest request = LockRequest.of("stock:a").waitAtMost(Duration.ZERO);
					CompletableFuture.runAsync(() -> application.other().acquire(request), NewThread.EXECUTOR).join();
					return "not busy";
				}
				catch (CompletionException ex) {
					return String.valueOf(ex.getCause().getMessage());
				}
			});
			assertThat(message).contains("busy").contains("LockInterceptorTests.Stock.inside");
		}
	}

	@Test
	void bodyThatThrowsReleasesTheLockAndItsExceptionIsUnchanged() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			IOException failure = new IOException("broken");
			assertThatExceptionOfType(IOException.class)
				.isThrownBy(() -> application.get(Stock.class).failing("a", failure))
				.isSameAs(failure);
			assertThat(application.isBusy("stock:a")).isFalse();
		}
	}

	@Test
	void nestedCallReusesTheHold() {
		try (LockedApplication application = LockedApplication.of(Stock.class, Reordering.class)) {
			Stock stock = application.get(Stock.class);
			Reordering reordering = application.get(Reordering.class);
			boolean same = stock.inside("a", () -> {
				LockHandle outer = current();
				boolean sameToken = reordering.reorder("a",
						() -> current() != outer && current().fencingToken() == outer.fencingToken());
				return sameToken && current() == outer && application.isBusy("stock:a");
			});
			assertThat(same).isTrue();
			assertThat(application.isBusy("stock:a")).isFalse();
			assertThat(LockContext.current()).isEmpty();
		}
	}

	@Test
	void lostLockIsThrownWhenTheBodyEndedNormally() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> application.get(Stock.class).brief(() -> outliveTheLease(application)));
		}
	}

	@Test
	void lostLockIsSuppressedOntoTheBodysException() {
		try (LockedApplication application = LockedApplication.of(Stock.class)) {
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> application.get(Stock.class).brief(() -> {
					outliveTheLease(application);
					throw new IllegalArgumentException("own");
				}))
				.satisfies(
						(ex) -> assertThat(ex.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
		}
	}

	private static boolean outliveTheLease(LockedApplication application) {
		application.outliveLeases();
		return true;
	}

	private static LockHandle current() {
		return LockContext.current().orElseThrow();
	}

	static class Stock {

		@DistributedLock(name = "stock", key = "#sku")
		public <T> T inside(String sku, Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void failing(String sku, IOException failure) throws IOException {
			throw failure;
		}

		@DistributedLock(name = "package")
		boolean packagePrivate(Supplier<Boolean> body) {
			return body.get();
		}

		@DistributedLock(name = "protected")
		protected boolean protectedMethod(Supplier<Boolean> body) {
			return body.get();
		}

		@DistributedLock
		public boolean unnamed(Supplier<Boolean> body, int... others) {
			return body.get();
		}

		@DistributedLock(key = "#sku")
		public boolean keyOnly(String sku, Supplier<Boolean> body) {
			return body.get();
		}

		@DistributedLock(name = "timed", waitTime = "5s", leaseTime = "10s")
		public <T> T timed(Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "brief", leaseTime = "20s")
		public boolean brief(Supplier<Boolean> body) {
			return body.get();
		}

	}

	static class Reordering {

		@DistributedLock(name = "stock", key = "#sku")
		public boolean reorder(String sku, Supplier<Boolean> body) {
			return body.get();
		}

	}

	static class Crowded {

		@DistributedLock(name = "crowded", waitTime = "20s", maxWaiters = 1)
		public void run() {
		}

	}

	static class Placeholders {

		@DistributedLock(name = "stock-${tenant}", waitTime = "${patience}", leaseTime = "${lease:30s}")
		public boolean run(Supplier<Boolean> body) {
			return body.get();
		}

	}

	interface Api {

		boolean onClass(String sku, Supplier<Boolean> body);

		@DistributedLock(name = "interface", key = "#sku")
		boolean onInterface(String sku, Supplier<Boolean> body);

	}

	static class ApiStock implements Api {

		@Override
		@DistributedLock(name = "class", key = "#p0")
		public boolean onClass(String sku, Supplier<Boolean> body) {
			return body.get();
		}

		@Override
		public boolean onInterface(String sku, Supplier<Boolean> body) {
			return body.get();
		}

	}

	static class Counter {

		public boolean count(String sku, Supplier<Boolean> body) {
			return body.get();
		}

	}

	interface Counting {

		@DistributedLock(name = "count")
		boolean count(String sku, Supplier<Boolean> body);

	}

	static class InheritingStock extends Counter implements Counting {

	}

	static class Shelves {

		public boolean inherited(Supplier<Boolean> body) {
			return body.get();
		}

	}

	@DistributedLock(name = "warehouse")
	static class Warehouse extends Shelves {

		Supplier<Boolean> probe = () -> false;

		public boolean any(Supplier<Boolean> body) {
			return body.get();
		}

		@DistributedLock(name = "own")
		public boolean own(Supplier<Boolean> body) {
			return body.get();
		}

		boolean hidden(Supplier<Boolean> body) {
			return body.get();
		}

		@Override
		public String toString() {
			return "busy: " + this.probe.get();
		}

	}

	@DistributedLock(name = "api")
	interface TypedApi {

		boolean ofApi(Supplier<Boolean> body);

	}

	static class TypedStock implements TypedApi {

		@Override
		public boolean ofApi(Supplier<Boolean> body) {
			return body.get();
		}

		public boolean other(Supplier<Boolean> body) {
			return body.get();
		}

	}

}
