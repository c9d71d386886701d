package io.distlock.lab.web;

import java.io.IOException;

import io.distlock.lab.run.RunFeed;
import io.distlock.lab.run.RunFeed.Message;

import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The messages of a run, from the first one. */
final class RunSource implements EventStreams.Source {

	private final RunFeed feed;

	private int sent;

	RunSource(RunFeed feed) {
		this.feed = feed;
	}

	@Override
	public boolean next(SseEmitter emitter) throws IOException, InterruptedException {
		int before = this.sent;
		for (Message message : this.feed.read(this.sent)) {
			emitter.send(SseEmitter.event().name(message.name()).data(message.data()));
			this.sent++;
		}
		if (this.sent == before) {
			emitter.send(SseEmitter.event().comment("waiting"));
		}
		return !this.feed.ended(this.sent);
	}

}
