package io.distlock.redis.lettuce;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.ScriptArguments;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What Lettuce sends for a script, and how the script ends. */
class ScriptCommandTests {

	private static final String KEY = "lk:größe \uD83D\uDD12";

	private static final List<String> ARGUMENTS = List.of("me", "", "1", "x".repeat(9), "x".repeat(10), "x".repeat(99),
			"x".repeat(100), "ä;\r\n$", "x".repeat(7_000));

	private final ScriptCommand command = command(true);

	private static ScriptCommand command(boolean byDigest) {
		return new ScriptCommand(LockScript.ACQUIRE, byDigest, ScriptArguments.of(List.of(KEY), ARGUMENTS));
	}

	private @Nullable Throwable failure() {
		return this.command.handle((reply, failure) -> failure).join();
	}

	@Test
	void encodeThenTheSameBytesAsOfTheClientItself() {
		CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add(LockScript.ACQUIRE.encodedSha())
			.add(1)
			.addKey(KEY)
			.addValues(ARGUMENTS);
		assertThat(text(this.command))
			.isEqualTo(text(new Command<>(CommandType.EVALSHA, new ArrayOutput<>(StringCodec.UTF8), args)));
	}

	@Test
	void encodeWhenByTextThenScriptIsSent() {
		assertThat(text(command(false))).startsWith("*13\r\n$4\r\nEVAL\r\n$").contains(LockScript.ACQUIRE.text());
	}

	@Test
	void argsThenFirstKeyChoosesTheNodeOfACluster() {
		ByteBuffer key = this.command.getArgs().getFirstEncodedKey();
		assertThat(StandardCharsets.UTF_8.decode(key).toString()).isEqualTo(KEY);
	}

	@Test
	void completeThenListOfNumbersAndTexts() {
		this.command.getOutput().multi(2);
		this.command.getOutput().set(1);
		this.command.getOutput().set(StandardCharsets.UTF_8.encode("größe"));
		this.command.complete();
		assertThat(this.command.join()).containsExactly(1L, "größe");
	}

	@Test
	void completeWhenTheReplyIsNoListThenListOfOne() {
		this.command.getOutput().set(StandardCharsets.UTF_8.encode(";1;"));
		this.command.complete();
		assertThat(this.command.join()).containsExactly(";1;");
	}

	@Test
	void completeWhenTheReplyHasNothingInItThenNull() {
		this.command.getOutput().multi(2);
		this.command.getOutput().set((ByteBuffer) null);
		this.command.getOutput().set(7);
		this.command.complete();
		assertThat(this.command.join()).containsExactly(null, 7L);
	}

	@Test
	void completeWhenAListIsInTheListThenNothingIsLost() {
		this.command.getOutput().multi(2);
		this.command.getOutput().set(1);
		this.command.getOutput().multi(1);
		this.command.getOutput().set(2);
		this.command.complete();
		assertThat(this.command.join()).containsExactly(1L, 2L);
	}

	@Test
	void completeWhenServerReportedAnErrorThenFailure() {
		this.command.getOutput().setError("NOSCRIPT No matching script");
		this.command.complete();
		assertThat(RedisFailure.of(failure())).isEqualTo(RedisFailure.NO_SCRIPT);
	}

	@Test
	void cancelThenFailureWithoutAnswer() {
		this.command.cancel();
		assertThat(failure()).isInstanceOf(CancellationException.class);
		assertThat(RedisFailure.of(failure()).isAnswer()).isFalse();
	}

	private static String text(RedisCommand<?, ?, ?> command) {
		ByteBuf buffer = Unpooled.buffer(16);
		command.encode(buffer);
		return buffer.toString(StandardCharsets.UTF_8);
	}

}
