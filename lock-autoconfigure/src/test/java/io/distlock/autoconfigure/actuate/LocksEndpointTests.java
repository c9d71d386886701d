package io.distlock.autoconfigure.actuate;

import java.lang.reflect.Proxy;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.LossReason;
import io.distlock.OnBusy;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.leader.LeaderElection;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.operations.LockOperations;
import io.distlock.spi.LockStore;
import io.distlock.spring.event.LockForceReleasedEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** What the endpoint shows and does; its ways over HTTP are tested in the sample. */
class LocksEndpointTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class,
				LockAnnotationAutoConfiguration.class, LocksEndpointAutoConfiguration.class))
		.withUserConfiguration(Shop.class)
		.withPropertyValues("distributed-lock.store=memory", "distributed-lock.locks.stock.wait-time=7s",
				"spring.application.name=shop", "management.endpoints.web.exposure.include=*",
				"spring.jmx.enabled=true", "management.endpoint.locks.access=UNRESTRICTED",
				"management.endpoints.jmx.exposure.include=*");

	@Test
	void showsDefinitionsAndWhereTheirSettingsAreFrom() {
		this.runner.run((context) -> {
			LocksEndpoint.Locks locks = context.getBean(LocksEndpoint.class).locks(null, null, null);
			assertThat(locks.store()).isEqualTo("the memory of this process");
			assertThat(locks.renewalLag()).matches("\\d+(ms|s)");
			assertThat(locks.fleet()).isNull();
			assertThat(locks.definitions()).singleElement().satisfies((definition) -> {
				assertThat(definition.name()).isEqualTo("stock");
				assertThat(definition.keys()).containsExactly("#sku");
				assertThat(definition.method()).contains("Stock.sell");
				assertThat(definition.mode()).isEqualTo("exclusive");
				assertThat(definition.onBusy()).isEqualTo("skip");
				assertThat(definition.settings())
					.containsEntry("wait-time", new LocksEndpoint.Setting("7s", "distributed-lock.locks.stock"))
					.containsEntry("lease-time", new LocksEndpoint.Setting("20s", "annotation"))
					.containsEntry("max-waiters", new LocksEndpoint.Setting("unlimited", "default"))
					.containsEntry("on-lost", new LocksEndpoint.Setting("report", "default"));
			});
		});
	}

	@Test
	void showsWhatIsHeldHereAndInTheStore() {
		this.runner.run((context) -> {
			LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
			try (LockHandle handle = context.getBean(LockTemplate.class).acquire("stock:\u00fc/1\n2")) {
				LocksEndpoint.Locks locks = endpoint.locks("stock:", 10, null);
				assertThat(locks.held()).singleElement().satisfies((held) -> {
					assertThat(held.key()).isEqualTo("stock:\u00fc/1\\n2");
					assertThat(held.kind()).isEqualTo("exclusive");
					assertThat(held.fencingToken()).isEqualTo(String.valueOf(handle.fencingToken()));
					assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
				});
				assertThat(locks.fleet()).isNotNull();
				assertThat(locks.fleet().locks()).hasSize(1);
				LocksEndpoint.Lock lock = endpoint.lock("stock:\u00fc/1\n2");
				assertThat(lock.held()).isTrue();
				assertThat(lock.queue()).isZero();
				assertThat(lock.holders()).singleElement().satisfies((holder) -> {
					assertThat(holder.application()).isEqualTo("shop");
					assertThat(holder.thread()).isEqualTo(Thread.currentThread().getName());
					assertThat(holder.since()).isNotNull();
					assertThat(holder.traceId()).isNull();
				});
			}
			assertThat(endpoint.lock("stock:\u00fc/1\n2").held()).isFalse();
			assertThat(endpoint.locks("", null, null).held()).isEmpty();
		});
	}

	@Test
	void showsLeaderElections() {
		LeaderElection election = LeaderElection.of(LockTemplateBuilder.forStore(new InMemoryLockStore()).build(),
				"customer:4711");
		this.runner.withBean(LockKeySanitizer.class, () -> (key) -> key.replaceAll("\\d", "*"))
			.withBean(LeaderElection.class, () -> election)
			.run((context) -> {
				LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
				assertThat(endpoint.locks(null, null, null).elections())
					.containsExactly(new LocksEndpoint.Election("customer:****", "stopped", null));
				election.start();
				Awaitility.await().until(election::isLeader);
				assertThat(endpoint.locks(null, null, null).elections()).containsExactly(new LocksEndpoint.Election(
						"customer:****", "leader", String.valueOf(election.fencingToken().getAsLong())));
			});
		this.runner
			.run((context) -> assertThat(context.getBean(LocksEndpoint.class).locks(null, null, null).elections())
				.isEmpty());
	}

	@Test
	void masksKeysInAllThatIsShown() {
		this.runner.withBean(LockKeySanitizer.class, () -> (key) -> key.replaceAll("\\d", "*")).run((context) -> {
			LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
			try (LockHandle handle = context.getBean(LockTemplate.class).acquire("customer:4711")) {
				assertThat(endpoint.locks("", null, null).toString()).contains("customer:****").doesNotContain("4711");
				assertThat(endpoint.lock("customer:4711").key()).isEqualTo("customer:****");
				assertThat(endpoint.lock("customer:4711").held()).isTrue();
				assertThat(endpoint.release("test", user("alice"), "customer:4711").key()).isEqualTo("customer:****");
				assertThat(context.getBean(Shop.class).audits.get(0).getAuditEvent().getData()).containsEntry("key",
						"customer:****");
			}
			catch (LockLostException ex) {
				assertThat(ex.reason()).isEqualTo(LossReason.FORCED);
			}
		});
	}

	@Test
	void releaseByForceEndsTheHoldAndNamesWhoAndWhy() {
		this.runner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
			LockHandle handle = template.acquireAsync(LockRequest.of("import"))
				.toCompletableFuture()
				.get(60, TimeUnit.SECONDS);
			LocksEndpoint.Released released = endpoint.release("it\nhangs", user("alice"), "import");
			assertThat(released.by()).isEqualTo("alice");
			assertThat(released.reason()).isEqualTo("it\\nhangs");
			assertThat(released.ended()).hasSize(1);
			Awaitility.await().until(() -> !handle.isHeld());
			assertThat(template.tryAcquire("import")).get().satisfies((next) -> {
				assertThat(next.fencingToken()).isGreaterThan(handle.fencingToken());
				next.close();
			});
			LockLostException loss = catchThrowableOfType(LockLostException.class, handle::ensureHeld);
			assertThat(loss.reason()).isEqualTo(LossReason.FORCED);
			assertThat(loss).hasMessageContaining("the lock was released by force");
			Shop shop = context.getBean(Shop.class);
			assertThat(shop.releases).singleElement()
				.satisfies((event) -> assertThat(event.release().ended()).hasSize(1));
			assertThat(shop.audits).singleElement().satisfies((event) -> {
				assertThat(event.getAuditEvent().getPrincipal()).isEqualTo("alice");
				assertThat(event.getAuditEvent().getType()).isEqualTo("LOCK_FORCE_RELEASE");
				assertThat(event.getAuditEvent().getData())
					.isEqualTo(Map.of("key", "import", "reason", "it\\nhangs", "ended", 1, "waiting", 0));
			});
		});
	}

	@Test
	void refusesWhatMakesNoSense() {
		this.runner.run((context) -> {
			LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.locks("", 0, null))
				.satisfies(
						(ex) -> assertThat(ex.getReason()).contains("'limit' must be between 1 and").contains("was 0"));
			assertThatExceptionOfType(InvalidEndpointRequestException.class).isThrownBy(() -> endpoint.lock(" "))
				.satisfies((ex) -> assertThat(ex.getReason()).contains("The key of the lock is missing"));
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.release(" ", user("alice"), "import"))
				.satisfies((ex) -> assertThat(ex.getReason()).contains("is missing or blank"));
		});
	}

	@Test
	void releasesNothingByForceUnlessAllowed() {
		for (String access : new String[] { "management.endpoint.locks.access=READ_ONLY",
				"management.endpoints.access.max-permitted=READ_ONLY" }) {
			this.runner.withPropertyValues(access).run((context) -> {
				LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
				try (LockHandle handle = context.getBean(LockTemplate.class).acquire("import")) {
					assertThatExceptionOfType(InvalidEndpointRequestException.class)
						.isThrownBy(() -> endpoint.release("test", user("alice"), "import"))
						.satisfies((ex) -> assertThat(ex.getReason()).contains("management.endpoint.locks.access"));
					assertThat(handle.isHeld()).isTrue();
				}
				assertThat(context.getBean(Shop.class).audits).isEmpty();
			});
		}
	}

	@Test
	void saysThatAStoreCannotReleaseByForce() {
		this.runner.withBean(LockOperations.class, LocksEndpointTests::nothing).run((context) -> {
			LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.release("test", user("alice"), "import"))
				.satisfies((ex) -> assertThat(ex.getReason()).contains("this store cannot do it"));
			assertThat(context.getBean(Shop.class).audits).isEmpty();
		});
	}

	/**
	 * As with a lock that moves, whose first store has released it and whose second one
	 * does not answer.
	 */
	@Test
	void publishesAnAuditEventOfAReleaseOfWhichTheOutcomeIsNotKnown() {
		LockException failure = new LockStoreException("customer:4711", "The store did not answer", null);
		this.runner.withBean(LockKeySanitizer.class, () -> (key) -> "customer:****")
			.withBean(LockOperations.class, () -> failing(failure))
			.run((context) -> {
				LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
				assertThatExceptionOfType(LockStoreException.class)
					.isThrownBy(() -> endpoint.release("it hangs", user("alice"), "customer:4711"));
				assertThat(context.getBean(Shop.class).audits).singleElement().satisfies((event) -> {
					assertThat(event.getAuditEvent().getPrincipal()).isEqualTo("alice");
					assertThat(event.getAuditEvent().getType()).isEqualTo("LOCK_FORCE_RELEASE");
					assertThat(event.getAuditEvent().getData()).isEqualTo(
							Map.of("key", "customer:****", "reason", "it hangs", "failure", "LockStoreException"));
				});
			});
	}

	@Test
	void isThereWithOperationsOfTheContextOnly() {
		this.runner.withPropertyValues("management.endpoint.locks.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(LocksEndpoint.class)
				.hasSingleBean(LockOperations.class));
		this.runner.withPropertyValues("distributed-lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LocksEndpoint.class));
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("locksEndpoint"));
	}

	@Test
	void leavesOutWhatTheTemplatesDoNotSay() {
		this.runner.withUserConfiguration(TwoTemplates.class)
			.run((context) -> assertThat(context.getBean(LocksEndpoint.class).locks(null, null, null).renewalLag())
				.isNull());
	}

	private static LockOperations nothing() {
		return failing(new UnsupportedOperationException("this store cannot do it"));
	}

	private static LockOperations failing(RuntimeException failure) {
		return (LockOperations) Proxy.newProxyInstance(LockOperations.class.getClassLoader(),
				new Class<?>[] { LockOperations.class }, (proxy, method, arguments) -> {
					throw failure;
				});
	}

	private static SecurityContext user(String name) {
		return new SecurityContext() {

			@Override
			public Principal getPrincipal() {
				return () -> name;
			}

			@Override
			public boolean isUserInRole(String role) {
				return false;
			}

		};
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoTemplates {

		@Bean
		CloseableLockTemplate one(LockStore store) {
			return LockTemplateBuilder.forStore(store).build();
		}

		@Bean
		CloseableLockTemplate two() {
			return LockTemplateBuilder.forStore(new InMemoryLockStore()).build();
		}

		@Bean
		LockOperations operations(@Qualifier("one") CloseableLockTemplate template) {
			return LockOperations.of(template);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

		final List<LockForceReleasedEvent> releases = new CopyOnWriteArrayList<>();

		final List<AuditApplicationEvent> audits = new CopyOnWriteArrayList<>();

		@Bean
		Stock stock() {
			return new Stock();
		}

		@EventListener
		void on(LockForceReleasedEvent event) {
			this.releases.add(event);
		}

		@EventListener
		void on(AuditApplicationEvent event) {
			this.audits.add(event);
		}

	}

	public static class Stock {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "2s", leaseTime = "20s", onBusy = OnBusy.SKIP)
		public Duration sell(String sku) {
			return Duration.ZERO;
		}

	}

}
