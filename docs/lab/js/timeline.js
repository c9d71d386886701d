import { canvasColour } from "./charts.js";

const MOST_LANES = 8;

const LEFT = 84;

const BOTTOM = 24;

/** An overlap is seen however short it is. */
const LEAST_OVERLAP = 3;

const HATCH = 7;

/**
 * Draws when callers were inside: a row per node, a lane per caller that was inside at the same time. Red is the time in which two were inside. A caller whose
 * process is frozen is drawn as a thin line: it holds what it believes to hold, and does nothing.
 */
export class Timeline {

	constructor(canvas) {
		this.canvas = canvas;
		this.show(null, 0);
		new ResizeObserver(() => this.draw()).observe(canvas);
		canvas.addEventListener("keydown", (event) => this.key(event));
		canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
	}

	/** Shows a run up to a moment; marks are its faults in words. */
	show(run, until, marks = []) {
		if (run !== this.run) {
			this.view = null;
			this.focus = null;
		}
		this.run = run;
		this.until = until;
		this.marks = marks;
		this.end = run?.end ?? 1;
		this.halts = run?.halts() ?? [];
		this.rows = rows(run);
		this.draw();
	}

	/** Shows the overlap that follows the one shown last, or the first one; returns it. */
	nextOverlap() {
		const { overlaps } = this.run;
		const next = overlaps.find(({ from }) => from > (this.focus ?? -1)) ?? overlaps[0];
		this.focus = next.from;
		this.lookAt((next.from + next.to) / 2, 8 * (next.to - next.from));
		return next;
	}

	lookAt(middle, width = 80) {
		const wide = Math.max(20, width);
		this.look(middle - wide / 2, middle + wide / 2);
	}

	span() {
		return this.view ?? { from: 0, to: this.end };
	}

	key(event) {
		const { from, to } = this.span();
		const width = to - from;
		const moves = {
			ArrowLeft: () => this.look(from - width / 5, to - width / 5),
			ArrowRight: () => this.look(from + width / 5, to + width / 5),
			"+": () => this.zoom(0.5),
			"=": () => this.zoom(0.5),
			"-": () => this.zoom(2),
			Home: () => this.showAll(),
		};
		if (moves[event.key]) {
			event.preventDefault();
			moves[event.key]();
		}
	}

	zoom(factor) {
		const { from, to } = this.span();
		const middle = (from + to) / 2;
		this.look(middle - ((to - from) / 2) * factor, middle + ((to - from) / 2) * factor);
	}

	showAll() {
		this.look(0, this.end);
	}

	wheel(event) {
		if (!event.ctrlKey) {
			return;
		}
		event.preventDefault();
		const { from, to } = this.span();
		const box = this.canvas.getBoundingClientRect();
		const share = Math.min(1, Math.max(0, (event.clientX - box.left - LEFT) / (box.width - LEFT)));
		const middle = from + share * (to - from);
		const factor = event.deltaY > 0 ? 1.25 : 0.8;
		this.look(middle - (middle - from) * factor, middle + (to - middle) * factor);
	}

	look(from, to) {
		const width = Math.min(Math.max(to - from, 2), this.end);
		const start = Math.min(Math.max(from, 0), this.end - width);
		this.view = width >= this.end ? null : { from: start, to: start + width };
		this.draw();
	}

	draw() {
		const scale = window.devicePixelRatio || 1;
		const width = this.canvas.clientWidth;
		const height = this.canvas.clientHeight;
		if (width === 0 || height === 0) {
			return;
		}
		this.canvas.width = Math.round(width * scale);
		this.canvas.height = Math.round(height * scale);
		const pen = this.canvas.getContext("2d");
		pen.scale(scale, scale);
		pen.font = "12px system-ui, sans-serif";
		const colours = { text: canvasColour("--soft"), line: canvasColour("--line"), alone: canvasColour("--good"), overlap: canvasColour("--bad"), mark: canvasColour("--warn"), halted: canvasColour("--warn-back"), back: canvasColour("--card"), now: canvasColour("--act") };
		const { from, to } = this.span();
		const x = (at) => LEFT + ((at - from) / (to - from)) * (width - LEFT - 8);
		const frame = { from, to: Math.min(to, this.until), x, width, height };
		this.drawAxis(pen, colours, { from, to, x, width, height });
		const rowHeight = (height - BOTTOM) / Math.max(1, this.rows.size);
		let top = 0;
		for (const [node, row] of this.rows) {
			this.drawRow(pen, colours, node, row, { ...frame, top, height: rowHeight });
			top += rowHeight;
		}
		this.drawMarks(pen, colours, frame);
		if (this.until > from && this.until < to) {
			pen.fillStyle = colours.now;
			pen.fillRect(x(this.until) - 1, 0, 2, height - BOTTOM);
		}
	}

	drawAxis(pen, colours, { from, to, x, width, height }) {
		pen.strokeStyle = colours.line;
		pen.fillStyle = colours.text;
		pen.textAlign = "center";
		const step = niceStep((to - from) / Math.max(1, Math.min(8, Math.floor((width - LEFT) / 64))));
		for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
			pen.beginPath();
			pen.moveTo(x(at), 0);
			pen.lineTo(x(at), height - BOTTOM);
			pen.stroke();
			const words = to >= 1000 && step >= 100 ? at / 1000 + " s" : Math.round(at * 10) / 10 + " ms";
			const half = pen.measureText(words).width / 2;
			pen.fillText(words, Math.min(Math.max(x(at), half), width - half - 2), height - 8);
		}
	}

	drawRow(pen, colours, node, row, frame) {
		const { top, height, width } = frame;
		pen.strokeStyle = colours.line;
		pen.fillStyle = colours.text;
		pen.textAlign = "left";
		pen.fillText(node, 6, top + height / 2 + 4, LEFT - 12);
		pen.beginPath();
		pen.moveTo(0, top + height);
		pen.lineTo(width, top + height);
		pen.stroke();
		this.drawHalts(pen, colours, node, frame);
		const laneHeight = (height - 12) / row.lanes;
		const seen = row.sections.filter(({ from, to }) => to >= frame.from && from <= frame.to);
		for (const section of seen) {
			const y = top + 6 + section.lane * laneHeight;
			pen.fillStyle = colours.alone;
			bar(pen, frame, section, y + laneHeight / 2 - 1, 2, 1);
			for (const part of section.awake) {
				bar(pen, frame, part, y, Math.max(laneHeight - 1, 1), 1);
			}
		}
		pen.fillStyle = colours.overlap;
		for (const overlap of this.run.overlaps.filter(({ from, to }) => to >= frame.from && from <= frame.to)) {
			for (const section of seen.filter(({ caller }) => overlap.callers.includes(caller))) {
				const met = { from: Math.max(section.from, overlap.from), to: Math.min(section.to, overlap.to) };
				if (met.to >= met.from) {
					bar(pen, frame, met, top + 6 + section.lane * laneHeight, Math.max(laneHeight - 1, 1), LEAST_OVERLAP);
				}
			}
		}
	}

	drawHalts(pen, colours, node, { top, height, from, to, x }) {
		for (const halt of this.halts.filter((each) => each.node === node && each.from <= to && each.to >= from)) {
			const left = Math.max(x(halt.from), LEFT);
			const right = x(Math.min(halt.to, to));
			pen.save();
			pen.beginPath();
			pen.rect(left, top + 1, Math.max(right - left, 2), height - 2);
			pen.clip();
			pen.fillStyle = colours.halted;
			pen.fillRect(left, top, right - left + 2, height);
			pen.strokeStyle = colours.mark;
			pen.globalAlpha = 0.45;
			pen.beginPath();
			for (let at = left - height; at < right; at += HATCH) {
				pen.moveTo(at, top + height);
				pen.lineTo(at + height, top);
			}
			pen.stroke();
			pen.restore();
		}
	}

	drawMarks(pen, colours, { from, to, x, height }) {
		pen.strokeStyle = colours.mark;
		pen.textAlign = "left";
		for (const mark of this.marks.filter(({ at }) => at >= from && at <= to)) {
			pen.beginPath();
			pen.setLineDash([4, 3]);
			pen.moveTo(x(mark.at), 0);
			pen.lineTo(x(mark.at), height - BOTTOM);
			pen.stroke();
			pen.setLineDash([]);
			const wide = pen.measureText(mark.text).width + 8;
			const left = x(mark.at) + 1 + wide > this.canvas.clientWidth ? x(mark.at) - 1 - wide : x(mark.at) + 1;
			pen.fillStyle = colours.back;
			pen.fillRect(left, 1, wide, 16);
			pen.fillStyle = colours.mark;
			pen.fillText(mark.text, left + 4, 13);
		}
	}

}

/** Sections by node, each in the first lane that is free. */
function rows(run) {
	const found = new Map();
	for (const node of [...new Set((run?.nodes ?? []).map(({ node }) => node))].sort()) {
		found.set(node, { ends: [], sections: [], lanes: 1 });
	}
	for (const section of run?.sections ?? []) {
		const row = found.get(section.node) ?? { ends: [], sections: [], lanes: 1 };
		found.set(section.node, row);
		let lane = row.ends.findIndex((end) => end <= section.from);
		if (lane < 0) {
			lane = Math.min(row.ends.length, MOST_LANES - 1);
		}
		row.ends[lane] = section.to;
		row.lanes = row.ends.length;
		row.sections.push({ ...section, lane, awake: awake(section) });
	}
	return found;
}

/** The parts of a section in which its process ran. */
function awake({ from, to, frozenFrom, frozenTo }) {
	return frozenFrom === null || frozenFrom === undefined ? [{ from, to }] : [{ from, to: frozenFrom }, { from: frozenTo ?? to, to }];
}

function bar(pen, { from, to, x }, part, y, height, least) {
	if (part.to >= from && part.from <= to) {
		const left = Math.max(x(part.from), LEFT);
		pen.fillRect(left, y, Math.max(x(Math.min(part.to, to)) - left, least), height);
	}
}

function niceStep(least) {
	const power = 10 ** Math.floor(Math.log10(Math.max(least, 0.1)));
	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}
