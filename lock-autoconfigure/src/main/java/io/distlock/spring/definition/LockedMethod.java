package io.distlock.spring.definition;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.distlock.LockHandle;
import io.distlock.LockOptions;
import io.distlock.LockRequest;

/** An annotated method with everything that is known before it is called. */
public final class LockedMethod {

	private final LockedMethodId id;

	private final LockAttributes attributes;

	private final String name;

	private final List<KeyExpression> keys;

	private final @Nullable TokenParameter token;

	private final LockOptions options;

	private final @Nullable LockRequest fixed;

	/**
	 * Creates a description.
	 * @param id the method
	 * @param attributes what the annotation says
	 * @param name name of the lock, empty if it has a key only
	 * @param keys the part of the lock's identity that depends on the call
	 * @param token the parameter that gets the fencing token
	 * @param options what the annotation and the configuration say
	 */
	LockedMethod(LockedMethodId id, LockAttributes attributes, String name, List<KeyExpression> keys,
			@Nullable TokenParameter token, LockOptions options) {
		this.id = id;
		this.attributes = attributes;
		this.name = name;
		this.keys = keys;
		this.token = token;
		this.options = options;
		this.fixed = keys.isEmpty() ? request(List.of(name)) : null;
	}

	public LockRequest request(Object target, @Nullable Object[] arguments) {
		if (this.fixed != null) {
			return this.fixed;
		}
		@Nullable Object[] known = (this.token != null) ? this.token.hide(arguments) : arguments;
		List<String> identities = new ArrayList<>(this.keys.size());
		for (KeyExpression key : this.keys) {
			for (String text : key.evaluate(target, known)) {
				identities.add(this.name.isEmpty() ? text : this.name + ":" + text);
			}
		}
		LockRequest request = request(identities);
		if (this.token != null && request.keys().size() > 1) {
			throw this.keys.get(0).severalForOneToken(request.keys());
		}
		return request;
	}

	private LockRequest request(List<String> identities) {
		LockRequest request = (identities.size() == 1) ? LockRequest.of(identities.get(0))
				: LockRequest.ofAll(identities);
		LockRequest asked = (this.options.permits() == null) ? request.mode(this.attributes.mode()) : request;
		return asked.with(this.options)
			.calledFrom(this.id.caller())
			.named(this.name.isEmpty() ? this.id.caller() : this.name);
	}

	/** Replaces the argument that the fencing token is for, if there is one. */
	public void passToken(@Nullable Object[] arguments, LockHandle lock) {
		if (this.token != null) {
			this.token.set(arguments, lock);
		}
	}

	/** What the annotation says, as it was written. */
	public LockAttributes attributes() {
		return this.attributes;
	}

	/** With what the configuration says. */
	public LockOptions options() {
		return this.options;
	}

	public String name() {
		return this.name;
	}

	public LockedMethodId id() {
		return this.id;
	}

}
