package io.distlock.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NamedStoresTests {

	private final AtomicInteger open = new AtomicInteger();

	private static LockProperties properties(Map<String, String> values) {
		return new Binder(new MapConfigurationPropertySource(values)).bind("distributed-lock", LockProperties.class)
			.get();
	}

	private NamedStores stores(Map<String, String> values) {
		return new NamedStores(properties(values), List.of(new Redis(this.open), new WrongDatabase()),
				new DefaultListableBeanFactory().getBeanProvider(LockStore.class));
	}

	@Test
	void connectionsAreClosedWithTheStores() {
		NamedStores stores = stores(Map.of("distributed-lock.stores.a.type", "redis"));
		assertThat(this.open).hasValue(1);
		stores.destroy();
		assertThat(this.open).hasValue(0);
	}

	@Test
	void connectionsOfTheOthersAreClosedIfOneStoreCannotBeMade() {
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> stores(
				Map.of("distributed-lock.stores.a.type", "redis", "distributed-lock.stores.b.type", "jdbc")));
		assertThat(this.open).hasValue(0);
	}

	private record Redis(AtomicInteger open) implements LockStoreFactory {

		@Override
		public StoreType type() {
			return StoreType.REDIS;
		}

		@Override
		public CreatedStore create(String path, Store properties) {
			this.open.incrementAndGet();
			return new CreatedStore(new InMemoryLockStore(), StoreCheck.none(), this.open::decrementAndGet);
		}

	}

	private record WrongDatabase() implements LockStoreFactory {

		@Override
		public StoreType type() {
			return StoreType.JDBC;
		}

		@Override
		public CreatedStore create(String path, Store properties) {
			throw new LockConfigurationException("There is no DataSource bean.", "Declare one.");
		}

	}

}
