package io.distlock.aspectj;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import reactor.core.publisher.Mono;

import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.aspectj.WovenBeans.Application;
import io.distlock.aspectj.WovenBeans.Late;
import io.distlock.aspectj.WovenBeans.Ledger;
import io.distlock.aspectj.WovenBeans.Stock;
import io.distlock.aspectj.WovenBeans.TransactionalApplication;
import io.distlock.autoconfigure.LockApplications;

import static io.distlock.aspectj.WovenBeans.textOf;

/** Runs in a JVM of its own and prints what came of each scenario. */
final class WovenScenarios {

	private static final String PREFIX = "scenario ";

	private final Map<String, Supplier<Object>> all = new LinkedHashMap<>();

	private WovenScenarios() {
		this.all.put("beforeTheContext", () -> textOf(new Stock()::callPrivate));
		this.all.put("selfInvocation", () -> with((app) -> app.getBean(Stock.class).deduct("a")));
		this.all.put("privateMethod", () -> with((app) -> app.getBean(Stock.class).callPrivate()));
		this.all.put("finalMethod", () -> with((app) -> new Stock().unchangeable()));
		this.all.put("finalClass", () -> with((app) -> app.getBean(WovenBeans.FinalStock.class).run()));
		this.all.put("throughTheProxy", () -> with((app) -> WovenBeans.isProxy(app.getBean(Stock.class)) + " "
				+ app.getBean(Stock.class).lockedDeduct("a")));
		this.all.put("nestedSelfInvocation", () -> with((app) -> app.getBean(Stock.class).deductTwo("a", "b")));
		this.all.put("recursion", () -> with((app) -> app.getBean(Stock.class).recursive("a", "b")));
		this.all.put("adviceThatProceedsTwice",
				() -> with((app) -> app.getBean(Stock.class).retried(new ArrayList<>())));
		this.all.put("fencingToken", () -> with((app) -> app.getBean(Stock.class).callWithToken()));
		this.all.put("classLevel", () -> with((app) -> {
			WovenBeans.Shelf shelf = new WovenBeans.Shelf();
			return List.of(shelf.any(), shelf.self().size(), shelf.hidden(), shelf.toString());
		}));
		this.all.put("metaAnnotations", () -> with((app) -> app.getBean(WovenBeans.Metas.class).all()));
		this.all.put("busy", () -> with(WovenScenarios::busy));
		this.all.put("stage", () -> with((app) -> untilDone(app, "stage:a", app.getBean(Late.class)::callStage)));
		this.all.put("stageThroughTheProxy", () -> with(
				(app) -> untilDone(app, "stage:a", (work) -> app.getBean(Late.class).publicStage("a", work))));
		this.all.put("stageWithOtherAspect", () -> with((app) -> counted(
				() -> untilDone(app, "stage:a", (work) -> app.getBean(Late.class).counted("a", work)))));
		this.all.put("mono", () -> with(
				(app) -> untilDone(app, "mono:a", (work) -> app.getBean(Late.class).callMono(work).toFuture())));
		this.all.put("monoSubscribedTwice", () -> with((app) -> {
			Mono<String> mono = app.getBean(Late.class).callMono(CompletableFuture.completedFuture("done"));
			return mono.block() + ", " + mono.block();
		}));
		this.all.put("fluxWithOtherAspect", () -> with((app) -> counted(() -> untilDone(app, "flux:a",
				(work) -> app.getBean(Late.class).flux("a", work).collectList().map(List::toString).toFuture()))));
		this.all.put("skipAndFallback", () -> with((app) -> {
			try (LockHandle held = hold(app)) {
				return app.getBean(Late.class).refused();
			}
		}));
		this.all.put("semaphore", () -> with((app) -> app.getBean(Late.class).permits()));
		this.all.put("transaction", () -> {
			try (ConfigurableApplicationContext app = start(TransactionalApplication.class, "advice-mode=aspectj")) {
				Ledger ledger = app.getBean(Ledger.class);
				return ledger.write() + " " + ledger.atBegin();
			}
		});
		this.all.put("twoContexts", WovenScenarios::twoContexts);
		this.all.put("afterTheContext", () -> textOf(new Stock()::callPrivate));
		this.all.put("disabled", () -> {
			try (ConfigurableApplicationContext app = start(Application.class, "advice-mode=aspectj",
					"enabled=false")) {
				return app.getBean(Stock.class).deduct("a");
			}
		});
		this.all.put("proxyMode", () -> {
			try (ConfigurableApplicationContext app = start(WovenBeans.FinalStock.class, "advice-mode=proxy")) {
				return "started";
			}
			catch (RuntimeException ex) {
				return textOf(() -> {
					throw ex;
				}) + " / " + textOf(new Stock()::callPrivate);
			}
		});
		this.all.put("annotationOnAnInterface", () -> refused(WovenBeans.ApiBean.class));
		this.all.put("asyncInside", () -> refused(WovenBeans.AsyncApplication.class));
		this.all.put("staticMethod", () -> refused(WovenBeans.StaticBean.class));
		this.all.put("start", () -> with((app) -> "started"));
	}

	public static void main(String... names) {
		WovenScenarios scenarios = new WovenScenarios();
		for (String name : names.length > 0 ? List.of(names) : scenarios.all.keySet()) {
			System.out.println(PREFIX + name + ": " + textOf(scenarios.all.get(name)).replace('\n', ' '));
		}
		System.exit(0);
	}

	static Map<String, String> outcomes(List<String> lines) {
		Map<String, String> outcomes = new LinkedHashMap<>();
		for (String line : lines) {
			if (line.startsWith(PREFIX)) {
				int colon = line.indexOf(": ");
				outcomes.put(line.substring(PREFIX.length(), colon), line.substring(colon + 2));
			}
		}
		return outcomes;
	}

	private static ConfigurableApplicationContext start(Class<?> application, String... properties) {
		List<String> all = new ArrayList<>(List.of("distributed-lock.store=memory"));
		for (String property : properties) {
			all.add("distributed-lock." + property);
		}
		return LockApplications.start(application, all.toArray(String[]::new));
	}

	private static Object with(Function<ConfigurableApplicationContext, Object> body) {
		try (ConfigurableApplicationContext app = start(Application.class, "advice-mode=aspectj")) {
			return body.apply(app);
		}
	}

	/** The result, and whether the lock was taken until it was there. */
	private static String untilDone(ConfigurableApplicationContext app, String key,
			Function<CompletableFuture<String>, CompletableFuture<String>> method) {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<String> result = method.apply(work);
		LockTemplate locks = app.getBean(LockTemplate.class);
		await(() -> isBusy(locks, key) || result.isDone());
		boolean busy = isBusy(locks, key);
		work.complete("done");
		return result.join() + ", busy " + busy + " then " + isBusy(locks, key);
	}

	private static void await(BooleanSupplier condition) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition::getAsBoolean);
	}

	/** Nested acquisitions are for threads, so this asks as somebody else. */
	private static boolean isBusy(LockTemplate locks, String key) {
		try {
			locks.acquireAsync(LockRequest.of(key).waitAtMost(Duration.ZERO)).toCompletableFuture().join().close();
			return false;
		}
		catch (CompletionException ex) {
			return true;
		}
	}

	private static String counted(Supplier<String> calls) {
		CountingAspect.CALLS.set(0);
		return calls.get() + ", counted " + CountingAspect.CALLS.get();
	}

	private static LockHandle hold(ConfigurableApplicationContext app) {
		return app.getBean(LockTemplate.class).acquireAsync(LockRequest.of("wait")).toCompletableFuture().join();
	}

	private static Object busy(ConfigurableApplicationContext app) {
		try (LockHandle held = hold(app)) {
			String text = textOf(app.getBean(Stock.class)::callImpatient);
			return text.substring(0, text.indexOf(';'));
		}
	}

	/** Each with a store of its own: it can be seen whose lock was taken. */
	private static Object twoContexts() {
		try (ConfigurableApplicationContext first = start(Application.class, "advice-mode=aspectj");
				ConfigurableApplicationContext second = start(Application.class, "advice-mode=aspectj");
				LockHandle held = hold(first)) {
			String busy = textOf(first.getBean(Stock.class)::callImpatient);
			return busy.substring(0, busy.indexOf(':')) + ", " + textOf(second.getBean(Stock.class)::callImpatient)
					+ ", " + textOf(new Stock()::callImpatient);
		}
	}

	private static Object refused(Class<?> bean) {
		try (ConfigurableApplicationContext app = start(bean, "advice-mode=aspectj")) {
			return "started";
		}
	}

}
