package io.distlock.docs;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.leader.LeaderElection;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.spring.event.LeaderGrantedEvent;
import io.distlock.spring.event.LeaderRevokedEvent;

import static org.assertj.core.api.Assertions.assertThat;

/** Two instances of an application, one of which leads. */
class LeaderElectionExampleTests {

	private static final InMemoryLockServer SERVER = new InMemoryLockServer();

	@Test
	void jobRunsOnTheLeaderOnly() {
		ConfigurableApplicationContext first = LockApplications.start(Application.class);
		ConfigurableApplicationContext second = LockApplications.start(Application.class);
		try {
			Awaitility.await().until(() -> first.getBean(Index.class).added.get() > 2);
			assertThat(first.getBean(Index.class).open).isTrue();
			assertThat(second.getBean(Index.class).added).hasValue(0);
			Index closed = first.getBean(Index.class);
			first.close();
			Awaitility.await().until(() -> second.getBean(Index.class).added.get() > 2);
			assertThat(closed.open).isFalse();
			assertThat(second.getBean(Index.class).open).isTrue();
		}
		finally {
			first.close();
			second.close();
		}
	}

	@Test
	void plainProgramLeadsAndStops() {
		AtomicInteger opened = new AtomicInteger();
		// tag::plain[]
		try (var locks = LockTemplateBuilder.forStore(store()).build();
				var election = LeaderElection.of(locks, "indexer")) {
			election.onGranted((token) -> opened.incrementAndGet());
			election.onRevoked((token) -> opened.decrementAndGet());
			election.start();
			// end::plain[]
			Awaitility.await().untilAsserted(() -> assertThat(opened).hasValue(1));
		}
		assertThat(opened).hasValue(0);
	}

	private static LockStore store() {
		return new InMemoryLockStore();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Application {

		@Bean
		LockStore lockStore() {
			return new InMemoryLockStore(SERVER);
		}

		// tag::bean[]
		@Bean
		LeaderElection indexerElection(LockTemplate locks, Index index) {
			return LeaderElection.of(locks, "indexer")
				.onGranted((token) -> index.open(token))
				.onRevoked((token) -> index.close());
		}
		// end::bean[]

		@Bean
		Index index() {
			return new Index();
		}

		@Bean
		Indexer indexer(LeaderElection election, Index index) {
			return new Indexer(election, index);
		}

	}

	static class Index {

		private final AtomicInteger added = new AtomicInteger();

		private volatile boolean open;

		void open(long token) {
			this.open = token > 0;
		}

		void close() {
			this.open = false;
		}

		void add(String what, long token) {
			assertThat(token).as(what).isPositive();
			this.added.incrementAndGet();
		}

	}

	static class Indexer {

		private final LeaderElection election;

		private final Index index;

		Indexer(LeaderElection election, Index index) {
			this.election = election;
			this.index = index;
		}

		// tag::job[]
		@Scheduled(fixedDelay = 50)
		void indexNews() {
			OptionalLong token = this.election.fencingToken();
			if (token.isPresent()) {
				this.index.add("news", token.getAsLong());
			}
		}

		@EventListener
		void granted(LeaderGrantedEvent event) {
			// event.election(), event.fencingToken()
		}

		@EventListener
		void revoked(LeaderRevokedEvent event) {
			// ...
		}
		// end::job[]

	}

}
