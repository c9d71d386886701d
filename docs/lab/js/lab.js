import { RunChart } from "./charts.js";
import { code } from "./code.js";
import { begin, follow, read, RECORDED, stop } from "./laboratory.js";
import { byId, currentLanguage, docs, element, number, onChange, problem, Refused, say, start, text } from "./page.js";
import { RunView } from "./run-view.js";
import { Words } from "./words.js";

/** The laboratory: any strategy, any fault, any size. Of runs that were recorded it replays those that there are. */

const NUMBERS = ["nodes", "callers", "items", "insideMillis"];

const LABELS = { nodes: "lab.nodes", callers: "lab.callers", items: "lab.items", insideMillis: "lab.inside", fault: "lab.fault" };

const MARKS = { holds: ["✔", "good"], breaks: ["✘", "bad"], sticks: ["✘", "bad"], chance: ["✘", "bad"], uncertain: ["~", "warn"], impossible: ["–", "soft"] };

const OUTCOMES = { exact: ["✔ ", "good"], wrong: ["✘ ", "bad"], stuck: ["✘ ", "bad"], uncertain: ["~ ", "warn"], stopped: ["", ""] };

/** How often other pages are asked for their runs. */
const GLANCE_MILLIS = 5000;

/** What a narrow screen shows beside the verdict. */
const BRIEF = new Set(["perSecond", "p99"]);

const LARGE = new Set(["stock", "sold", "oversold", "doubles", "overlaps", "overlap"]);

const words = new Words();

let limits = {};
let runs = [];
let strategy = null;
let shown = null;

const view = new RunView(byId("run"), words, drawRun);

byId("more-of-run").append(element("dl", { id: "figures", className: "figures" }), element("div", { className: "columns" }, ...["stock", "speed"].map((name) =>
	element("figure", {}, element("figcaption", { data: { text: "chart." + name } }), element("div", { id: "chart-" + name, className: "chart", role: "img" })))));

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

function chosen() {
	return words.strategies.find(({ id }) => id === strategy) ?? words.strategies[0];
}

/** Why a run is not possible: the name of a text, or null if it is. */
function obstacle(one, fault) {
	const { expected, reason } = words.cell(one.id, fault);
	if (expected === "impossible") {
		return reason;
	}
	if (RECORDED) {
		return recording(one.id, fault) ? null : "not-recorded";
	}
	return fault === "kill-holder" && byId("nodes").value === "1" ? "one-node" : null;
}

function recording(id, fault) {
	return runs.find(({ request }) => request.strategy === id && request.fault === fault);
}

// The form

function renderStrategies() {
	const groups = new Map();
	for (const one of words.strategies) {
		const group = say(one.group);
		groups.set(group, [...(groups.get(group) ?? []), one]);
	}
	const wide = matchMedia("(min-width: 48rem)").matches;
	byId("strategies").replaceChildren(...[...groups].map(([group, members]) => element("details",
		{ className: "card", open: wide || members.some(({ id }) => id === strategy) },
		element("summary", {}, `${group} (${members.length})`), ...members.map(strategyChoice))));
}

function strategyChoice(one) {
	const radio = element("input", { type: "radio", name: "strategy", value: one.id, checked: one.id === strategy,
		id: "strategy-" + one.id });
	radio.addEventListener("change", () => choose(one.id));
	const { expected } = words.cell(one.id, byId("fault").value);
	const [mark, className] = MARKS[expected];
	return element("label", {}, radio, element("span", {}, say(one.title)),
		element("span", { className: "mark " + className }, `${mark} ${text("expected." + expected)}`));
}

function choose(id) {
	strategy = id;
	byId("strategy-" + id).checked = true;
	renderChosen();
}

function renderChosen() {
	const one = chosen();
	const fault = byId("fault");
	for (const option of fault.options) {
		const reason = obstacle(one, option.value);
		option.disabled = reason !== null;
		option.textContent = words.fault(option.value) + (reason ? ` – ${text("cell." + reason)}` : "");
	}
	if (fault.selectedOptions[0]?.disabled) {
		fault.value = [...fault.options].find(({ disabled }) => !disabled)?.value ?? "none";
		renderStrategies();
	}
	byId("chosen-title").textContent = say(one.title);
	byId("chosen-flaw").textContent = say(one.flaw);
	byId("chosen-condition").textContent = one.condition ? text("lab.condition", { condition: say(one.condition.title) }) : "";
	byId("settings").replaceChildren(...(one.settings ?? []).flatMap(({ name, closes }) => [element("dt", {}, element("code", {}, name)), element("dd", {}, say(closes))]));
	byId("chosen-docs").replaceChildren(...(one.docs ? [docs(one.docs, text("tour.docs"))] : []));
	byId("code").replaceChildren(...code(one, shown));
	const breaking = words.faults.find(({ id }) => id === one.breaksBy);
	const suggest = byId("suggest");
	suggest.hidden = !breaking || fault.value === breaking.id || obstacle(one, breaking.id) !== null;
	suggest.textContent = breaking ? text("lab.suggest", { fault: say(breaking.title) }) : "";
	suggest.onclick = () => {
		fault.value = breaking.id;
		renderStrategies();
		renderChosen();
		fault.focus();
	};
	const { expected, reason } = words.cell(one.id, fault.value);
	byId("fault-text").textContent = [say(words.faults.find(({ id }) => id === fault.value)?.text),
		reason && expected !== "impossible" ? text("cell." + reason) : ""].join(" ");
	updateLink();
}

function renderFaults() {
	const chosen = byId("fault").value;
	byId("fault").replaceChildren(...words.faults.map((fault) => element("option", { value: fault.id }, say(fault.title))));
	byId("fault").value = words.faults.some(({ id }) => id === chosen) ? chosen : "none";
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
	return "lab.html?" + parameters;
}

function updateLink() {
	byId("repeat").href = query(request(), true);
}

/** Fields whose number is out of range, with what is wrong in the words of the page. */
function wrongNumbers() {
	return NUMBERS.filter((name) => {
		const input = byId(name);
		const value = Number(input.value);
		return input.value.trim() === "" || !Number.isInteger(value) || value < limits[name].min || value > limits[name].max;
	}).map((field) => ({ field, words: text("lab.range", { field: text(LABELS[field]), min: number(limits[field].min), max: number(limits[field].max) }) }));
}

/** Says what is wrong beside the button that was pressed, and leads to the first field that is. */
function complain(errors) {
	byId("form-problem").hidden = errors.length === 0;
	byId("form-problem").textContent = errors.map(({ words: each }) => each).join(" · ");
	for (const name of [...NUMBERS, "fault"]) {
		byId(name).setAttribute("aria-invalid", String(errors.some(({ field }) => field === name)));
	}
	if (errors.length > 0) {
		byId(errors[0].field)?.focus();
		byId("form-problem").scrollIntoView({ block: "center" });
	}
}

async function submit(event) {
	event?.preventDefault();
	const wrong = RECORDED ? [] : wrongNumbers();
	complain(wrong);
	if (wrong.length > 0) {
		return;
	}
	const asked = request();
	try {
		const run = RECORDED ? recording(asked.strategy, asked.fault) : await begin(asked);
		problem(null);
		history.replaceState(null, "", query(asked, false));
		show(run, RECORDED);
		byId("run").scrollIntoView();
		await refreshRuns();
	} catch (error) {
		if (error instanceof Refused && error.status === 409) {
			complain([{ words: text("run.busy") }]);
		} else if (error instanceof Refused) {
			complain(error.errors.length === 0 ? [{ words: error.message }]
				: error.errors.map(({ field, message, reason, values }) => ({ field, words: reason === "range" ? message : text("cell." + reason, values) })));
		} else {
			complain([{ words: text("unreachable") }]);
		}
	}
}

// The run

function show(run, replay = false) {
	shown = follow(run, () => view.changed(), lost);
	view.show(shown, replay);
	performance.clearMarks("progress");
}

/** The connection of a run is gone: it is over, or the laboratory does not answer any more. */
async function lost() {
	await refreshRuns();
}

function drawRun(run, until) {
	const going = Boolean(run && !run.over);
	byId("start").disabled = going;
	byId("stop").disabled = !going;
	const progress = run?.progressAt(until);
	if (progress && progress !== drawRun.progress) {
		// The tests read how often the page shows something new.
		performance.mark("progress");
	}
	drawRun.progress = progress;
	renderFigures(run?.over && until >= run.end ? run : null, progress);
	stockChart.show(run?.progress ?? [], until);
	speedChart.show(run?.progress ?? [], until);
	byId("chart-stock").setAttribute("aria-label", text("chart.stock.label",
		{ items: number(run?.request.items), sold: number(progress?.sold), stock: number(progress?.stock) }));
	byId("chart-speed").setAttribute("aria-label", text("chart.speed.label",
		{ perSecond: number(progress?.perSecond), p99: number(progress?.waiting?.p99, 1) }));
	if (run?.over && run.scripts.length > 0 && drawRun.coded !== run.id) {
		drawRun.coded = run.id;
		byId("code").replaceChildren(...code(chosen(), run));
	}
}

function renderFigures(ended, progress) {
	const verdict = ended?.verdict;
	const from = { ...(progress ?? {}), ...(verdict ?? {}) };
	const rows = [
		["stock", verdict?.left ?? progress?.stock], ["sold", from.sold], ["oversold", from.oversold, "wrong"],
		["doubles", from.doubles, "wrong"], ["overlaps", verdict?.overlaps, "wrong"], ["overlap", verdict?.longestOverlapMillis, "wrong"],
		["inside", verdict ? 0 : from.inside], ["perSecond", from.perSecond],
		["p50", from.waiting?.p50], ["p95", from.waiting?.p95], ["p99", from.waiting?.p99],
		["commands", from.redisCommandsPerSale], ["retries", from.retries], ["conflicts", from.conflicts], ["failures", from.failures],
	];
	byId("figures").replaceChildren(...rows.map(([name, value, wrong]) => element("div",
		{ className: (LARGE.has(name) ? "large " : "") + (wrong && value > 0 ? "bad" : ""), data: { figure: name } },
		element("dt", {}, text("figure." + name)), element("dd", {}, number(value, 1)))));
}

// All runs

async function refreshRuns() {
	try {
		runs = await read("runs");
		problem(null);
		const current = runs.find(({ id }) => id === shown?.id);
		if (current && !shown.over && !["starting", "running"].includes(current.state)) {
			shown.close();
			shown.state = current.state;
			shown.verdict = current.verdict ?? shown.verdict;
			view.changed();
		}
		const going = runs.find(({ state }) => state === "starting" || state === "running");
		if (going && going.id !== shown?.id && (!shown || shown.over)) {
			// Another page has started it.
			show(going);
		}
	} catch (error) {
		problem(error);
		if (shown && !shown.over) {
			shown.close();
			shown.state = "failed";
			view.fail(text("unreachable"));
		}
	}
	renderRuns();
}

function renderRuns() {
	const rows = runs.map((run) => {
		const { request: asked, verdict } = run;
		const title = words.strategy(asked.strategy);
		const repeat = element("a", { className: "quiet", href: query(asked, true) }, text("runs.repeat"));
		const look = element("button", { type: "button", className: "quiet" }, text("runs.show"));
		look.addEventListener("click", () => {
			show(run, RECORDED);
			renderRuns();
			byId("run").scrollIntoView();
		});
		const figures = [["sold", verdict?.sold], ["left", verdict?.left], ["oversold", verdict?.oversold, "wrong"],
			["doubles", verdict?.doubles, "wrong"], ["overlap", verdict?.longestOverlapMillis, "wrong"], ["perSecond", verdict?.perSecond],
			["p99", verdict?.waiting?.p99], ["commands", verdict?.redisCommandsPerSale]];
		const [mark, className] = OUTCOMES[verdict?.outcome] ?? ["", ""];
		return element("tr", { data: run.id === shown?.id ? { shown: "" } : {} },
			element("td", {}, element("strong", {}, title),
				element("small", {}, words.fault(asked.fault)), element("small", {}, words.sizes(asked))),
			element("td", { className }, verdict ? mark + say(verdict.sentence) : text("run." + run.state, { title })),
			...figures.map(([name, value, wrong]) => element("td", { className: "number" + (wrong && value > 0 ? " bad" : ""),
				data: { label: text("figure." + name), ...(BRIEF.has(name) ? { brief: "" } : {}) } }, number(value, 1))),
			element("td", {}, element("div", { className: "again" }, RECORDED ? null : repeat, look)));
	});
	byId("runs").tBodies[0].replaceChildren(...(rows.length > 0 ? rows
		: [element("tr", {}, element("td", { colSpan: 11 }, text("runs.none")))]));
}

// Words, colours, and the beginning

function render() {
	stockChart.draw(text("chart.time"), [text("figure.stock"), text("figure.sold"), text("figure.oversold")]);
	speedChart.draw(text("chart.time"), [text("figure.perSecond"), text("figure.p50"), text("figure.p99")]);
	view.words();
	if (words.strategies.length > 0) {
		renderFaults();
		renderStrategies();
		renderChosen();
		renderRuns();
	}
}

function fillForm() {
	const asked = new URLSearchParams(location.search);
	strategy = words.strategies.some(({ id }) => id === asked.get("strategy")) ? asked.get("strategy") : words.strategies[0].id;
	for (const name of NUMBERS) {
		const input = byId(name);
		input.min = limits[name].min;
		input.max = limits[name].max;
		input.value = asked.get(name) ?? limits[name].default;
	}
	renderFaults();
	byId("fault").value = words.faults.some(({ id }) => id === asked.get("fault")) ? asked.get("fault") : "none";
	byId("start").dataset.text = RECORDED ? "tour.replay" : "lab.start";
	byId("start").textContent = text(byId("start").dataset.text);
	return asked.get("run") === "1";
}

byId("form").addEventListener("submit", submit);
byId("stop").addEventListener("click", () => stop(shown.id).catch(problem).then(refreshRuns));
byId("fault").addEventListener("change", () => {
	renderStrategies();
	renderChosen();
});
NUMBERS.forEach((name) => byId(name).addEventListener("input", renderChosen));
onChange(render);
start();
try {
	[limits, runs] = await Promise.all([read("limits"), read("runs"), words.load()]);
	const go = fillForm();
	byId("form").inert = false;
	render();
	const going = runs.find(({ state }) => state === "running" || state === "starting");
	if (going) {
		show(going);
	} else if (go) {
		await submit();
	} else if (runs.length > 0 && !RECORDED) {
		show(runs[0]);
	}
	if (!RECORDED) {
		setInterval(() => {
			if (!document.hidden && (!shown || shown.over)) {
				refreshRuns();
			}
		}, GLANCE_MILLIS);
	}
} catch (error) {
	problem(error);
}
