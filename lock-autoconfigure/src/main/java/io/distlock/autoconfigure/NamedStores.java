package io.distlock.autoconfigure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.CloseableLockTemplate;
import io.distlock.autoconfigure.LockProperties.Store;
import io.distlock.autoconfigure.LockProperties.StoreType;
import io.distlock.autoconfigure.LockStoreFactory.CreatedStore;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.spring.startup.LockStores;
import io.distlock.stores.LockTemplates;
import io.distlock.stores.SeveralStores;
import io.distlock.support.ForeignText;

/**
 * The stores of {@code distributed-lock.stores}. They are no beans of their own: an
 * application that injects a {@link LockStore} means the default one.
 */
public final class NamedStores implements LockStores, SmartInitializingSingleton, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(NamedStores.class);

	private final Map<String, CreatedStore> stores = new LinkedHashMap<>();

	private final LockProperties properties;

	private final ObjectProvider<LockStore> others;

	/**
	 * Makes all stores, which are not started yet.
	 * @param properties has the stores and which locks are in them
	 * @param factories make the stores whose modules are on the class path
	 * @param others has the default store
	 */
	NamedStores(LockProperties properties, List<LockStoreFactory> factories, ObjectProvider<LockStore> others) {
		this.others = others;
		this.properties = properties;
		try {
			properties.stores().forEach((id, store) -> this.stores.put(id, create(id, store, factories)));
		}
		catch (RuntimeException | Error ex) {
			// No bean is created, so the context destroys none.
			destroy();
			throw ex;
		}
	}

	private static CreatedStore create(String id, Store store, List<LockStoreFactory> factories) {
		String path = LockProperties.PREFIX + ".stores." + id + ".";
		if (store.type() == StoreType.MEMORY) {
			return new CreatedStore(new InMemoryLockStore(), StoreCheck.none());
		}
		CreatedStore created = factories.stream()
			.filter((factory) -> factory.type() == store.type())
			.findFirst()
			.orElseThrow(() -> new LockConfigurationException(
					"The property " + path + "type is " + String.valueOf(store.type()).toLowerCase(Locale.ROOT)
							+ ", but the module of this store, or what it needs, is not on the class path.",
					"Add lock-redis, lock-redlock, lock-jdbc or lock-zookeeper, with the client or driver that it needs."))
			.create(path, store);
		return new CreatedStore(created.store(), created.check().ofStore(id), created.connections());
	}

	/**
	 * Creates the template of all stores.
	 * @param others the default store
	 * @param engine creates the template of one store, by its id
	 * @return a template that starts all stores
	 */
	CloseableLockTemplate template(LockStore others, BiFunction<String, LockStore, CloseableLockTemplate> engine) {
		CloseableLockTemplate template = engine.apply(LockTemplates.DEFAULT, others);
		if (this.stores.isEmpty()) {
			return template;
		}
		Map<String, CloseableLockTemplate> templates = new LinkedHashMap<>();
		templates.put(LockTemplates.DEFAULT, template);
		try {
			this.stores.forEach((id, created) -> templates.put(id, engine.apply(id, created.store())));
			return new SeveralStores(templates, this.properties.routes(), places(others), this.properties.waitTime());
		}
		catch (RuntimeException | Error ex) {
			templates.values().forEach(CloseableLockTemplate::close);
			throw ex;
		}
	}

	/** The longest route that fits counts, and some keys may have a longer one. */
	@Override
	public List<LockStore> of(String name) {
		Map<String, List<String>> routes = this.properties.routes();
		Set<String> ids = new LinkedHashSet<>(route(routes, name));
		routes.forEach((route, further) -> {
			if (!name.isEmpty() && route.startsWith(name + ":")) {
				ids.addAll(further);
			}
		});
		List<LockStore> stores = new ArrayList<>();
		for (String id : ids) {
			CreatedStore created = this.stores.get(id);
			LockStore store = (created != null) ? created.store() : this.others.stream().findFirst().orElse(null);
			if (store != null) {
				stores.add(store);
			}
		}
		return stores;
	}

	private static List<String> route(Map<String, List<String>> routes, String name) {
		return routes.keySet()
			.stream()
			.filter((route) -> name.equals(route) || name.startsWith(route + ":"))
			.max(Comparator.comparingInt(String::length))
			.map(routes::get)
			.orElse(List.of(LockTemplates.DEFAULT));
	}

	/** The id of the store of locks with this name, the first one while they move. */
	String idOf(String name) {
		return route(this.properties.routes(), name).get(0);
	}

	/**
	 * Returns the check of a store.
	 * @param id its id
	 * @return the check, empty if no store of this configuration has the id
	 */
	public Optional<StoreCheck> check(String id) {
		return Optional.ofNullable(this.stores.get(id)).map(CreatedStore::check);
	}

	/** Where the stores are, and which locks are in them, for people. */
	private Map<String, String> places(LockStore others) {
		Map<String, String> places = new LinkedHashMap<>();
		places.put(LockTemplates.DEFAULT, others.describe());
		this.stores.forEach((id, created) -> {
			List<String> names = new TreeMap<>(this.properties.routes()).entrySet()
				.stream()
				.filter((route) -> route.getValue().contains(id))
				.map((route) -> ForeignText.of(route.getKey())
						+ ((route.getValue().size() > 1) ? " in " + String.join(" and ", route.getValue()) : ""))
				.toList();
			places.put(id, created.store().describe() + (names.isEmpty() ? "" : " for " + String.join(", ", names)));
		});
		return places;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.stores.values().forEach((created) -> created.check().run());
	}

	@Override
	public void destroy() {
		this.stores.forEach((id, created) -> {
			try {
				created.connections().close();
			}
			catch (Exception ex) {
				logger.warn("The connections of lock store '{}' could not be closed: {}", id,
						ForeignText.messageOf(ex));
			}
		});
	}

}
