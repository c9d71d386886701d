import { byId, element, number, rich, say, text } from "./page.js";
import { lanes } from "./lanes.js";
import { Player } from "./player.js";
import { moment, sentence } from "./story.js";
import { Timeline } from "./timeline.js";

const SPEEDS = [4, 1, 0.1, 0.01];

const MOST_OVERLAPS = 200;

/** Shows a run up to a moment: its verdict, its story, what Redis had, and who was inside. Replays it at any speed, or note by note. */
export class RunView {

	/**
	 * @param place an empty section of the page
	 * @param names words for what the run was asked for: strategy, fault, sizes
	 * @param drawn is called whenever the run was drawn, with the moment that is shown
	 */
	constructor(place, names, drawn = () => {}) {
		this.names = names;
		this.drawn = drawn;
		this.run = null;
		this.problem = null;
		this.waiting = false;
		this.player = new Player(() => this.changed());
		place.replaceChildren(...this.parts());
		this.timeline = new Timeline(byId("timeline"));
		new ResizeObserver(() => this.changed()).observe(byId("lanes"));
		this.words();
	}

	parts() {
		const button = (id, act) => {
			const made = element("button", { type: "button", id, data: { text: id } });
			made.addEventListener("click", act);
			return made;
		};
		const speed = element("select", { id: "speed" });
		speed.addEventListener("change", () => {
			this.player.speed = Number(speed.value);
		});
		const slider = element("input", { type: "range", id: "moment", min: 0, step: "any", data: { label: "moment" } });
		slider.addEventListener("input", () => this.player.seek(Number(slider.value)));
		const canvas = element("canvas", { id: "timeline", className: "timeline", tabIndex: 0 });
		canvas.setAttribute("role", "img");
		const swatch = (name) => element("span", {}, element("span", { className: "swatch " + name }), " ", element("span", { data: { text: "timeline." + name } }));
		return [
			element("h2", { id: "run-title", data: { text: "run.title" } }),
			element("p", { id: "verdict", className: "verdict", role: "status", data: { state: "none" } }),
			element("p", { id: "shown", className: "hint shown" }),
			element("div", { id: "player", className: "player card", role: "group", data: { label: "player" } },
				button("play", () => this.player.toggle()), button("step", () => this.step()), button("to-end", () => this.player.seek(this.run.end)),
				element("label", {}, element("span", { data: { text: "speed" } }), " ", speed), slider, element("output", { id: "now" })),
			element("div", { className: "told" },
				element("section", { className: "story card", "aria-labelledby": "story-title" },
					element("h3", { id: "story-title", data: { text: "story.title" } }), element("ol", { id: "story" }), element("p", { id: "words", className: "hint" })),
				element("section", { id: "key", className: "key card", "aria-labelledby": "key-title" },
					element("h3", { id: "key-title", data: { text: "key.title" } }), element("dl", { id: "key-values" }))),
			element("figure", { id: "lanes-part" }, element("figcaption", { data: { text: "lanes.title" } }),
				element("div", { id: "lanes", className: "scroll", tabIndex: 0, role: "region", data: { label: "lanes.title" } })),
			element("div", { id: "more-of-run" }),
			element("figure", { id: "timeline-part" },
				element("div", { className: "heading" }, element("figcaption", { data: { text: "timeline.title" } }),
					element("div", { className: "zoom" }, button("overlap-next", () => this.nextOverlap()), button("zoom-in", () => this.timeline.zoom(0.5)),
						button("zoom-out", () => this.timeline.zoom(2)), button("zoom-all", () => this.timeline.showAll()))),
				canvas,
				element("p", { className: "hint legend" }, swatch("alone"), swatch("overlap"), swatch("halted"), element("span", { id: "skipped" }),
					" ", element("span", { data: { text: "timeline.keys" } }))),
			element("details", { id: "events-part" }, element("summary", { id: "events-title" }),
				element("div", { className: "log", role: "log", tabIndex: 0, "aria-labelledby": "events-title" }, element("ol", { id: "events" }))),
			element("details", { id: "overlaps-part" }, element("summary", { id: "overlaps-title" }),
				element("div", { className: "log", role: "region", tabIndex: 0, "aria-labelledby": "overlaps-title" }, element("ol", { id: "overlaps" }))),
		];
	}

	/** Draws what does not depend on the run, in the language of the page. */
	words() {
		const speed = byId("speed");
		speed.replaceChildren(...SPEEDS.map((value) => element("option", { value }, value >= 1 ? value + " ×" : text("speed.slow", { times: 1 / value }))));
		speed.value = this.player.speed;
		byId("words").replaceChildren(...rich(text("words")));
		this.changed();
	}

	/** Shows a run from now on: as it goes on, or replayed from its beginning. */
	show(run, replay = false) {
		this.run?.close();
		this.run = run;
		this.problem = null;
		this.player.load(run, replay);
		this.changed();
	}

	fail(words) {
		this.problem = words;
		this.changed();
	}

	step() {
		const next = this.run.told().find(({ at }) => at > this.player.at) ?? { at: this.run.end };
		this.player.seek(next.at);
		if (next.at < this.run.end) {
			this.timeline.lookAt(next.at);
		}
	}

	nextOverlap() {
		this.player.seek(this.timeline.nextOverlap().to);
	}

	/** Draws with the next frame, once, however many changes come before it. */
	changed() {
		if (!this.waiting) {
			this.waiting = true;
			requestAnimationFrame(() => {
				this.waiting = false;
				this.draw();
			});
		}
	}

	draw() {
		const { run } = this;
		const until = run ? this.player.moment() : 0;
		const done = Boolean(run?.over) && until >= run.end;
		this.drawVerdict(run, done);
		for (const id of ["player", "events-part", "overlaps-part"]) {
			byId(id).hidden = !run?.over;
		}
		for (const id of ["timeline-part", "more-of-run"]) {
			byId(id).hidden = !run;
		}
		document.querySelector(".told").hidden = !run?.over && !run?.keys.length;
		this.timeline.show(run, until, (run?.faults ?? []).map((fault) => ({ at: fault.at, text: this.mark(fault) })).filter(({ at }, index) => !run.faults[index].ended && at <= until));
		byId("overlap-next").hidden = !run?.over || run.overlaps.length === 0;
		if (run) {
			this.drawPlayer(run, until);
			this.drawStory(run, until);
			drawKey(run, until);
			this.drawLists(run);
			byId("timeline").setAttribute("aria-label", text("timeline.label",
				{ count: number(run.sections.length), nodes: this.timeline.rows.size, overlaps: number(run.overlaps.length) }));
			byId("skipped").textContent = run.skipped > 0 ? text("timeline.skipped", { count: number(run.skipped) }) : "";
		}
		this.drawn(run, until, done);
	}

	drawVerdict(run, done) {
		const place = byId("verdict");
		const title = run ? this.names.strategy(run.request.strategy) : "";
		const state = this.problem ? "failed" : !run ? "none" : done && run.verdict ? run.verdict.outcome : run.over && run.verdict ? "replayed" : run.state;
		const words = this.problem ?? (done && run.verdict ? say(run.verdict.sentence) : text("run." + state, { title }));
		if (place.textContent !== words) {
			place.textContent = words;
		}
		place.dataset.state = state;
		byId("shown").textContent = run ? [title, this.names.fault(run.request.fault), this.names.sizes(run.request)].join(" · ") : "";
	}

	mark(fault) {
		return [fault.node, this.names.fault(fault.id)].filter(Boolean).join(": ");
	}

	drawPlayer(run, until) {
		const slider = byId("moment");
		slider.max = run.end;
		slider.value = until;
		slider.setAttribute("aria-valuetext", moment(until));
		byId("play").textContent = text(this.player.playing ? "pause" : "play");
		byId("now").textContent = `${moment(until)} / ${moment(run.end)}`;
	}

	drawStory(run, until) {
		const tale = run.tale();
		byId("lanes-part").hidden = tale.length === 0 || !run.over;
		const room = byId("lanes").clientWidth - 16;
		const signature = [run.id, room, tale.map(({ id, at }) => `${id}${at <= until}`), document.documentElement.lang].join();
		if (this.told === signature) {
			return;
		}
		this.told = signature;
		byId("story").replaceChildren(...tale.map((note) => element("li", { className: note.at <= until ? "" : "later" }, this.link(note))));
		byId("lanes").replaceChildren(lanes(run, until, room));
	}

	/** A sentence that shows its moment in the timeline. */
	link(note) {
		const button = element("button", { type: "button", className: "link" }, element("time", {}, moment(note.at)), " ", sentence(note, this.names, this.run));
		button.addEventListener("click", () => {
			this.player.seek(note.at);
			this.timeline.lookAt(note.at);
			byId("timeline").scrollIntoView({ block: "center" });
			byId("timeline").focus({ preventScroll: true });
		});
		return button;
	}

	drawLists(run) {
		byId("events-title").textContent = text("events", { count: number(run.story.length) });
		byId("overlaps-title").textContent = text("overlaps", { count: number(run.overlaps.length) });
		byId("overlaps-part").hidden = run.overlaps.length === 0;
		const signature = [run.id, run.story.length, document.documentElement.lang].join();
		if (run.over && this.listed !== signature) {
			this.listed = signature;
			byId("events").replaceChildren(...run.told().map((note) => element("li", {}, this.link(note))));
			byId("overlaps").replaceChildren(...run.overlaps.slice(0, MOST_OVERLAPS).map(({ from, to, callers }) => element("li", {},
				text("overlap", { from: moment(from), length: number(to - from, 2), callers: callers.join(", ") }))));
		}
	}

}

/** What the server had at a moment: the key, its time to live, the token. */
function drawKey(run, until) {
	const sample = run.keys.findLast(({ at }) => at <= until) ?? run.keys[0];
	byId("key").hidden = !sample;
	if (!sample) {
		return;
	}
	const longest = Math.max(1, ...run.keys.map(({ ttl }) => ttl ?? 0));
	const left = sample.ttl > 0 ? Math.max(0, sample.ttl - Math.max(0, until - sample.at)) : sample.ttl;
	const meter = element("meter", { min: 0, max: longest, value: Math.max(0, left ?? 0) });
	meter.setAttribute("aria-label", text("key.ttl"));
	const rows = [
		["key", sample.key],
		["value", sample.value ?? text("key.none")],
		["ttl", (sample.value ?? null) === null ? "–" : left === -1 ? text("key.for-ever") : element("span", {}, meter, " ", number(left), " ms")],
		["token", sample.token ?? "–"],
		["stock", number(sample.stock)],
	];
	byId("key-values").replaceChildren(...rows.map(([name, value]) => element("div", {}, element("dt", {}, text("key." + name)), element("dd", {}, value))));
}
