package io.distlock.redis.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.redis.QuarantineException;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.Grant;
import io.distlock.spi.ListCommand;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Replies that no script sends, as of a proxy or a server that is none: each verb ends,
 * with an answer or with a failure that names the lock.
 */
class NonsenseReplyTests {

	private static final String KEY = "stock";

	private static final RequestId REQUEST = new RequestId("one", 1);

	private static final long NOW = 1_700_000_000_000L;

	private static final Duration SECOND = Duration.ofSeconds(1);

	/** Elements of replies, from what scripts send to what they never send. */
	private static final List<@Nullable Object> ELEMENTS = Arrays.asList(1L, 0L, -1L, -3L, 5L, Long.MAX_VALUE,
			Long.MIN_VALUE, "", "OK", "1", 1.5, true, null);

	private interface Verb extends Function<LockVerbs, CompletionStage<?>> {

	}

	private static Stream<Arguments> verbs() {
		return Stream.of(verb("acquire", (verbs) -> verbs.acquire(command(false))),
				verb("queue", (verbs) -> verbs.acquire(command(true))),
				verb("finish", (verbs) -> verbs.finish(KEY, REQUEST, Duration.ZERO)),
				verb("renew", (verbs) -> verbs.renew(new RenewCommand(KEY, REQUEST, SECOND, 8))),
				verb("raise", (verbs) -> verbs.raise(KEY, REQUEST, 5, 1)),
				verb("inspect", (verbs) -> verbs.inspect(KEY)),
				verb("force", (verbs) -> verbs.forceRelease(new ForceReleaseCommand(KEY, Set.of(REQUEST)))),
				verb("list", (verbs) -> verbs.list(new ListCommand("", "", 10))));
	}

	private static Arguments verb(String name, Verb verb) {
		return arguments(name, verb);
	}

	private static AcquireCommand command(boolean queue) {
		return new AcquireCommand(KEY, REQUEST, SECOND, Sharing.EXCLUSIVE, queue, 8, SECOND,
				new Holder("app", "host", "one", "thread", "caller", Instant.EPOCH));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("verbs")
	void replyOfNoScriptThenAnAnswerOrAFailureThatNamesTheLock(String name, Verb verb) {
		List<List<Object>> replies = new ArrayList<>();
		replies.add(List.of());
		for (Object code : ELEMENTS) {
			for (Object second : ELEMENTS) {
				for (int length = 1; length < 10; length++) {
					List<Object> reply = new ArrayList<>();
					reply.add(code);
					while (reply.size() < length) {
						reply.add(second);
					}
					replies.add(reply);
				}
			}
		}
		for (List<Object> reply : replies) {
			CompletableFuture<?> answer = verb.apply(verbs(reply)).toCompletableFuture();
			assertThat(answer).as("%s", reply).isDone();
			Throwable failure = catchThrowable(answer::join);
			if (failure != null) {
				assertThat(failure).as("%s", reply)
					.isInstanceOf(CompletionException.class)
					.hasCauseInstanceOf(LockStoreException.class);
				assertThat(failure.getCause()).as("%s", reply).hasMessageContaining(name.equals("list") ? "" : KEY);
			}
		}
	}

	/**
	 * Of these texts and numbers only one says that a script did what it was sent for.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource("verbs")
	void replyWithoutAListThenIsNoSuccess(String name, Verb verb) {
		List<@Nullable Object> elements = new ArrayList<>(ELEMENTS);
		elements
			.addAll(List.of(NOW, NOW + SECOND.toMillis(), Long.toString(NOW), hold(2), hold(1) + ";", " " + hold(1)));
		for (Object element : elements) {
			List<Object> reply = new ArrayList<>();
			reply.add(element);
			CompletableFuture<?> answer = verb.apply(verbs(reply)).toCompletableFuture();
			if (name.equals("finish") && element instanceof Long time && time >= NOW && time < Long.MAX_VALUE) {
				assertThat(answer).as("%s", reply).isCompletedWithValueMatching(FinishResult.RELEASED::equals);
			}
			else if (!name.equals("inspect")) {
				assertThat(catchThrowable(answer::join)).as("%s", reply)
					.hasCauseInstanceOf(TransientStoreException.class)
					.hasMessageContaining("The server sent a reply that is none of a script");
			}
		}
	}

	@Test
	void acquisitionWhenItsOwnHoldWithoutAListThenGranted() {
		assertThat(verbs(List.of(hold(1))).acquire(command(false)).toCompletableFuture().join())
			.isEqualTo(new AcquireResult.Granted(new Grant(5, 8, NOW + SECOND.toMillis(), NOW), 0));
	}

	private static String hold(long request) {
		return ";" + request + ";" + (NOW + SECOND.toMillis()) + ";5;8;";
	}

	private static LockVerbs verbs(List<Object> reply) {
		RedisLockStoreSettings times = RedisLockStoreSettings.DEFAULTS;
		KeyCodec names = new KeyCodec("lk:");
		return new LockVerbs(always(reply), names,
				new QueueTimes(times.pollInterval(), times.waiterTtl(), times.keep()),
				new Quarantine(Duration.ZERO, names.marker()), QuarantineException::new, MasterTags.NONE,
				(request, claim) -> "", () -> 0.5, System::nanoTime);
	}

	private static RedisCommands always(List<Object> reply) {
		return new RedisCommands() {

			@Override
			public void evalSha(LockScript script, ScriptArguments arguments, Answer answer) {
				answer.ended(reply, null);
			}

			@Override
			public void eval(LockScript script, ScriptArguments arguments, Answer answer) {
				answer.ended(reply, null);
			}

			@Override
			public String server() {
				return "Redis at nowhere";
			}

			@Override
			public void close() {
			}

		};
	}

}
