package io.distlock;

/**
 * A handle as an engine creates it, with what {@link LockScopes} needs to know besides.
 * Applications have no need for it.
 */
public interface EngineHandle extends LockHandle {

	/**
	 * Returns what happens to the body when the lock is lost.
	 * @return the choice of the request or of the template, not {@link OnLost#DEFAULT}
	 */
	OnLost onLossOfHold();

	/**
	 * Returns whether the loss of the lock interrupted the thread that acquired it.
	 * @return {@code true} from the interrupt on, also once closed
	 */
	boolean isInterruptedByLoss();

}
