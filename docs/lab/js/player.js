/** Which moment of a run is shown: the latest of one that goes on; of one that is over, any, at any speed. */
export class Player {

	constructor(changed) {
		this.changed = changed;
		this.run = null;
		this.speed = 1;
		this.at = Infinity;
		this.playing = false;
	}

	load(run, replay) {
		this.run = run;
		this.playing = replay;
		this.at = replay ? 0 : Infinity;
		this.last = null;
		this.tick();
	}

	/** The moment that is shown. */
	moment() {
		return Math.min(this.at, this.run.end);
	}

	toggle() {
		if (!this.playing && this.moment() >= this.run.end) {
			this.at = 0;
		}
		this.at = this.moment();
		this.playing = !this.playing;
		this.last = null;
		this.tick();
		this.changed();
	}

	seek(at) {
		this.playing = false;
		this.at = at >= this.run.end ? Infinity : at;
		this.changed();
	}

	tick() {
		if (!this.playing || this.ticking) {
			return;
		}
		this.ticking = true;
		requestAnimationFrame((now) => {
			this.ticking = false;
			if (this.playing && this.run.over) {
				this.at += this.last === null ? 0 : (now - this.last) * this.speed;
				this.last = now;
				if (this.at >= this.run.end) {
					this.seek(Infinity);
				}
				this.changed();
			}
			this.tick();
		});
	}

}
