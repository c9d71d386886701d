package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import io.distlock.memory.InMemoryLockStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ConfiguredStoresTests {

	private final AtomicInteger open = new AtomicInteger();

	private ConfiguredStores stores(Map<String, String> values) {
		Binder binder = new Binder(new MapConfigurationPropertySource(values));
		return new ConfiguredStores(binder.bind("distributed-lock", LockProperties.class).get(),
				new StoreTypes(List.of(new Redis(this.open), new WrongDatabase())), binder,
				new DefaultStore(new DefaultListableBeanFactory()), Duration.ofSeconds(30));
	}

	@Test
	void connectionsAreClosedWithTheStores() {
		ConfiguredStores stores = stores(Map.of("distributed-lock.stores.a.type", "redis"));
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

	/** Ids are keys of a map, so they may have any case. */
	@ParameterizedTest
	@ValueSource(strings = { ".auditLog", ".audit-log", ".AUDIT_LOG", "[audit.log]", "[audit log]" })
	void propertiesOfAStoreAreThoseOfItsId(String id) {
		AtomicReference<Properties> found = new AtomicReference<>();
		Map<String, String> values = Map.of("distributed-lock.stores" + id + ".type", "file",
				"distributed-lock.stores" + id + ".file.folder", "audit", "distributed-lock.stores.other-log.type",
				"memory");
		Binder binder = new Binder(new MapConfigurationPropertySource(values));
		new ConfiguredStores(binder.bind("distributed-lock", LockProperties.class).get(),
				new StoreTypes(List.of(new FileFactory(found))), binder,
				new DefaultStore(new DefaultListableBeanFactory()), Duration.ofSeconds(30));
		assertThat(found.get()).isEqualTo(new Properties("audit"));
	}

	record Properties(String folder) {
	}

	private record FileFactory(AtomicReference<Properties> found) implements LockStoreFactory {

		@Override
		public String type() {
			return "file";
		}

		@Override
		public CreatedStore create(Definition definition) {
			this.found.set(definition.bind("file", Properties.class));
			return new CreatedStore(new InMemoryLockStore());
		}

	}

	private record Redis(AtomicInteger open) implements LockStoreFactory {

		@Override
		public String type() {
			return "redis";
		}

		@Override
		public CreatedStore create(Definition definition) {
			this.open.incrementAndGet();
			return new CreatedStore(new InMemoryLockStore()).closing(this.open::decrementAndGet);
		}

	}

	private record WrongDatabase() implements LockStoreFactory {

		@Override
		public String type() {
			return "jdbc";
		}

		@Override
		public CreatedStore create(Definition definition) {
			throw new LockConfigurationException("There is no DataSource bean.", "Declare one.");
		}

	}

}
