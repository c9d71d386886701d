package io.distlock.spring.intercept;

import io.distlock.spring.definition.LockedMethod;

/**
 * Holds everything that the calls of one annotated method share.
 *
 * @param method what the annotation and the configuration define
 * @param style how the method runs under its lock
 * @param policy answers instead of the body if the method gets no lock
 * @param unlocked runs calls that do not take the lock
 */
public record Invoker(LockedMethod method, CallStyle style, NoLockPolicy policy, UnlockedCalls unlocked) {

}
