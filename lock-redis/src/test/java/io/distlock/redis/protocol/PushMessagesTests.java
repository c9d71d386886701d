package io.distlock.redis.protocol;

import java.util.ArrayList;
import java.util.List;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PushMessagesTests implements StoreListener {

	private final List<Object> heard = new ArrayList<>();

	private final PushMessages messages = new PushMessages("me", new KeyCodec("lk:"), this, true);

	@Test
	void receiveReadsGrant() {
		this.messages.receive("G;7;1795225522033810;16;1500;0;lk:a;b%007b");
		assertThat(this.heard).containsExactly("a;b{", new RequestId("me", 7),
				new Grant(1_795_225_522_033_810L, 16, 1500, 0));
	}

	@Test
	void receiveWhenGrantsAreNotBelievedThenNothingIsLeftOfIt() {
		new PushMessages("me", new KeyCodec("lk:"), this, false)
			.receive("G;7;1795225522033810;16;1795225523533;1795225522033;lk:a");
		assertThat(this.heard).contains(new Grant(1_795_225_522_033_810L, 16, 1_795_225_522_033L, 1_795_225_522_033L));
	}

	@Test
	void receiveReadsContention() {
		this.messages.receive("W;lk:a;b");
		assertThat(this.heard).containsExactly("a;b");
	}

	@Test
	void receiveWhenNotUnderstoodThenIgnored() {
		for (String message : List.of("", "G;", "G;x;1;1;1;1;lk:a", "G;1;1;1", "X;lk:a", "W;", "W;lk:%00")) {
			this.messages.receive(message);
		}
		assertThat(this.heard).isSubsetOf("");
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
