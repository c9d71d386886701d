import { canvasColour } from "./charts.js";

const MOST_LANES = 8;

const MOST_SECTIONS = 20000;

const LEFT = 84;

const BOTTOM = 24;

/** An overlap is seen however short it is. */
const LEAST_OVERLAP = 3;

const HATCH = 7;

/** Draws when callers were inside the section: a row per node, a lane per caller that was inside at the same time, overlaps in red. */
export class Timeline {

	constructor(canvas) {
		this.canvas = canvas;
		this.clear();
		new ResizeObserver(() => this.draw()).observe(canvas);
		canvas.addEventListener("keydown", (event) => this.key(event));
		canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
	}

	clear() {
		this.rows = new Map();
		this.marks = [];
		this.count = 0;
		this.overlaps = 0;
		this.overlapping = [];
		this.skipped = 0;
		this.end = 1;
		this.view = null;
		this.focus = null;
	}

	/** Adds a section; returns whether it is drawn. */
	add(section) {
		this.end = Math.max(this.end, section.to);
		if (section.overlap) {
			this.overlaps++;
		}
		if (this.count >= MOST_SECTIONS) {
			this.skipped++;
			return false;
		}
		this.count++;
		const row = this.row(section.node);
		let lane = row.ends.findIndex((end) => end <= section.from);
		if (lane < 0) {
			lane = Math.min(row.ends.length, MOST_LANES - 1);
		}
		row.ends[lane] = section.to;
		row.sections.push({ ...section, lane });
		if (section.overlap) {
			this.overlapping.push(section);
		}
		return true;
	}

	/** A process stops; it is drawn so until it goes on. */
	halt(node, at) {
		this.end = Math.max(this.end, at);
		this.row(node).halts.push({ from: at, to: null });
	}

	goOn(node, at) {
		const last = this.row(node).halts.at(-1);
		if (last && last.to === null) {
			last.to = at;
		}
	}

	/** Shows the overlap that follows the one in the middle of the view, or the first one. */
	nextOverlap() {
		const starts = this.overlapping.map(({ from }) => from).sort((one, other) => one - other);
		const after = this.focus ?? -1;
		this.focus = starts.find((from) => from > after + 1) ?? starts[0];
		const width = Math.max(20, Math.min(this.end, 80));
		if (this.focus !== undefined) {
			this.look(this.focus - width / 2, this.focus + width / 2);
		}
	}

	mark(at, text) {
		this.end = Math.max(this.end, at);
		this.marks.push({ at, text });
	}

	row(node) {
		if (!this.rows.has(node)) {
			this.rows.set(node, { ends: [], sections: [], halts: [] });
			this.rows = new Map([...this.rows].sort(([one], [other]) => one.localeCompare(other)));
		}
		return this.rows.get(node);
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
		const colours = { text: canvasColour("--soft"), line: canvasColour("--line"), alone: canvasColour("--good"), overlap: canvasColour("--bad"), mark: canvasColour("--warn"), halted: canvasColour("--warn-back"), back: canvasColour("--card") };
		const { from, to } = this.span();
		const x = (at) => LEFT + ((at - from) / (to - from)) * (width - LEFT - 8);
		this.drawAxis(pen, colours, { from, to, x, width, height });
		const rowHeight = (height - BOTTOM) / Math.max(1, this.rows.size);
		let top = 0;
		for (const [node, row] of this.rows) {
			this.drawRow(pen, colours, node, row, { top, height: rowHeight, from, to, x, width });
			top += rowHeight;
		}
		this.drawMarks(pen, colours, from, to, x, height);
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

	drawRow(pen, colours, node, row, { top, height, from, to, x, width }) {
		pen.strokeStyle = colours.line;
		pen.fillStyle = colours.text;
		pen.textAlign = "left";
		pen.fillText(node, 6, top + height / 2 + 4, LEFT - 12);
		pen.beginPath();
		pen.moveTo(0, top + height);
		pen.lineTo(width, top + height);
		pen.stroke();
		this.drawHalts(pen, colours, row, { top, height, from, to, x });
		const lanes = Math.max(1, row.ends.length);
		const laneHeight = (height - 12) / lanes;
		for (const overlap of [false, true]) {
			pen.fillStyle = overlap ? colours.overlap : colours.alone;
			for (const section of row.sections) {
				if (section.overlap === overlap && section.to >= from && section.from <= to) {
					const left = Math.max(x(section.from), LEFT);
					const least = overlap ? LEAST_OVERLAP : 1;
					pen.fillRect(left, top + 6 + section.lane * laneHeight, Math.max(x(section.to) - left, least), Math.max(laneHeight - 1, 1));
				}
			}
		}
	}

	drawHalts(pen, colours, row, { top, height, from, to, x }) {
		for (const halt of row.halts.filter((each) => each.from <= to && (each.to ?? to) >= from)) {
			const left = Math.max(x(halt.from), LEFT);
			const right = x(Math.min(halt.to ?? to, to));
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

	drawMarks(pen, colours, from, to, x, height) {
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

function niceStep(least) {
	const power = 10 ** Math.floor(Math.log10(Math.max(least, 0.1)));
	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}
