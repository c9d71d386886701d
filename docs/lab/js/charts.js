import uPlot from "../webjars/uplot/dist/uPlot.esm.js";

const HEIGHT = 220;

function fromZero(plot, least, most) {
	return [Math.min(0, least ?? 0), Math.max(1, (most ?? 1) * 1.05)];
}

/** As wide as the longest number of an axis. */
function widest(plot, values) {
	return 22 + 7 * Math.max(3, ...(values ?? []).map(({ length }) => length));
}

/** Resolves a custom property that may be a light-dark() pair to a colour that a canvas understands. */
export function canvasColour(name) {
	const probe = document.createElement("span");
	probe.style.color = `var(${name})`;
	document.body.append(probe);
	const resolved = getComputedStyle(probe).color;
	probe.remove();
	return resolved;
}

/** A chart over the time of a run, made anew when words or colours change. Times are in seconds. */
export class RunChart {

	constructor(place, lines) {
		this.place = place;
		this.lines = lines;
		this.data = [[], ...lines.map(() => [])];
		new ResizeObserver(() => this.plot?.setSize({ width: place.clientWidth, height: HEIGHT })).observe(place);
	}

	/** Draws the chart with these words. */
	draw(timeLabel, labels) {
		this.plot?.destroy();
		const axis = { stroke: canvasColour("--soft"), grid: { stroke: canvasColour("--line"), width: 1 }, ticks: { stroke: canvasColour("--line") } };
		const right = this.lines.some((line) => line.scale === "right");
		this.plot = new uPlot({
			width: this.place.clientWidth || 400,
			height: HEIGHT,
			scales: { x: { time: false }, y: { range: fromZero }, right: { range: fromZero } },
			legend: { live: false },
			cursor: { points: { show: false } },
			axes: [axis, axis, ...(right ? [{ ...axis, side: 1, scale: "right", grid: { show: false }, size: widest }] : [])],
			series: [{ label: timeLabel }, ...this.lines.map((line, index) => ({
				label: labels[index],
				scale: line.scale ?? "y",
				stroke: canvasColour(line.colour),
				width: 2,
				dash: line.dash,
				points: { show: false },
			}))],
		}, this.data, this.place);
	}

	/** Shows progress up to a moment. */
	show(progress, until) {
		const points = progress.filter(({ at }) => at <= until);
		this.data = [points.map(({ at }) => at / 1000), ...this.lines.map(({ value }) => points.map((each) => value(each) ?? null))];
		this.plot?.setData(this.data);
	}

}
