import uPlot from "../webjars/uplot/dist/uPlot.esm.js";

const HEIGHT = 220;

function fromZero(plot, least, most) {
	return [Math.min(0, least ?? 0), Math.max(1, (most ?? 1) * 1.05)];
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
			axes: [axis, axis, ...(right ? [{ ...axis, side: 1, scale: "right", grid: { show: false } }] : [])],
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

	clear() {
		this.data = [[], ...this.lines.map(() => [])];
		this.plot?.setData(this.data);
	}

	add(progress) {
		this.data[0].push(progress.at / 1000);
		this.lines.forEach((line, index) => this.data[index + 1].push(line.value(progress) ?? null));
	}

	show() {
		this.plot?.setData(this.data);
	}

}
