package io.distlock.redis.lettuce;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What Lettuce sees of a script. */
class ScriptCommandTests {

	private static final String KEY = "lk:größe \uD83D\uDD12";

	private static final List<String> ARGUMENTS = List.of("me", "", "1", "x".repeat(9), "x".repeat(10), "x".repeat(99),
			"x".repeat(100), "ä;\r\n$", "x".repeat(7_000));

	private final Recorded command = new Recorded(true);

	@Test
	void encodeThenTheSameBytesAsOfTheClientItself() {
		CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add(LockScript.ACQUIRE.sha())
			.add(1)
			.addKey(KEY)
			.addValues(ARGUMENTS);
		assertThat(text(this.command))
			.isEqualTo(text(new Command<>(CommandType.EVALSHA, new ArrayOutput<>(StringCodec.UTF8), args)));
	}

	@Test
	void encodeWhenByTextThenScriptIsSent() {
		assertThat(text(new Recorded(false))).startsWith("*13\r\n$4\r\nEVAL\r\n$").contains(LockScript.ACQUIRE.text());
	}

	@Test
	void argsThenFirstKeyChoosesTheNodeOfACluster() {
		ByteBuffer key = this.command.getArgs().getFirstEncodedKey();
		assertThat(StandardCharsets.UTF_8.decode(key).toString()).isEqualTo(KEY);
		assertThat(this.command.getArgs().toCommandString())
			.startsWith(LockScript.ACQUIRE.sha() + " 1 " + KEY + " me ");
	}

	@Test
	void completeThenFlatListOfNumbersAndTexts() {
		this.command.getOutput().multi(3);
		this.command.getOutput().set(1);
		this.command.getOutput().set(StandardCharsets.UTF_8.encode("größe"));
		this.command.getOutput().set((ByteBuffer) null);
		this.command.complete();
		assertThat(this.command.ends).hasSize(1);
		assertThat(this.command.reply).containsExactly(1L, "größe", null);
		assertThat(this.command.isDone()).isTrue();
	}

	@Test
	void completeWhenServerReportedAnErrorThenFailure() {
		this.command.getOutput().setError("NOSCRIPT No matching script");
		this.command.complete();
		assertThat(this.command.ends).hasSize(1);
		assertThat(RedisFailure.of(this.command.ends.get(0))).isEqualTo(RedisFailure.NO_SCRIPT);
	}

	@Test
	void completeWhenEndedThenTheFirstEndCounts() {
		IllegalStateException timeout = new IllegalStateException("timeout");
		assertThat(this.command.completeExceptionally(timeout)).isTrue();
		this.command.getOutput().set(1);
		this.command.complete();
		this.command.cancel();
		assertThat(this.command.completeExceptionally(new IllegalStateException("later"))).isFalse();
		assertThat(this.command.ends).containsExactly(timeout);
	}

	@Test
	void cancelThenFailureWithoutAnswer() {
		this.command.cancel();
		assertThat(this.command.ends).singleElement().isInstanceOf(CancellationException.class);
		assertThat(this.command.isCancelled()).isTrue();
		assertThat(RedisFailure.of(this.command.ends.get(0)).isAnswer()).isFalse();
	}

	/** As the client cancels its timeouts, which would pile up. */
	@Test
	void onCompleteThenAllAreNotifiedOnceAlsoAfterTheEnd() {
		List<String> seen = new ArrayList<>();
		this.command.onComplete((reply, failure) -> seen.add("first"));
		this.command.onComplete((reply) -> seen.add("second"));
		this.command.complete();
		this.command.complete();
		this.command.onComplete((reply, failure) -> seen.add("late"));
		assertThat(seen).containsExactlyInAnyOrder("first", "second", "late");
	}

	@Test
	void onCompleteWhenAnswerFailsThenNotifiedNevertheless() {
		List<String> seen = new ArrayList<>();
		ScriptCommand broken = new ScriptCommand(LockScript.INSPECT, true,
				ScriptArguments.of(List.of(KEY), List.of())) {

			@Override
			void ended(@Nullable List<Object> reply, @Nullable Throwable failure) {
				throw new IllegalStateException("broken");
			}

		};
		broken.onComplete((reply, failure) -> seen.add("timeout cancelled"));
		try {
			broken.complete();
		}
		catch (IllegalStateException ex) {
			seen.add(ex.getMessage());
		}
		assertThat(seen).containsExactly("timeout cancelled", "broken");
	}

	private static String text(Command<?, ?, ?> command) {
		ByteBuf buffer = Unpooled.buffer(16);
		command.encode(buffer);
		return buffer.toString(StandardCharsets.UTF_8);
	}

	private static final class Recorded extends ScriptCommand {

		private final List<@Nullable Throwable> ends = new ArrayList<>();

		private @Nullable List<Object> reply;

		private Recorded(boolean byDigest) {
			super(LockScript.ACQUIRE, byDigest, ScriptArguments.of(List.of(KEY), ARGUMENTS));
		}

		@Override
		void ended(@Nullable List<Object> reply, @Nullable Throwable failure) {
			this.reply = reply;
			this.ends.add(failure);
		}

	}

}
