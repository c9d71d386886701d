package io.distlock.autoconfigure.actuate;

import java.util.function.Supplier;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * Serves the endpoint {@code locks} over HTTP. It answers a refused request with the
 * reason. Spring Boot's answer hides the reason unless
 * {@code server.error.include-message} or problem details are switched on.
 */
@EndpointWebExtension(endpoint = LocksEndpoint.class)
@RegisterReflectionForBinding(LocksWebExtension.Refusal.class)
final class LocksWebExtension {

	private static final int FORBIDDEN = 403;

	private final LocksEndpoint endpoint;

	LocksWebExtension(LocksEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Shows definitions and locks, or the lock of a key.
	 * @param key the key of a lock
	 * @param prefix the start of the keys
	 * @param limit the highest number of locks of the fleet
	 * @param cursor the cursor from the previous page
	 * @return the locks, or the reason of the refusal
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> locks(@Nullable Object key, @Nullable String prefix,
			@Nullable Integer limit, @Nullable String cursor) {
		return answer(() -> (key != null) ? this.endpoint.lock(key(key)) : this.endpoint.locks(prefix, limit, cursor));
	}

	/**
	 * Shows a lock.
	 * @param key the key of the lock
	 * @param path the same key
	 * @return the holders and waiters of the lock, or the reason of the refusal
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> lock(@Nullable Object key,
			@Selector(match = Selector.Match.ALL_REMAINING) String... path) {
		return answer(() -> this.endpoint.lock(key(key, path)));
	}

	/**
	 * Releases a lock by force.
	 * @param key the key of the lock
	 * @param reason the reason for the release
	 * @param security the user of the request
	 * @return the ended holds, or the reason of the refusal
	 */
	@DeleteOperation
	public WebEndpointResponse<OperationResponseBody> releaseKey(@Nullable Object key, @Nullable String reason,
			SecurityContext security) {
		return release(() -> key(key), reason, security);
	}

	/**
	 * Releases a lock by force.
	 * @param key the key of the lock
	 * @param reason the reason for the release
	 * @param security the user of the request
	 * @param path the same key
	 * @return the ended holds, or the reason of the refusal
	 */
	@DeleteOperation
	public WebEndpointResponse<OperationResponseBody> release(@Nullable Object key, @Nullable String reason,
			SecurityContext security, @Selector(match = Selector.Match.ALL_REMAINING) String... path) {
		return release(() -> key(key, path), reason, security);
	}

	private WebEndpointResponse<OperationResponseBody> release(Supplier<String> key, @Nullable String reason,
			SecurityContext security) {
		if (!this.endpoint.releases()) {
			return new WebEndpointResponse<>(new Refusal(LocksEndpoint.READ_ONLY), FORBIDDEN);
		}
		return answer(() -> this.endpoint.release(reason, security, key.get()));
	}

	/**
	 * Returns the key from the parameter, which must match the path. A path alone may
	 * name another lock, because servers drop empty segments and text after a semicolon.
	 */
	private static String key(@Nullable Object key, String... path) {
		if (key == null) {
			throw LocksEndpoint.refused("A path cannot name every key: name the lock with the parameter 'key', "
					+ "as in /actuator/locks?key=order:42");
		}
		String named = key(key);
		if (!named.equals(String.join("/", path))) {
			throw LocksEndpoint.refused("The parameter 'key' and the path name different locks: leave out the path");
		}
		return named;
	}

	/**
	 * Returns the key of the request. Spring Boot passes a repeated parameter as a list.
	 */
	private static String key(@Nullable Object key) {
		if (!(key instanceof String named) || named.isBlank()) {
			throw LocksEndpoint.refused("The parameter 'key' must be the key of one lock");
		}
		return named;
	}

	private static WebEndpointResponse<OperationResponseBody> answer(Supplier<OperationResponseBody> operation) {
		try {
			return new WebEndpointResponse<>(operation.get());
		}
		catch (InvalidEndpointRequestException ex) {
			return new WebEndpointResponse<>(new Refusal(ex.getReason()), WebEndpointResponse.STATUS_BAD_REQUEST);
		}
	}

	/**
	 * The body of an answer with status 400 or 403.
	 *
	 * @param error the reason for the refusal
	 */
	record Refusal(String error) implements OperationResponseBody {
	}

}
