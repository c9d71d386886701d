package io.distlock.redis;

/** Placeholder. */
public final class RedisStartupCheck {

}
