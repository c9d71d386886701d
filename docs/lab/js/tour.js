import { code } from "./code.js";
import { begin, follow, read, RECORDED, stop as end } from "./laboratory.js";
import { byId, docs, element, onChange, problem, Refused, rich, say, start, text } from "./page.js";
import { RunView } from "./run-view.js";
import { Words } from "./words.js";

/** The guided tour: what do you think happens? → run → why → what fixes it → the next stop. */

const ANSWERS = ["exact", "wrong", "stuck"];

const words = new Words();

const view = new RunView(byId("run"), words, (run, until, done) => {
	if (done && !ended) {
		ended = true;
		renderResult();
	}
	byId("begin").disabled = Boolean(run && !run.over);
});

// The answer comes before what can be looked at in detail.
byId("more-of-run").append(byId("result"));

let stops = [];
let runs = [];
let index = 0;
let answer = null;
let current = null;
let ended = false;
const seen = new Set();

function stop() {
	return stops[index];
}

function go(to) {
	if (current && !current.over && !RECORDED) {
		end(current.id).catch(problem);
	}
	index = Math.min(Math.max(to, 0), stops.length - 1);
	answer = null;
	current = null;
	ended = false;
	history.replaceState(null, "", location.search + "#" + (index + 1));
	byId("run").hidden = true;
	render();
	byId("stop-title").focus({ preventScroll: true });
	byId("stop").scrollIntoView();
}

function renderStops() {
	byId("stops").replaceChildren(...stops.map(({ id, title }, at) => {
		const button = element("button", { type: "button" }, say(title), seen.has(id) ? element("span", { className: "unseen" }, " " + text("tour.done")) : null);
		button.addEventListener("click", () => go(at));
		const item = element("li", { className: seen.has(id) ? "done" : "" }, button);
		if (at === index) {
			button.setAttribute("aria-current", "step");
		}
		return item;
	}));
}

function renderStop() {
	const { title, question, request } = stop();
	byId("stop-count").textContent = text("tour.count", { number: index + 1, of: stops.length });
	byId("stop-title").textContent = say(title);
	byId("stop-run").textContent = [words.strategy(request.strategy), words.fault(request.fault), words.sizes(request)].join(" · ");
	byId("question").replaceChildren(...rich(say(question)));
	byId("answers").replaceChildren(...ANSWERS.map((id) => {
		const radio = element("input", { type: "radio", name: "answer", value: id, checked: answer === id });
		radio.addEventListener("change", () => {
			answer = id;
			hint(null);
		});
		return element("label", {}, radio, " ", text("answer." + id));
	}));
	byId("begin").textContent = text(RECORDED ? "tour.replay" : "tour.run");
	hint(null);
	byId("code").replaceChildren(...code(words.find(request.strategy), current));
	byId("back").disabled = index === 0;
}

/** Why it went as it did, and what fixes it: after the run. */
function renderResult() {
	const shown = ended && current?.verdict;
	byId("result").hidden = !shown;
	if (!shown) {
		return;
	}
	const { why, next, id } = stop();
	const { outcome, expected } = current.verdict;
	const own = current.request.strategy === stop().request.strategy;
	seen.add(id);
	renderStops();
	byId("guess").textContent = text(!own ? "tour.fixed" : answer === outcome ? "tour.right" : "tour.other",
		{ answer: text("answer." + answer), outcome: text("answer." + outcome), title: words.strategy(current.request.strategy) });
	byId("luck").hidden = !(outcome === "exact" && ["breaks", "sticks", "chance"].includes(expected));
	byId("why").replaceChildren(...rich(say(why)));
	const fix = words.find(next);
	byId("fix").hidden = !fix;
	byId("fix-title").textContent = fix ? text(stopHolds() ? "tour.rest" : "tour.fix", { title: say(fix.title) }) : "";
	byId("fix-text").textContent = fix ? text("tour.open", { flaw: say(fix.flaw) }) : "";
	byId("settings").replaceChildren(...(fix?.settings ?? []).flatMap(({ name, closes }) => [element("dt", {}, element("code", {}, name)), element("dd", {}, say(closes))]));
	byId("fix-run").hidden = !fix || !own || words.cell(next, stop().request.fault).expected !== "holds" || (RECORDED && !recordedFix());
	byId("more").replaceChildren(...(stop().docs ? [docs(stop().docs, text("tour.docs"))] : []));
	byId("on").hidden = index === stops.length - 1;
	byId("end").hidden = index < stops.length - 1;
	byId("code").replaceChildren(...code(words.find(current.request.strategy), current));
}

function stopHolds() {
	const { strategy, fault } = stop().request;
	return words.cell(strategy, fault).expected === "holds";
}

function recordedFix() {
	const { next, request } = stop();
	return runs.find(({ request: asked }) => asked.strategy === next && asked.fault === request.fault);
}

async function run(request, recorded) {
	try {
		const started = RECORDED ? recorded : await begin(request);
		hint(null);
		ended = false;
		byId("run").hidden = false;
		byId("result").hidden = true;
		current = follow(started, () => view.changed(), (error) => lost(error));
		view.show(current, RECORDED);
		byId("run").scrollIntoView();
	} catch (error) {
		hint(error instanceof Refused && error.status === 409 ? text("run.busy") : error instanceof Refused ? error.message : text("unreachable"));
	}
}

/** Says beside the button why it did not do what it says; null for nothing. */
function hint(message) {
	byId("begin-hint").hidden = message === null;
	byId("begin-hint").textContent = message ?? "";
}

/** The connection of a run is gone: it is over, or the laboratory does not answer any more. */
async function lost(error) {
	try {
		const found = (await read("runs")).find(({ id }) => id === current.id);
		if (RECORDED || !found) {
			throw error;
		}
		if (!["starting", "running"].includes(found.state)) {
			current.close();
			current.state = found.state;
			view.changed();
		}
	} catch {
		current.state = "failed";
		view.fail(text("unreachable"));
	}
}

byId("begin").addEventListener("click", () => {
	if (answer === null) {
		hint(text("tour.choose"));
		byId("answers").querySelector("input").focus();
		return;
	}
	run(stop().request, runs.find(({ id }) => id === stop().id));
});
byId("fix-run").addEventListener("click", () => run({ ...stop().request, strategy: stop().next }, recordedFix()));
byId("on").addEventListener("click", () => go(index + 1));
byId("back").addEventListener("click", () => go(index - 1));
window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1 || 0));

function render() {
	if (stops.length === 0) {
		return;
	}
	renderStops();
	renderStop();
	view.words();
	renderResult();
}

onChange(render);
start();
try {
	[stops, runs] = await Promise.all([read("tour"), read("runs"), words.load()]);
	index = Math.min(Math.max((Number(location.hash.slice(1)) || 1) - 1, 0), stops.length - 1);
	byId("stop").hidden = false;
	render();
} catch (error) {
	problem(error);
}
