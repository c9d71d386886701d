package io.distlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.core.types.Expiration;

/**
 * Sends single commands through a connection of Spring Data, which hides the client.
 *
 * @param connection the connection
 */
public record ConnectionCommands(RedisConnection connection) implements ServerCommands {

	@Override
	public void run(String command, byte[]... words) {
		switch (command) {
			case "hset" -> this.connection.hashCommands().hSet(words[0], words[1], words[2]);
			case "hget" -> this.connection.hashCommands().hGet(words[0], words[1]);
			case "hmget" -> this.connection.hashCommands().hMGet(words[0], words[1]);
			case "hgetall" -> this.connection.hashCommands().hGetAll(words[0]);
			case "hlen" -> this.connection.hashCommands().hLen(words[0]);
			case "hdel" -> this.connection.hashCommands().hDel(words[0], words[1]);
			case "pexpire" -> this.connection.keyCommands().pExpire(words[0], number(words[1]));
			case "exists" -> this.connection.keyCommands().exists(words[0]);
			case "pttl" -> this.connection.keyCommands().pTtl(words[0]);
			case "time" -> millis();
			case "info" -> info(new String(words[0], StandardCharsets.UTF_8));
			case "get" -> this.connection.stringCommands().get(words[0]);
			case "set" -> set(words);
			case "publish" -> this.connection.publish(words[0], words[1]);
			default -> throw new UnsupportedOperationException(command);
		}
	}

	/** Sets a value for some milliseconds (PX), or for ever if there is none (NX). */
	private void set(byte[]... words) {
		if (words.length > 3) {
			this.connection.stringCommands()
				.set(words[0], words[1], Expiration.milliseconds(number(words[3])), SetOption.upsert());
		}
		else {
			this.connection.stringCommands().set(words[0], words[1], Expiration.persistent(), SetOption.ifAbsent());
		}
	}

	private static long number(byte[] word) {
		return Long.parseLong(new String(word, StandardCharsets.US_ASCII));
	}

	@Override
	public long millis() {
		Long now = this.connection.serverCommands().time(TimeUnit.MILLISECONDS);
		return (now != null) ? now : 0;
	}

	@Override
	public @Nullable Properties info(String section) {
		return this.connection.serverCommands().info(section);
	}

}
