package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import io.distlock.output.LogLines;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

@Isolated // counts lines
class GrantMessagesTests implements StoreListener {

	private static final long TOKEN = 1_795_225_522_033_810L;

	private static final long NOW = 1_795_225_522_033L;

	private static final long CLAIM = 1500;

	private long nanos;

	private final List<Object> heard = new ArrayList<>();

	private final Inbox inbox = new Inbox("me", "secret");

	private final GrantMessages messages = new GrantMessages("me", this.inbox, new KeyCodec("lk:"), this,
			() -> this.nanos);

	private String grant(int request, Object token, Object tokens, long expiresAt, String name) {
		return "G;" + this.inbox.address(request, CLAIM) + ";;" + request + ";" + token + ";" + tokens + ";" + expiresAt
				+ ";" + NOW + ";" + name;
	}

	private String news(String name) {
		return "W;b1c1d8736f20db3fb6c1c66bb1455ed43909f0d8;" + name;
	}

	@Test
	void receiveReadsGrant() {
		this.messages.receive(grant(7, TOKEN, 16, NOW + 1500, "lk:a;b%007b"));
		assertThat(this.heard).containsExactly("a;b{", new RequestId("me", 7), new Grant(TOKEN, 16, NOW + 1500, NOW));
	}

	@Test
	void receiveReadsGrantOfPermit() {
		this.messages.receive(grant(7, TOKEN, 16, NOW + 1500, "lk:a").replace(";;", ";3;"));
		assertThat(this.heard).contains(new RequestId("me", 3, 7));
	}

	@Test
	void receiveWhenTicketIsOfAnotherClaimThenIgnored() {
		this.messages.receive(grant(7, TOKEN, 16, NOW + 1501, "lk:a"));
		this.messages.receive(grant(7, TOKEN, 16, NOW - 1, "lk:a"));
		assertThat(this.heard).isEmpty();
	}

	@Test
	void receiveWhenTokenIsAheadOfTheClockByMoreThanABlockThenNothingIsLeftOfIt() {
		long ahead = NOW * 1000 + 1_000_999;
		this.messages.receive(grant(7, ahead, 16, NOW + 1500, "lk:a"));
		this.messages.receive(grant(8, ahead + 1, 16, NOW + 1500, "lk:a"));
		assertThat(this.heard).filteredOn(Grant.class::isInstance)
			.containsExactly(new Grant(ahead, 16, NOW + 1500, NOW), new Grant(ahead + 1, 16, NOW, NOW));
	}

	@Test
	void receiveReadsContention() {
		this.messages.receive(news("lk:a;b"));
		assertThat(this.heard).containsExactly("a;b");
	}

	@Test
	void receiveWhenTicketIsOfAnotherRequestThenIgnored() {
		String genuine = grant(7, TOKEN, 16, NOW + 1500, "lk:a");
		this.messages.receive(genuine.replace(";7;", ";8;"));
		this.messages
			.receive(genuine.replace(this.inbox.address(7, CLAIM), new Inbox("me", "other").address(7, CLAIM)));
		this.messages
			.receive(genuine.replace(this.inbox.address(7, CLAIM), new Inbox("you", "secret").address(7, CLAIM)));
		this.messages
			.receive(genuine.replace(this.inbox.address(7, CLAIM), this.inbox.address(7, CLAIM).substring(0, 16)));
		assertThat(this.heard).isEmpty();
	}

	@Test
	void receiveWhenDigestIsOfAnotherInstanceThenIgnored() {
		this.messages.receive(news("lk:a").replace("b1c1d8", "b1c1d9"));
		this.messages.receive("W;b1c1d8736f20db3f;lk:a");
		this.messages.receive("W;;lk:a");
		assertThat(this.heard).isEmpty();
	}

	@Test
	void receiveWhenTooLongThenNotRead() {
		this.messages.receive(news("lk:" + "a".repeat(512)));
		assertThat(this.heard).hasSize(1);
		this.messages.receive(news("lk:" + "a".repeat(2000)));
		assertThat(this.heard).hasSize(1);
	}

	@Test
	void receiveWhenManyAreForgedThenReportedOnceAMinute() {
		try (LogLines log = LogLines.of(GrantMessages.class.getName())) {
			for (int i = 0; i < 1000; i++) {
				this.messages.receive("G;\n" + "x".repeat(10_000));
			}
			assertThat(log.messages(Level.INFO)).hasSize(1);
			this.nanos += TimeUnit.SECONDS.toNanos(60);
			this.messages.receive("forged");
			assertThat(log.messages(Level.INFO)).hasSize(2);
			assertThat(log.messages(Level.INFO).get(0)).hasSizeLessThan(700).doesNotContain("\n");
			assertThat(log.messages(Level.INFO).get(1)).startsWith("Ignored 1000 message");
		}
	}

	@Test
	void receiveWhenNotUnderstoodThenIgnored() {
		String address = this.inbox.address(1, CLAIM);
		for (String message : List.of("", "-", "G;", "G;7;9007199254740000;64;1;0;lk:a", "P;me;7;1;1;1;1;lk:a",
				"X;lk:a", "W;", "W;lk:a", news(""), news("lk"), news("a"), news("lk:%"), news("lk:%00"),
				news("lk:%zzzz"), news("lk:" + "a".repeat(2000)), "G;" + address + ";x;1;1;1;1;0;lk:a",
				"G;" + address + ";-1;1;1;1", grant(1, "1e20", 1, NOW, "lk:a"),
				grant(1, Long.MAX_VALUE, 1, NOW, "lk:a"), grant(1, 0, 1, NOW, "lk:a"), grant(1, -5, 1, NOW, "lk:a"),
				grant(1, TOKEN, 0, NOW, "lk:a"), grant(1, TOKEN, 1_000_001, NOW, "lk:a"),
				grant(1, TOKEN, Long.MAX_VALUE, NOW, "lk:a"), grant(1, "9".repeat(500), 1, NOW, "lk:a"), "G;;;;;;;;",
				";".repeat(900))) {
			this.messages.receive(message);
		}
		assertThat(this.heard).isEmpty();
	}

	@Override
	public void granted(String key, RequestId request, Grant grant) {
		this.heard.addAll(List.of(key, request, grant));
	}

	@Override
	public void contended(String key) {
		this.heard.add(key);
	}

	@Override
	public void reconnected() {
		this.heard.add("reconnected");
	}

}
