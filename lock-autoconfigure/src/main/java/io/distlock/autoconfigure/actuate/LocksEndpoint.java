package io.distlock.autoconfigure.actuate;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.lang.Nullable;

import io.distlock.Holder;
import io.distlock.LockException;
import io.distlock.leader.LeaderElection;
import io.distlock.operations.ForcedRelease;
import io.distlock.operations.HeldLock;
import io.distlock.operations.LockOperations;
import io.distlock.operations.WaitingCaller;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spring.startup.LockDefinition;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/**
 * The endpoint {@code locks}. It shows locks. If {@code management.endpoint.locks.access}
 * is {@code unrestricted}, it also releases locks by force. Otherwise this class refuses
 * that operation and names the property, because Spring Boot would answer with a bare
 * 405. Optional parameters have Spring's annotation, because Spring Boot 3 accepts no
 * other.
 */
@Endpoint(id = LocksEndpoint.ID)
final class LocksEndpoint {

	static final String ID = "locks";

	static final String READ_ONLY = "Locks are not released by force here: set "
			+ "management.endpoint.locks.access=unrestricted for that. One instance with it is enough, it can release "
			+ "the locks of all instances";

	private static final String AUDIT_TYPE = "LOCK_FORCE_RELEASE";

	private static final String ANONYMOUS = "anonymous";

	/** The default size of a page. */
	private static final int PAGE = 100;

	private final LockOperations operations;

	private final LocksSource source;

	private final List<LockKeySanitizer> sanitizers;

	private final ApplicationEventPublisher publisher;

	private final boolean releases;

	LocksEndpoint(LockOperations operations, LocksSource source, List<LockKeySanitizer> sanitizers,
			ApplicationEventPublisher publisher, boolean releases) {
		this.operations = operations;
		this.source = source;
		this.sanitizers = List.copyOf(sanitizers);
		this.publisher = publisher;
		this.releases = releases;
	}

	/** Returns whether the endpoint releases locks by force. */
	boolean releases() {
		return this.releases;
	}

	/**
	 * Shows the definitions, holds and waiters of this application. With a prefix, which
	 * may be empty, it also shows locks of the whole fleet.
	 * @param prefix the start of the keys
	 * @param limit the highest number of locks of the fleet, 100 by default
	 * @param cursor the cursor from the previous page
	 * @return the locks
	 */
	@ReadOperation
	public Locks locks(@Nullable String prefix, @Nullable Integer limit, @Nullable String cursor) {
		int most = (limit != null) ? limit : PAGE;
		if (most < 1 || most > ListCommand.LARGEST) {
			throw refused("The parameter 'limit' must be between 1 and " + ListCommand.LARGEST + ", was " + most);
		}
		Fleet fleet = (prefix != null) ? fleet(prefix, most, (cursor != null) ? cursor : "") : null;
		return new Locks(this.source.store(), this.source.renewalLag().map(LocksEndpoint::text).orElse(null),
				definitions(), this.operations.heldHere().stream().map(this::held).toList(),
				this.operations.waitingHere().stream().map(this::waiting).toList(),
				this.source.elections().stream().map(this::election).toList(), fleet);
	}

	private Fleet fleet(String prefix, int limit, String cursor) {
		try {
			LockPage page = this.operations.list(prefix, limit, cursor);
			return new Fleet(page.locks().stream().map(this::lock).toList(), page.next(), null);
		}
		catch (UnsupportedOperationException ex) {
			return new Fleet(List.of(), "", ForeignText.messageOf(ex));
		}
		catch (IllegalArgumentException ex) {
			if (cursor.isEmpty()) {
				throw ex;
			}
			throw refused("The parameter 'cursor' does not come from a previous page: " + ForeignText.messageOf(ex));
		}
	}

	private List<Definition> definitions() {
		return this.source.definitions().all().stream().map(LocksEndpoint::definition).toList();
	}

	private static Definition definition(LockDefinition found) {
		Map<String, Setting> settings = new TreeMap<>();
		found.settings().forEach((name, setting) -> settings.put(name, new Setting(setting.value(), setting.origin())));
		return new Definition(found.bean(), found.method(), found.name(), found.keyExpressions(), found.mode(),
				found.condition(), found.enabled(), found.onBusy(), settings);
	}

	/**
	 * Shows a lock as the store knows it.
	 * @param key the key
	 * @return the holders and waiters of the lock
	 */
	@ReadOperation
	public Lock lock(@Selector(match = Selector.Match.ALL_REMAINING) Object key) {
		return lock(this.operations.find(key(key)));
	}

	/**
	 * Releases a lock by force.
	 * @param reason the reason for the release
	 * @param security the user of the request
	 * @param key the key
	 * @return the ended holds
	 */
	@DeleteOperation
	public Released release(@Nullable String reason, SecurityContext security,
			@Selector(match = Selector.Match.ALL_REMAINING) Object key) {
		if (!this.releases) {
			throw refused(READ_ONLY);
		}
		if (reason == null || reason.isBlank()) {
			throw refused("The parameter 'reason' is missing or blank. The former holder and the log show the reason");
		}
		Principal principal = security.getPrincipal();
		String user = (principal != null) ? principal.getName() : ANONYMOUS;
		ForcedRelease release = release(key(key), reason, user);
		audit(user, release.key(), release.reason(),
				Map.of("ended", release.ended().size(), "waiting", release.waiting()));
		return new Released(shown(release.key()), release.by(), release.reason(),
				release.ended().stream().map(LocksEndpoint::holder).toList(), release.waiting());
	}

	private ForcedRelease release(String key, String reason, String user) {
		try {
			return this.operations.forceRelease(key, reason, user);
		}
		catch (UnsupportedOperationException ex) {
			throw refused(ForeignText.messageOf(ex));
		}
		catch (LockException ex) {
			// A store may have released it, perhaps the first of two.
			audit(user, key, ForeignText.of(reason), Map.of("failure", ex.getClass().getSimpleName()));
			throw ex;
		}
	}

	/**
	 * Publishes an audit event. The event has the masked key, because audit events are
	 * stored and may be shown.
	 */
	private void audit(String user, String key, String reason, Map<String, Object> outcome) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("key", shown(key));
		data.put("reason", reason);
		data.putAll(outcome);
		this.publisher.publishEvent(new AuditApplicationEvent(user, AUDIT_TYPE, data));
	}

	/** Refuses a request. Over HTTP {@link LocksWebExtension} answers with the text. */
	static InvalidEndpointRequestException refused(String why) {
		return new InvalidEndpointRequestException(why, why);
	}

	/**
	 * Returns the key of a request. The parameter has no text type, because over JMX
	 * Spring Boot would split a text at its commas.
	 */
	private static String key(Object key) {
		if (!(key instanceof String named) || named.isBlank()) {
			throw refused("The key of the lock is missing");
		}
		return named;
	}

	private String shown(String key) {
		String shown = key;
		for (LockKeySanitizer sanitizer : this.sanitizers) {
			shown = sanitizer.sanitize(shown);
		}
		return ForeignText.content(shown);
	}

	private Held held(HeldLock lock) {
		return new Held(shown(lock.key()), lower(lock.kind()), String.valueOf(lock.fencingToken()), lock.thread(),
				lock.caller(), lock.since(), text(lock.age()), text(lock.remaining()));
	}

	private Waiting waiting(WaitingCaller caller) {
		return new Waiting(shown(caller.key()), lower(caller.kind()), caller.thread(), caller.caller(),
				text(caller.waited()), text(caller.remaining()));
	}

	private Election election(LeaderElection election) {
		OptionalLong token = election.fencingToken();
		return new Election(shown(election.name()), lower(election.state()),
				token.isPresent() ? String.valueOf(token.getAsLong()) : null);
	}

	private Lock lock(LockSnapshot lock) {
		List<LockHolder> holders = new ArrayList<>();
		lock.holds().forEach((hold) -> holders.add(holder(hold)));
		return new Lock(shown(lock.key()), !lock.holds().isEmpty(), holders, String.valueOf(lock.fencingToken()),
				lock.waiters().size());
	}

	private static LockHolder holder(LockSnapshot.Hold hold) {
		Holder holder = hold.holder();
		String token = String.valueOf(hold.fencingToken());
		String remaining = text(hold.remaining());
		if (holder == null) {
			return new LockHolder(null, null, ForeignText.of(hold.request().engine()), null, null, null, null, token,
					remaining);
		}
		return new LockHolder(holder.application(), holder.host(), holder.instance(), holder.thread(), holder.caller(),
				holder.traceId().isEmpty() ? null : holder.traceId(), holder.since(), token, remaining);
	}

	private static String lower(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

	/** Writes a duration for people, in whole milliseconds. */
	private static String text(Duration duration) {
		return DurationText.of(Duration.ofMillis(duration.toMillis()));
	}

	/**
	 * The answer about this application.
	 *
	 * @param store the store of the locks
	 * @param renewalLag how late renewals are sent, if the template measures it
	 * @param definitions the annotated methods
	 * @param held the locks that this process holds, oldest first
	 * @param waiting the callers that wait in this process, longest wait first
	 * @param elections what this process does in leader elections
	 * @param fleet locks of all processes, if the request has a prefix
	 */
	record Locks(String store, @Nullable String renewalLag, List<Definition> definitions, List<Held> held,
			List<Waiting> waiting, List<Election> elections, @Nullable Fleet fleet) implements OperationResponseBody {
	}

	/**
	 * Locks of all processes.
	 *
	 * @param locks the locks
	 * @param next the cursor of the next page, empty after the last one
	 * @param unsupported the reason if the store cannot list its locks
	 */
	record Fleet(List<Lock> locks, String next, @Nullable String unsupported) {
	}

	/** An annotated method. */
	record Definition(String bean, String method, String name, List<String> keys, String mode, String condition,
			boolean enabled, String onBusy, Map<String, Setting> settings) {
	}

	/** A setting and its origin. */
	record Setting(String value, String origin) {
	}

	/**
	 * A lock that this process holds. Tokens are texts, because JavaScript would round
	 * numbers.
	 */
	record Held(String key, String kind, String fencingToken, String thread, String caller, Instant since, String age,
			String leaseLeft) {
	}

	/** A caller that waits in this process. */
	record Waiting(String key, String kind, String thread, String caller, String waited, String waitsFor) {
	}

	/** What this process does in a leader election, with the token of a leader. */
	record Election(String name, String state, @Nullable String fencingToken) {
	}

	/** A lock as the store knows it. */
	record Lock(String key, boolean held, List<LockHolder> holders, String highestToken,
			int queue) implements OperationResponseBody {
	}

	/** A holder of a lock. Unknown values are absent. */
	record LockHolder(@Nullable String application, @Nullable String host, String instance, @Nullable String thread,
			@Nullable String caller, @Nullable String traceId, @Nullable Instant since, String fencingToken,
			String leaseLeft) {
	}

	/**
	 * The result of a release by force.
	 *
	 * @param key the key
	 * @param by the user who released the lock
	 * @param reason the reason
	 * @param ended the ended holds, none if the lock was free
	 * @param queue how many instances waited
	 */
	record Released(String key, String by, String reason, List<LockHolder> ended,
			int queue) implements OperationResponseBody {
	}

}
