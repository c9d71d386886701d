package io.distlock.autoconfigure.leader;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.context.support.GenericApplicationContext;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.leader.LeaderElection;
import io.distlock.leader.LeaderElection.State;
import io.distlock.spring.event.LeaderGrantedEvent;
import io.distlock.spring.event.LeaderRevokedEvent;

import static org.assertj.core.api.Assertions.assertThat;

/** Elections start and stop with their context, and its listeners are notified. */
class LeaderElectionAutoConfigurationTests {

	private final ApplicationContextRunner empty = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withPropertyValues("distributed-lock.store=memory");

	private final ApplicationContextRunner runner = this.empty.withUserConfiguration(Candidates.class);

	@Test
	void electionIsStartedWithTheContextAndStoppedBeforeTheTemplate() {
		List<Object> events = new ArrayList<>();
		this.runner.run((context) -> {
			LeaderElection election = context.getBean("indexer", LeaderElection.class);
			Diary diary = context.getBean(Diary.class);
			Awaitility.await().until(() -> diary.events.size() == 2);
			long token = election.fencingToken().getAsLong();
			assertThat(diary.events).contains(new LeaderGrantedEvent("indexer", token));
			context.getSourceApplicationContext().stop();
			assertThat(election.state()).isEqualTo(State.STOPPED);
			assertThat(diary.events).hasSize(4).contains(new LeaderRevokedEvent("indexer", token));
			// The template still worked, and the lock was not released yet.
			assertThat(diary.heldAtRevocation).containsOnly(true);
			context.getSourceApplicationContext().start();
			Awaitility.await().until(election::isLeader);
			Awaitility.await().until(() -> diary.events.size() == 6);
			context.getSourceApplicationContext().close();
			assertThat(election.state()).isEqualTo(State.STOPPED);
			events.addAll(diary.events);
		});
		assertThat(events).hasSize(8);
	}

	@Test
	void electionWhenBeansAreLazyThenStartedNevertheless() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> Awaitility.await()
				.until(() -> context.getBean("indexer", LeaderElection.class).isLeader()));
	}

	@Test
	void electionOfAParentContextIsNotStoppedWithItsChild() {
		this.runner.run((parent) -> {
			LeaderElection election = parent.getBean("indexer", LeaderElection.class);
			Awaitility.await().until(election::isLeader);
			this.empty.withParent(parent)
				.run((child) -> assertThat(child.getBeanFactory().getBeanNamesForType(LeaderElectionLifecycle.class))
					.isEmpty());
			assertThat(election.isLeader()).isTrue();
		});
	}

	@Test
	void contextWithoutElectionsHasNothingOfThem() {
		this.empty.run((context) -> assertThat(context).doesNotHaveBean(LeaderElectionLifecycle.class));
	}

	@Test
	void contextWhenACallbackHangsThenClosesAfterTheTimeoutOfItsPhase() {
		// The first count is for the callback that was granted.
		CountDownLatch hanging = new CountDownLatch(2);
		this.empty
			.withInitializer((context) -> ((GenericApplicationContext) context).getDefaultListableBeanFactory()
				.registerSingleton("hangs", hanging))
			.withUserConfiguration(Hanging.class)
			.withPropertyValues("distributed-lock.shutdown-timeout=1ms")
			.withBean("lifecycleProcessor", DefaultLifecycleProcessor.class, () -> {
				var processor = new DefaultLifecycleProcessor();
				processor.setTimeoutPerShutdownPhase(1);
				return processor;
			})
			.run((context) -> {
				LeaderElection election = context.getBean(LeaderElection.class);
				Awaitility.await().until(() -> hanging.getCount() == 1);
				context.getSourceApplicationContext().close();
				assertThat(election.isLeader()).isFalse();
				assertThat(election.state()).isEqualTo(State.REVOKING);
				hanging.countDown();
				Awaitility.await().until(() -> election.state() == State.STOPPED);
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class Candidates {

		@Bean
		LeaderElection indexer(LockTemplate locks) {
			return LeaderElection.of(locks, "indexer");
		}

		@Bean
		LeaderElection mailer(LockTemplate locks) {
			return LeaderElection.of(locks, "mailer");
		}

		@Bean
		Diary diary(LockTemplate locks) {
			return new Diary(locks);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Hanging {

		@Bean
		LeaderElection indexer(LockTemplate locks, CountDownLatch hangs) {
			return LeaderElection.of(locks, "indexer").onGranted((token) -> hangs.countDown()).onRevoked((token) -> {
				try {
					hangs.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			});
		}

	}

	static class Diary {

		final List<Object> events = Collections.synchronizedList(new ArrayList<>());

		final List<Boolean> heldAtRevocation = Collections.synchronizedList(new ArrayList<>());

		private final LockTemplate locks;

		Diary(LockTemplate locks) {
			this.locks = locks;
		}

		@EventListener
		void granted(LeaderGrantedEvent event) {
			this.events.add(event);
		}

		@EventListener
		void revoked(LeaderRevokedEvent event) {
			this.heldAtRevocation.add(this.locks.isLocked("leader:" + event.election()));
			this.events.add(event);
		}

	}

}
