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
 * The endpoint {@code locks} over HTTP: a refused request is answered with the reason.
 * Spring Boot's own answer hides it, unless {@code server.error.include-message} or
 * problem details are switched on.
 */
@EndpointWebExtension(endpoint = LocksEndpoint.class)
@RegisterReflectionForBinding(LocksWebExtension.Refusal.class)
final class LocksWebExtension {

	private final LocksEndpoint endpoint;

	LocksWebExtension(LocksEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Shows definitions and locks.
	 * @param prefix what the keys begin with
	 * @param limit how many locks of the fleet
	 * @param cursor where to go on
	 * @return the locks, or the reason of the refusal
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> locks(@Nullable String prefix, @Nullable Integer limit,
			@Nullable String cursor) {
		return answer(() -> this.endpoint.locks(prefix, limit, cursor));
	}

	/**
	 * Shows a lock.
	 * @param key the key
	 * @return its holders and waiters, or the reason of the refusal
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> lock(
			@Selector(match = Selector.Match.ALL_REMAINING) String... key) {
		return answer(() -> this.endpoint.lock(key));
	}

	/**
	 * Releases a lock by force.
	 * @param reason why
	 * @param security the user of the request
	 * @param key the key
	 * @return what was ended, or the reason of the refusal
	 */
	@DeleteOperation
	public WebEndpointResponse<OperationResponseBody> release(@Nullable String reason, SecurityContext security,
			@Selector(match = Selector.Match.ALL_REMAINING) String... key) {
		return answer(() -> this.endpoint.release(reason, security, key));
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
	 * The body of an answer with status 400.
	 *
	 * @param error why the request was refused
	 */
	record Refusal(String error) implements OperationResponseBody {
	}

}
