import { RunChart } from "./charts.js";
import { byId, call, clock, currentLanguage, element, number, onChange, problem, Refused, say, start, text } from "./page.js";
import { Timeline } from "./timeline.js";

const NUMBERS = ["nodes", "callers", "items", "insideMillis"];

const WORDS = { nodes: "lab.nodes", callers: "lab.callers", items: "lab.items", insideMillis: "lab.inside" };

const MOST_OVERLAPS = 200;

/** What a newcomer should see first, in this order. */
const LESSONS = [
	{ name: "lessons.none", run: { strategy: "nothing", fault: "none", nodes: 2, callers: 32, items: 300, insideMillis: 2 } },
	{ name: "lessons.expiry", run: { strategy: "owner-lua", fault: "freeze-holder", nodes: 2, callers: 32, items: 300, insideMillis: 5 } },
	{ name: "lessons.ours", run: { strategy: "annotation-redis", fault: "freeze-holder", nodes: 2, callers: 32, items: 300, insideMillis: 5 } },
	{ name: "lessons.fenced", run: { strategy: "fenced-writes", fault: "freeze-holder", nodes: 2, callers: 32, items: 300, insideMillis: 5 } },
];

const LARGE = new Set(["stock", "sold", "oversold", "doubles", "overlaps", "overlap"]);

const stockChart = new RunChart(byId("chart-stock"), [
	{ colour: "--act", value: (progress) => progress.stock },
	{ colour: "--good", value: (progress) => progress.sold },
	{ colour: "--bad", value: (progress) => progress.oversold, dash: [6, 4] },
]);

const speedChart = new RunChart(byId("chart-speed"), [
	{ colour: "--act", value: (progress) => progress.perSecond },
	{ colour: "--warn", value: (progress) => progress.waiting?.p50, scale: "right", dash: [6, 4] },
	{ colour: "--bad", value: (progress) => progress.waiting?.p99, scale: "right" },
]);

const timeline = new Timeline(byId("timeline"));

let strategies = [];
let faults = [];
let limits = {};
let runs = [];
let strategy = null;

/** What a narrow screen shows beside the verdict. */
const BRIEF = new Set(["perSecond", "p99"]);

/** The run that is shown: what its events said so far. */
let shown = emptyRun();
let events = null;

function emptyRun() {
	return { id: null, request: null, state: "none", progress: null, painted: null, verdict: null, overlaps: [], happened: [], skipped: 0 };
}

function chosenStrategy() {
	return strategies.find(({ id }) => id === strategy) ?? strategies[0];
}

// The form

function renderLessons() {
	byId("lessons").replaceChildren(...LESSONS.map(({ name, run }) => {
		const button = element("button", { type: "button", disabled: going() }, element("strong", {}, text(name)),
			element("small", {}, text(name + ".text")));
		button.addEventListener("click", () => {
			fill(run);
			submit();
		});
		return element("li", {}, button);
	}));
}

function fill(run) {
	strategy = run.strategy;
	byId("fault").value = run.fault;
	for (const name of NUMBERS) {
		byId(name).value = run[name];
	}
	byId("strategy-" + strategy).checked = true;
	renderChosen();
	updateLink();
}

function renderStrategies() {
	const groups = new Map();
	for (const one of strategies) {
		const group = say(one.group) || one.group;
		groups.set(group, [...(groups.get(group) ?? []), one]);
	}
	byId("strategies").replaceChildren(...[...groups].map(([group, members]) => element("div", { className: "card" },
		element("h3", {}, group), ...members.map(strategyChoice))));
}

function strategyChoice(one) {
	const radio = element("input", { type: "radio", name: "strategy", value: one.id, checked: one.id === strategy,
		id: "strategy-" + one.id });
	radio.addEventListener("change", () => choose(one.id));
	return element("label", {}, radio, element("span", {}, say(one.title)),
		element("span", { className: "mark " + (one.sound ? "good" : "bad") },
			(one.sound ? "✔ " : "✘ ") + text(one.sound ? "lab.sound" : "lab.broken")));
}

function choose(id) {
	strategy = id;
	renderChosen();
	updateLink();
}

function renderChosen() {
	const one = chosenStrategy();
	if (!one) {
		return;
	}
	byId("chosen-title").textContent = say(one.title);
	byId("chosen-flaw").textContent = say(one.flaw);
	byId("source-file").textContent = one.sourceFile ?? "";
	byId("source").textContent = one.source ?? "";
	const breaking = faults.find(({ id }) => id === one.breaksBy);
	const suggest = byId("suggest");
	suggest.hidden = !breaking || byId("fault").value === breaking.id;
	suggest.textContent = breaking ? text("lab.suggest", { fault: say(breaking.title) }) : "";
	suggest.onclick = () => {
		byId("fault").value = breaking.id;
		renderChosen();
		updateLink();
	};
	byId("fault-text").textContent = say(faults.find(({ id }) => id === byId("fault").value)?.text);
}

function renderFaults() {
	const chosen = byId("fault").value;
	byId("fault").replaceChildren(...faults.map((fault) => element("option", { value: fault.id }, say(fault.title))));
	byId("fault").value = faults.some(({ id }) => id === chosen) ? chosen : "none";
}

function request() {
	const asked = { strategy, fault: byId("fault").value };
	for (const name of NUMBERS) {
		asked[name] = Number(byId(name).value);
	}
	return asked;
}

function query(asked, go) {
	const parameters = new URLSearchParams({ ...asked, lang: currentLanguage() });
	if (go) {
		parameters.set("run", "1");
	}
	return "index.html?" + parameters;
}

function updateLink() {
	byId("repeat").href = query(request(), true);
}

/** What is wrong with the numbers, in the words of the page; null if nothing is. */
function wrongNumbers() {
	const wrong = NUMBERS.filter((name) => {
		const input = byId(name);
		const value = Number(input.value);
		const range = limits[name];
		const bad = input.value.trim() === "" || !Number.isInteger(value) || (range && (value < range.min || value > range.max));
		input.setAttribute("aria-invalid", String(Boolean(bad)));
		return bad;
	});
	return wrong.length === 0 ? null : wrong.map((name) => text("lab.range",
		{ field: text(WORDS[name]), min: number(limits[name]?.min), max: number(limits[name]?.max) })).join(" · ");
}

async function submit(event) {
	event?.preventDefault();
	const wrong = wrongNumbers();
	if (wrong) {
		byId("problem").hidden = false;
		byId("problem").textContent = wrong;
		return;
	}
	try {
		const { body } = await call("POST", "api/runs", request());
		problem(null);
		history.replaceState(null, "", query(request(), false));
		show(body);
		byId("run").scrollIntoView();
		await refreshRuns();
	} catch (error) {
		problem(error);
		if (error instanceof Refused && error.errors.length > 0) {
			byId("problem").textContent = error.errors.map(({ field, message }) => `${field}: ${message}`).join(" · ");
		}
	}
}

async function stop() {
	await call("DELETE", `api/runs/${encodeURIComponent(shown.id)}`).then(() => problem(null), problem);
	await refreshRuns();
}

// The run

function show(run) {
	events?.close();
	reset(run);
	events = new EventSource(`api/runs/${encodeURIComponent(run.id)}/events`);
	// A connection made anew repeats the run from its beginning.
	events.addEventListener("open", () => reset(run));
	const on = (name, reaction) => events.addEventListener(name, (event) => {
		reaction(JSON.parse(event.data));
		later();
	});
	on("progress", (progress) => {
		shown.state = "running";
		shown.progress = progress;
		stockChart.add(progress);
		speedChart.add(progress);
	});
	on("sections", (message) => addSections(message));
	on("fault", (fault) => happened(fault.at, () => fault.ended ? text("event.fault.end", { text: faultTitle(fault) })
		: [fault.node, faultTitle(fault)].filter(Boolean).join(": "), !fault.ended));
	on("node", (node) => {
		happened(node.at, () => text("event.node", { node: node.node, state: text("state." + node.state) }));
		if (node.state === "frozen" || node.state === "killed") {
			timeline.halt(node.node, node.at);
		} else if (node.state === "thawed") {
			timeline.goOn(node.node, node.at);
		}
	});
	on("verdict", (verdict) => {
		shown.verdict = verdict;
		shown.state = "ended";
		events.close();
		refreshRuns();
	});
	events.addEventListener("error", () => refreshRuns());
	later();
}

function faultTitle(fault) {
	return say(faults.find(({ id }) => id === fault.id)?.title) || say(fault.text);
}

function reset(run) {
	shown = { ...emptyRun(), id: run.id, request: run.request ?? run, state: run.state ?? "starting" };
	stockChart.clear();
	speedChart.clear();
	timeline.clear();
	performance.clearMarks("progress");
	later();
}

function addSections({ sections, skipped = 0 }) {
	shown.skipped += skipped;
	for (const section of sections) {
		if (!timeline.add(section)) {
			shown.skipped++;
		}
		if (section.overlap && shown.overlaps.length < MOST_OVERLAPS) {
			shown.overlaps.push(section);
		}
	}
}

function happened(at, words, marked = false) {
	shown.happened.push({ at, words });
	if (marked) {
		timeline.mark(at, words());
	}
}

let drawing = false;

/** Draws with the next frame, once, however many events come before it. */
function later() {
	if (!drawing) {
		drawing = true;
		requestAnimationFrame(() => {
			drawing = false;
			renderRun();
		});
	}
}

function going() {
	return shown.state === "running" || shown.state === "starting";
}

function renderRun() {
	byId("start").disabled = going();
	byId("stop").disabled = !going();
	for (const button of byId("lessons").querySelectorAll("button")) {
		button.disabled = going();
	}
	if (shown.painted !== shown.progress) {
		// The tests read how often the page shows something new.
		performance.mark("progress");
		shown.painted = shown.progress;
	}
	renderVerdict();
	renderFigures();
	stockChart.show();
	speedChart.show();
	timeline.draw();
	renderOverlaps();
	byId("overlap-next").hidden = timeline.overlapping.length === 0;
	const { progress, verdict, request: asked } = shown;
	byId("shown").textContent = asked ? [say(strategies.find(({ id }) => id === asked.strategy)?.title), sizes(asked)].join(" · ") : "";
	byId("chart-stock").setAttribute("aria-label", text("chart.stock.label",
		{ items: number(asked?.items), sold: number(progress?.sold), stock: number(verdict?.left ?? progress?.stock) }));
	byId("chart-speed").setAttribute("aria-label", text("chart.speed.label",
		{ perSecond: number(progress?.perSecond), p99: number(progress?.waiting?.p99, 1) }));
	byId("timeline").setAttribute("aria-label", text("timeline.label",
		{ count: number(timeline.count), nodes: timeline.rows.size, overlaps: number(timeline.overlaps) }));
	byId("skipped").textContent = shown.skipped > 0 ? text("timeline.skipped", { count: number(shown.skipped) }) : "";
}

function renderVerdict() {
	const place = byId("verdict");
	const title = say(strategies.find(({ id }) => id === shown.request?.strategy)?.title);
	const words = shown.verdict ? say(shown.verdict.sentence) : text("run." + (shown.state === "ended" ? "running" : shown.state), { title });
	if (place.textContent !== words) {
		place.textContent = words;
	}
	place.dataset.state = shown.verdict ? (shown.verdict.outcome === "exact" ? "good" : "bad") : shown.state;
}

function renderFigures() {
	const from = { ...(shown.progress ?? {}), ...(shown.verdict ?? {}) };
	const rows = [
		["stock", shown.verdict?.left ?? shown.progress?.stock], ["sold", from.sold], ["oversold", from.oversold, "wrong"],
		["doubles", from.doubles, "wrong"], ["overlaps", shown.verdict?.overlaps ?? (shown.progress ? timeline.overlaps : undefined), "wrong"],
		["overlap", shown.verdict?.longestOverlapMillis, "wrong"],
		["inside", shown.verdict ? 0 : from.inside], ["perSecond", from.perSecond],
		["p50", from.waiting?.p50], ["p95", from.waiting?.p95], ["p99", from.waiting?.p99],
		["commands", from.redisCommandsPerSale], ["retries", from.retries], ["conflicts", from.conflicts], ["failures", from.failures],
	];
	byId("figures").replaceChildren(...rows.map(([name, value, wrong]) => element("div",
		{ className: (LARGE.has(name) ? "large " : "") + (wrong && value > 0 ? "bad" : ""), data: { figure: name } },
		element("dt", {}, text("figure." + name)), element("dd", {}, number(value, 1)))));
}

function renderOverlaps() {
	byId("overlaps-part").hidden = shown.overlaps.length === 0;
	byId("overlaps-title").textContent = text("overlaps", { count: number(timeline.overlaps) });
	if (byId("overlaps").children.length !== shown.overlaps.length) {
		byId("overlaps").replaceChildren(...shown.overlaps.map((section) => element("tr", {},
			element("td", {}, section.node), element("td", { className: "number" }, String(section.caller)),
			element("td", { className: "number" }, number(section.from, 1)), element("td", { className: "number" }, number(section.to, 1)))));
	}
	if (byId("events").children.length !== shown.happened.length) {
		renderHappened();
	}
}

function renderHappened() {
	byId("events").replaceChildren(...shown.happened.map(({ at, words }) => element("li", {},
		element("time", {}, number(at / 1000, 2) + " s"), words())));
}

// All runs

async function refreshRuns() {
	try {
		const { body } = await call("GET", "api/runs");
		runs = body;
		const current = runs.find(({ id }) => id === shown.id);
		if (current && !["starting", "running"].includes(current.state)) {
			events?.close();
			shown.state = current.state;
			shown.verdict = current.verdict ?? shown.verdict;
			later();
		}
	} catch (error) {
		problem(error);
	}
	renderRuns();
}

function sizes(asked) {
	return text("runs.sizes", Object.fromEntries(NUMBERS.map((name) => [name, number(asked[name])])));
}

function renderRuns() {
	const rows = runs.map((run) => {
		const { request: asked, verdict } = run;
		const title = say(strategies.find(({ id }) => id === asked.strategy)?.title) || asked.strategy;
		const repeat = element("a", { className: "quiet", href: query(asked, true) }, text("runs.repeat"));
		const look = element("button", { type: "button", className: "quiet" }, text("runs.show"));
		look.addEventListener("click", () => {
			show(run);
			renderRuns();
			byId("run").scrollIntoView();
		});
		const figures = [["sold", verdict?.sold], ["left", verdict?.left], ["oversold", verdict?.oversold, "wrong"],
			["doubles", verdict?.doubles, "wrong"], ["overlap", verdict?.longestOverlapMillis, "wrong"], ["perSecond", verdict?.perSecond],
			["p99", verdict?.waiting?.p99], ["commands", verdict?.redisCommandsPerSale]];
		return element("tr", { data: run.id === shown.id ? { shown: "" } : {} },
			element("td", {}, element("strong", {}, title),
				element("small", {}, say(faults.find(({ id }) => id === asked.fault)?.title)), element("small", {}, sizes(asked))),
			element("td", { className: verdict ? (verdict.outcome === "exact" ? "good" : "bad") : "" },
				verdict ? (verdict.outcome === "exact" ? "✔ " : "✘ ") + say(verdict.sentence) : text("run." + run.state, { title })),
			...figures.map(([name, value, wrong]) => element("td", { className: "number" + (wrong && value > 0 ? " bad" : ""),
				data: { label: text("figure." + name), ...(BRIEF.has(name) ? { brief: "" } : {}) } }, number(value, 1))),
			element("td", {}, element("div", { className: "again" }, repeat, look)));
	});
	byId("runs").tBodies[0].replaceChildren(...(rows.length > 0 ? rows
		: [element("tr", {}, element("td", { colSpan: 11 }, text("runs.none")))]));
}

// Words, colours, and the beginning

function render() {
	renderLessons();
	renderStrategies();
	renderFaults();
	renderChosen();
	stockChart.draw(text("chart.time"), [text("figure.stock"), text("figure.sold"), text("figure.oversold")]);
	speedChart.draw(text("chart.time"), [text("figure.perSecond"), text("figure.p50"), text("figure.p99")]);
	renderHappened();
	renderRuns();
	updateLink();
	later();
}

function fillForm() {
	const asked = new URLSearchParams(location.search);
	strategy = strategies.some(({ id }) => id === asked.get("strategy")) ? asked.get("strategy") : strategies[0]?.id;
	for (const name of NUMBERS) {
		const input = byId(name);
		input.min = limits[name].min;
		input.max = limits[name].max;
		input.value = asked.get(name) ?? limits[name].default;
	}
	renderFaults();
	byId("fault").value = faults.some(({ id }) => id === asked.get("fault")) ? asked.get("fault") : "none";
	return asked.get("run") === "1";
}

async function load() {
	const answers = await Promise.all(["api/strategies", "api/faults", "api/limits", "api/runs"].map((path) => call("GET", path)));
	[strategies, faults, limits, runs] = answers.map(({ body }) => body);
}

byId("form").addEventListener("submit", submit);
byId("stop").addEventListener("click", stop);
byId("fault").addEventListener("change", () => {
	renderChosen();
	updateLink();
});
byId("zoom-in").addEventListener("click", () => timeline.zoom(0.5));
byId("zoom-out").addEventListener("click", () => timeline.zoom(2));
byId("zoom-all").addEventListener("click", () => timeline.showAll());
byId("overlap-next").addEventListener("click", () => timeline.nextOverlap());
NUMBERS.forEach((name) => byId(name).addEventListener("input", updateLink));
onChange(render);
start();
try {
	await load();
	const go = fillForm();
	byId("form").inert = false;
	render();
	const going = runs.find(({ state }) => state === "running" || state === "starting");
	if (going) {
		show(going);
	} else if (go) {
		await submit();
	} else if (runs.length > 0) {
		show(runs[0]);
	}
} catch (error) {
	problem(error);
}
