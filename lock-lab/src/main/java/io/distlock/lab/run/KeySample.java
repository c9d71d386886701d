package io.distlock.lab.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The key of the lock at one moment. Until the next sample the time to live falls with
 * the clock.
 *
 * @param at milliseconds since the run began
 * @param key name of the key
 * @param value what it says, {@code null} if there is no such key
 * @param ttl milliseconds, -1 for no end, {@code null} if there is no such key
 * @param token the highest fencing token so far, {@code null} if the lock has none
 * @param stock what the shared number says
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeySample(double at, String key, @Nullable String value, @Nullable Long ttl, @Nullable String token,
		int stock) {

	/** Whether nothing but time changed. */
	boolean follows(KeySample before) {
		return String.valueOf(this.value).equals(String.valueOf(before.value)) && this.stock == before.stock
				&& String.valueOf(this.token).equals(String.valueOf(before.token))
				&& ((this.ttl == null || before.ttl == null) ? this.ttl == before.ttl : this.ttl <= before.ttl);
	}

}
