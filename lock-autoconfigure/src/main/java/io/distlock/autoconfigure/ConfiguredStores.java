package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;

import io.distlock.CloseableLockTemplate;
import io.distlock.autoconfigure.LockStoreFactory.CreatedStore;
import io.distlock.autoconfigure.LockStoreFactory.Definition;
import io.distlock.autoconfigure.LockStoreFactory.LeaseLimit;
import io.distlock.spi.Capability;
import io.distlock.spi.LockStore;
import io.distlock.spring.startup.LockStores;
import io.distlock.stores.LockTemplates;
import io.distlock.stores.SeveralStores;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/**
 * Makes the stores that the properties describe. The stores of
 * {@code distributed-lock.stores} are not beans, because an application that injects a
 * {@link LockStore} means the default store. The default store is made at its first use.
 */
public final class ConfiguredStores implements LockStores, SmartInitializingSingleton, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(ConfiguredStores.class);

	private static final Pattern PLAIN_ID = Pattern.compile("[A-Za-z0-9_-]+");

	private static final String PUNCTUATION = "[^\\p{Alnum}]";

	/**
	 * A concurrent map, because any thread may make the default store while health checks
	 * the others.
	 */
	private final Map<String, CreatedStore> stores = new ConcurrentSkipListMap<>();

	private final LockProperties properties;

	private final StoreTypes types;

	private final Binder binder;

	private final DefaultStore defaultStore;

	private final Duration leaseTime;

	private final AtomicBoolean started = new AtomicBoolean();

	/**
	 * Makes the further stores without starting them.
	 * @param properties has the stores, and the locks of each store
	 * @param types make the stores
	 * @param binder has the properties of each store
	 * @param defaultStore the default store, if the application declares it
	 * @param leaseTime the lease time of the settings, which may differ from the property
	 */
	ConfiguredStores(LockProperties properties, StoreTypes types, Binder binder, DefaultStore defaultStore,
			Duration leaseTime) {
		this.properties = properties;
		this.types = types;
		this.binder = binder;
		this.defaultStore = defaultStore;
		this.leaseTime = leaseTime;
		types.check(LockProperties.PREFIX + ".store", properties.store());
		checkIds();
		checkRoutes();
		try {
			properties.stores().forEach((id, store) -> {
				// Spring Boot writes the key of a map in this form.
				String path = LockProperties.PREFIX
						+ (PLAIN_ID.matcher(id).matches() ? ".stores." + id : ".stores[" + id + "]") + ".";
				LockStoreFactory factory = types.of(path + "type", Objects.requireNonNull(store.type()));
				add(new Definition(id, path, binder), factory);
			});
			checkOrder();
		}
		catch (RuntimeException | Error ex) {
			// This creates no bean, so the context will destroy none.
			destroy();
			throw ex;
		}
	}

	private void checkIds() {
		Set<String> ids = this.binder
			.bind(LockProperties.PREFIX + ".stores", Bindable.mapOf(String.class, Object.class))
			.map(Map::keySet)
			.orElse(Set.of());
		ids.forEach((id) -> {
			String path = LockProperties.PREFIX + ".stores." + ForeignText.of(id);
			if (id.equals(LockTemplates.DEFAULT)) {
				throw new LockConfigurationException(
						"The property " + path + " has the id of the store that distributed-lock.store chooses.",
						"Give the store another id, or configure the default store with distributed-lock.redis.* and the "
								+ "like.");
			}
			LockProperties.Store store = this.properties.stores().get(id);
			if (store == null || store.type() == null) {
				throw new LockConfigurationException(
						"The property " + path
								+ ".type is not set, so it is open where the locks of this store are kept.",
						"Set it to one of: " + this.types.names() + ".");
			}
			this.types.check(path + ".type", store.type());
		});
	}

	private void checkRoutes() {
		Set<String> known = new TreeSet<>(this.properties.stores().keySet());
		known.add(LockTemplates.DEFAULT);
		this.properties.routes().forEach((name, chosen) -> {
			String property = "The property distributed-lock.locks." + ForeignText.of(name) + ".store ";
			for (String id : chosen) {
				if (!known.contains(id)) {
					throw new LockConfigurationException(
							property + "is '" + ForeignText.of(id) + "', but there is no store of this id.",
							"Known are: " + String.join(", ", known)
									+ ". Configure the store with distributed-lock.stores." + ForeignText.of(id)
									+ ".type, or correct the id.");
				}
			}
			if (chosen.size() > 2 || new HashSet<>(chosen).size() < chosen.size()) {
				throw new LockConfigurationException(property + "is " + String.join(", ", chosen)
						+ ", but a lock is in one store, or in two while it moves from the first to the second.",
						"Name one store, or two different ones.");
			}
		});
	}

	/**
	 * Refuses a lock in two stores whose tokens would be those of a store without any.
	 */
	private void checkOrder() {
		this.properties.routes().forEach((name, chosen) -> {
			CreatedStore first = this.stores.get(chosen.get(0));
			if (chosen.size() > 1 && first != null && first.store().unsupported().contains(Capability.TOKENS)) {
				throw new LockConfigurationException(
						"The property distributed-lock.locks." + ForeignText.of(name) + ".store is "
								+ String.join(", ", chosen) + ", but fencing tokens are those of the first store, and "
								+ Capability.TOKENS.lackedBy(first.store()) + ".",
						"Name this store last, in all applications that share the lock.");
			}
		});
	}

	private CreatedStore add(Definition definition, LockStoreFactory factory) {
		CreatedStore created = factory.create(definition);
		if (!definition.id().equals(LockTemplates.DEFAULT)) {
			created = created.checkedBy(created.check().ofStore(definition.id()));
		}
		this.stores.put(definition.id(), created);
		if (created.limit().isPresent()) {
			checkLeases(definition.id(), created.limit().get());
		}
		return created;
	}

	/**
	 * Refuses leases that are longer than the quarantine, because such a lock could be
	 * granted a second time.
	 */
	private void checkLeases(String id, LeaseLimit limit) {
		checkLease(limit, this.leaseTime.equals(this.properties.leaseTime()) ? "distributed-lock.lease-time"
				: "the lease time of the LockSettings", this.leaseTime);
		this.properties.locks().forEach((name, lock) -> {
			if (route(name).contains(id)) {
				checkLease(limit, "distributed-lock.locks." + name + ".lease-time", lock.leaseTime());
				checkLease(limit, "distributed-lock.locks." + name + ".min-hold", lock.minHold());
			}
		});
	}

	private static void checkLease(LeaseLimit limit, String what, @Nullable Duration lease) {
		if (lease != null && lease.compareTo(limit.longest()) > 0) {
			String longest = DurationText.of(lease);
			throw new LockConfigurationException(
					"The property " + limit.property() + " is " + DurationText.of(limit.longest())
							+ " but must be at least the longest lease, and " + what + " is " + longest + ".",
					"Raise it to " + longest + " or more, or shorten the lease.");
		}
	}

	/**
	 * Makes the default store once. If the startup is over, as with lazy initialization,
	 * this method also checks the store.
	 * @return the store
	 */
	LockStore makeDefault() {
		CreatedStore made = this.stores.get(LockTemplates.DEFAULT);
		if (made == null) {
			made = add(new Definition(LockTemplates.DEFAULT, Definition.DEFAULT_PATH, this.binder),
					this.types.choose(this.properties.store()));
		}
		if (this.started.get()) {
			made.check().run();
		}
		return made.store();
	}

	/**
	 * Creates the template of all stores.
	 * @param engine creates the template of one store, by its id
	 * @return a template that starts all stores
	 */
	CloseableLockTemplate template(BiFunction<String, LockStore, CloseableLockTemplate> engine) {
		LockStore first = this.defaultStore.require();
		CloseableLockTemplate template = engine.apply(LockTemplates.DEFAULT, first);
		if (this.properties.stores().isEmpty()) {
			return template;
		}
		Map<String, CloseableLockTemplate> templates = new LinkedHashMap<>();
		templates.put(LockTemplates.DEFAULT, template);
		try {
			this.properties.stores()
				.keySet()
				.forEach((id) -> templates.put(id,
						engine.apply(id, Objects.requireNonNull(this.stores.get(id)).store())));
			return new SeveralStores(templates, this.properties.routes(), places(first), this.properties.waitTime());
		}
		catch (RuntimeException | Error ex) {
			templates.values().forEach(CloseableLockTemplate::close);
			throw ex;
		}
	}

	/**
	 * Returns the stores of the longest matching route. Some keys may have a longer
	 * route.
	 */
	private Set<String> ids(String name) {
		Set<String> ids = new LinkedHashSet<>(route(name));
		this.properties.routes().forEach((route, further) -> {
			if (!name.isEmpty() && route.startsWith(name + ":")) {
				ids.addAll(further);
			}
		});
		return ids;
	}

	@Override
	public List<LockStore> of(String name) {
		List<LockStore> found = new ArrayList<>();
		for (String id : ids(name)) {
			CreatedStore created = this.stores.get(id);
			Optional.ofNullable(created).map(CreatedStore::store).or(this.defaultStore::find).ifPresent(found::add);
		}
		return found;
	}

	@Override
	public Optional<Duration> longestLease(String name) {
		return ids(name).stream()
			.map(this.stores::get)
			.filter(Objects::nonNull)
			.flatMap((created) -> created.limit().stream())
			.map(LeaseLimit::longest)
			.min(Comparator.naturalOrder());
	}

	@Override
	public Optional<String> misspelt(String name) {
		boolean chosen = this.properties.routes()
			.keySet()
			.stream()
			.anyMatch((route) -> name.equals(route) || name.startsWith(route + ":"));
		return chosen ? Optional.empty()
				: this.properties.routes().keySet().stream().filter((route) -> looksLike(route, name)).findFirst();
	}

	private static boolean looksLike(String route, String name) {
		return route.replaceAll(PUNCTUATION, "").equalsIgnoreCase(name.replaceAll(PUNCTUATION, ""));
	}

	private List<String> route(String name) {
		Map<String, List<String>> routes = this.properties.routes();
		return routes.keySet()
			.stream()
			.filter((route) -> name.equals(route) || name.startsWith(route + ":"))
			.max(Comparator.comparingInt(String::length))
			.map(routes::get)
			.orElse(List.of(LockTemplates.DEFAULT));
	}

	/**
	 * Returns the id of the store of locks with this name. While the locks move, this is
	 * the first store.
	 */
	String idOf(String name) {
		return route(name).get(0);
	}

	/**
	 * Returns a store.
	 * @param id the id of the store
	 * @return the store, empty if no properties describe it, or if it was not used
	 */
	public Optional<CreatedStore> get(String id) {
		return Optional.ofNullable(this.stores.get(id));
	}

	/**
	 * Returns the servers without which a store goes on at the moment. Does not ask them.
	 * @param id the id of the store
	 * @return one text for each lost server; empty if this has no store of that id, or if
	 * it was not used
	 */
	public Optional<List<String>> lostNodes(String id) {
		return get(id).map(CreatedStore::store)
			.or(() -> id.equals(LockTemplates.DEFAULT) ? this.defaultStore.find() : Optional.empty())
			.map(LockStore::lostNodes);
	}

	/** Describes the stores and their locks for people. */
	private Map<String, String> places(LockStore first) {
		Map<String, String> places = new LinkedHashMap<>();
		places.put(LockTemplates.DEFAULT, first.describe());
		this.properties.stores().keySet().forEach((id) -> {
			List<String> names = new TreeMap<>(this.properties.routes()).entrySet()
				.stream()
				.filter((route) -> route.getValue().contains(id))
				.map((route) -> ForeignText.of(route.getKey())
						+ ((route.getValue().size() > 1) ? " in " + String.join(" and ", route.getValue()) : ""))
				.toList();
			places.put(id, Objects.requireNonNull(this.stores.get(id)).store().describe()
					+ (names.isEmpty() ? "" : " for " + String.join(", ", names)));
		});
		return places;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.started.set(true);
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
