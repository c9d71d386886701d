import { text } from "./page.js";
import { label, moment, who } from "./story.js";

/**
 * The diagram of a story: a lane for each process, one for the lock and one for the stock; time runs downwards, a row for each note. Rows are equally high: a
 * pause of two seconds and the five milliseconds after it are both to be read.
 */

const ROW = 46;

const TOP = 34;

const TIME = 66;

const LEAST = 330;

const MOST = 760;

/** Where the arrow of a note goes: to the lock, from the lock, or to the stock. Others are a point in the lane of their process. */
const ARROWS = {
	granted: "from-lock", "told-lost": "from-lock", "lock-deleted": "to-lock", unprotected: "to-lock", renewed: "to-lock",
	wrote: "to-stock", "wrote-over": "to-stock", "sold-again": "to-stock", refused: "to-stock",
};

const WRONG = new Set(["wrote-over", "sold-again", "lock-deleted", "unprotected", "lease-ended", "lock-forgotten", "stuck"]);

/** Draws notes up to a moment, as wide as there is room. Returns an element; its words are those of the list beside it. */
export function lanes(run, until, room) {
	const all = notesOf(run);
	const notes = all.filter(({ at }) => at <= until);
	const processes = [...new Set(all.flatMap(({ node, values }) => [node, values?.byNode]).filter(Boolean))].sort();
	const names = processes.length > 1 ? [processes[0], "lock", ...processes.slice(1), "stock"] : [...processes, "lock", "stock"];
	const width = Math.min(Math.max(room, LEAST), MOST);
	const height = TOP + all.length * ROW + 10;
	const x = (name) => TIME + (names.indexOf(name) + 0.5) * ((width - TIME) / names.length);
	const y = (index) => TOP + (index + 0.5) * ROW;
	const svg = shape("svg", { width, height, class: "lanes", role: "img", "aria-label": text("lanes.label", { count: notes.length }) });
	svg.append(arrowHeads());
	for (const name of names) {
		const title = name === "lock" || name === "stock" ? text("lanes." + name) : name;
		svg.append(words(title, x(name), 16, "lane-name"), shape("line", { x1: x(name), x2: x(name), y1: 24, y2: height, class: "lane" }));
	}
	stretches(notes).forEach(({ lane, className, from, to }) => svg.append(shape("rect",
		{ x: x(lane) - 5, y: y(from), width: 10, height: Math.max(4, (to === null ? (notes.length < all.length ? y(notes.length - 1) + ROW / 2 : height - 4) : y(to)) - y(from)), class: className })));
	notes.forEach((note, index) => svg.append(row(note, run, x, y(index))));
	return svg;
}

/** The notes of the story, when each caller in it came in, whose lock made a token old, and when a process that froze went on. */
function notesOf(run) {
	const tale = run.tale();
	const told = run.told();
	const grants = tale.map((note) => told.findLast(({ kind, caller, at }) => kind === "granted" && caller === note.caller && at <= note.at));
	const thaws = tale.filter(({ kind }) => kind === "frozen").map((note) => told.find(({ kind, node, at }) => kind === "thawed" && node === note.node && at >= note.at));
	const newer = tale.filter(({ kind }) => kind === "refused")
		.map((note) => told.find(({ kind, caller, values, at }) => kind === "granted" && caller !== note.caller && at <= note.at && Number(values.token) > Number(note.values.token)));
	const chosen = new Set([...tale, ...grants, ...newer, ...thaws]);
	return told.filter((note) => chosen.has(note));
}

/** How long a process was halted, and how long a caller had the lock: rows from and to, null for no end. */
function stretches(notes) {
	const found = [];
	const close = (test, index) => found.filter((each) => each.to === null && test(each)).forEach((each) => {
		each.to = index;
	});
	notes.forEach(({ kind, node, caller }, index) => {
		if (kind === "frozen" || kind === "killed") {
			found.push({ lane: node, className: "halt", from: index, to: null });
		} else if (kind === "thawed") {
			close((each) => each.className === "halt" && each.lane === node, index);
		} else if (kind === "granted") {
			close(({ className }) => className.startsWith("lease"), index);
			found.push({ lane: "lock", className: "lease", caller, from: index, to: null });
		} else if (["lease-ended", "lock-forgotten", "lock-deleted", "unprotected"].includes(kind)) {
			close(({ className }) => className === "lease", index);
		}
	});
	return found;
}

function row(note, run, x, y) {
	const group = shape("g", { class: WRONG.has(note.kind) ? "row wrong" : note.kind === "refused" || note.kind === "told-lost" ? "row right" : "row" });
	group.append(words(moment(note.at), 0, y + 4, "lane-time"));
	const actor = note.values?.byNode ?? note.node;
	const own = actor ? x(actor) : x("lock");
	const arrow = ARROWS[note.kind];
	const ends = { "from-lock": [x("lock"), own], "to-lock": [own, x("lock")], "to-stock": [own, x("stock")] }[arrow] ?? [own, own];
	const place = note.kind === "lease-ended" || note.kind === "lock-forgotten" || note.kind === "stuck" ? x("lock") : own;
	if (arrow) {
		const [from, to] = ends;
		const gap = from < to ? -8 : 8;
		group.append(shape("line", { x1: from, y1: y, x2: to + gap, y2: y, class: "arrow", "marker-end": note.kind === "refused" ? "url(#stopped)" : "url(#head)" }));
		group.append(words(label(note, run), (from + to) / 2, y - 6, "lane-label"));
	} else {
		group.append(shape("circle", { cx: place, cy: y, r: 5 }), words(label(note, run), place, y - 9, "lane-label"));
	}
	const title = shape("title", {});
	title.textContent = who(note);
	group.append(title);
	return group;
}

function arrowHeads() {
	const defs = shape("defs", {});
	const head = shape("marker", { id: "head", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" });
	head.append(shape("path", { d: "M0 0 L10 5 L0 10 z", class: "head" }));
	const stopped = shape("marker", { id: "stopped", viewBox: "0 0 10 10", refX: 5, refY: 5, markerWidth: 9, markerHeight: 9 });
	stopped.append(shape("path", { d: "M1 1 L9 9 M9 1 L1 9", class: "cross" }));
	defs.append(head, stopped);
	return defs;
}

function words(content, x, y, className) {
	const made = shape("text", { x, y, class: className });
	made.textContent = content;
	return made;
}

function shape(name, attributes) {
	const made = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes)) {
		made.setAttribute(key, value);
	}
	return made;
}
