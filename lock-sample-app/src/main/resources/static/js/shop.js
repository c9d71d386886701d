import { byId, call, clock, currentLanguage, dateTime, element, number, onChange, problem, Refused, start, text } from "./page.js";

const LOG_LINES = 200;

const RUSH = 20;

let shop = { items: [], vouchers: [], nodes: [] };
let locks = [];
let answer = null;

function render() {
	byId("nodes").replaceChildren(...shop.nodes.map((node) => element("li", { data: { state: node.state } },
		[text("node.text", { ...node, state: text("state." + node.state) }),
			node.restarts > 0 ? text("node.restarts", { count: number(node.restarts) }) : null].filter(Boolean).join(" · "))));
	renderCards();
	renderLocks();
	renderAnswer();
}

let drawn = "";

/** Leaves what is there if nothing changed, so that nobody's click or key meets an element that is gone. */
function renderCards() {
	const wanted = JSON.stringify([currentLanguage(), shop.items, shop.vouchers, shop.vouchers.map(openness)]);
	if (wanted === drawn) {
		return;
	}
	drawn = wanted;
	keepFocus(() => {
		byId("items").replaceChildren(...shop.items.map(itemCard));
		byId("vouchers").replaceChildren(...[...shop.vouchers].sort((one, other) => openness(one) - openness(other)).map(voucherCard));
	});
}

function keepFocus(change) {
	const focused = document.activeElement?.id;
	const values = new Map([...document.querySelectorAll(".cards input")].map((input) => [input.id, input.value]));
	change();
	for (const input of document.querySelectorAll(".cards input")) {
		input.value = values.get(input.id) ?? input.value;
	}
	if (focused) {
		byId(focused)?.focus();
	}
}

function itemCard(item) {
	const quantity = element("input", { type: "number", min: "1", value: "1", id: "quantity-" + item.sku });
	return element("li", {},
		element("h3", {}, item.sku),
		element("p", { className: "left" }, text("item.left", { count: number(item.left) })),
		element("form", { onsubmit: (event) => buy(event, item.sku, quantity.value) },
			element("label", {}, text("item.quantity") + " ", quantity), " ",
			element("button", { id: "buy-" + item.sku, className: "main" }, text("item.buy"))),
		rushButton("rush-item-" + item.sku, () => `stock/${encodeURIComponent(item.sku)}/deduct?quantity=1`));
}

/** Each request is a customer; on one connection or another, the browser sends as many at a time as it likes. */
function rushButton(id, path) {
	return element("button", { type: "button", id, className: "quiet", onclick: () => rush(path) }, text("rush"));
}

async function rush(path) {
	const names = new Set();
	const answers = await Promise.allSettled(Array.from({ length: RUSH }, (unused, customer) => call("POST", path(customer))));
	const broken = answers.find(({ reason }) => reason && !(reason instanceof Refused));
	answers.forEach(({ value, reason }) => names.add(value?.node ?? reason?.node));
	const good = answers.filter(({ status }) => status === "fulfilled").length;
	answer = { state: good > 0 ? "good" : "bad", words: ["rush.done", { good: number(good), refused: number(RUSH - good),
		nodes: [...names].filter(Boolean).sort().join(", ") }] };
	problem(broken ? broken.reason : null);
	renderAnswer();
	await refresh();
}

/** 0 if it can be ordered, 1 if it will be, 2 if it is over or sold out. */
function openness(voucher) {
	const now = Date.now();
	return Date.parse(voucher.end) <= now || voucher.left === 0 ? 2 : Date.parse(voucher.begin) > now ? 1 : 0;
}

function stateOf(voucher) {
	const names = [text("voucher.open"), text("voucher.soon", { begin: clock(voucher.begin) }),
		text(Date.parse(voucher.end) <= Date.now() ? "voucher.over" : "voucher.gone")];
	return names[openness(voucher)];
}

function voucherCard(voucher) {
	const open = openness(voucher) === 0;
	const left = text("voucher.left", { count: number(voucher.left), stock: number(voucher.stock) });
	return element("li", { data: { open: open ? "yes" : "no" } },
		element("header", {}, element("h3", {}, voucher.title),
			element("span", { className: "badge", data: { open: open ? "yes" : "no" } }, stateOf(voucher))),
		element("p", { className: "left" }, left),
		element("progress", { max: voucher.stock, value: voucher.left, ariaHidden: "true" }),
		element("p", { className: "hint" },
			text("voucher.time", { begin: dateTime(voucher.begin), end: dateTime(voucher.end) })),
		voucher.onePerUser ? element("p", { className: "hint" }, text("voucher.one")) : null,
		element("form", { onsubmit: (event) => order(event, voucher.id) },
			element("button", { id: "order-" + voucher.id, className: open ? "main" : "" }, text("voucher.order")),
			open ? rushButton("rush-voucher-" + voucher.id,
				(customer) => `vouchers/${encodeURIComponent(voucher.id)}/orders?user=${encodeURIComponent(byId("user").value + "-" + customer)}`) : null));
}

function buy(event, sku, quantity) {
	event.preventDefault();
	return send(`stock/${encodeURIComponent(sku)}/deduct?quantity=${encodeURIComponent(quantity)}`,
		(body, node) => ["item.bought", { quantity: number(Number(quantity)), sku, left: number(body.left), node }]);
}

function order(event, voucher) {
	event.preventDefault();
	const user = byId("user").value;
	return send(`vouchers/${encodeURIComponent(voucher)}/orders?user=${encodeURIComponent(user)}`,
		(body, node) => ["voucher.ordered", { order: body.order, user, node }]);
}

async function send(path, success) {
	try {
		const { body, node } = await call("POST", path);
		answer = { state: "good", words: success(body, node) };
		problem(null);
	} catch (error) {
		if (error instanceof Refused) {
			answer = { state: "bad", words: ["refused", { detail: error.message, status: error.status, node: error.node }] };
		} else {
			problem(error);
		}
	}
	renderAnswer();
	await refresh();
}

function renderAnswer() {
	const place = byId("answer");
	place.textContent = answer === null ? "" : text(...answer.words);
	place.dataset.state = answer?.state ?? "";
}

function renderLocks() {
	const rows = locks.map((lock) => element("tr", {},
		element("td", { className: "key" }, lock.key),
		element("td", {}, [lock.holder?.application, lock.holder?.host].filter(Boolean).join(" @ ")),
		element("td", {}, lock.holder?.thread ?? ""),
		element("td", { className: "number" }, seconds(lock.holder?.sinceMillis)),
		element("td", { className: "number" }, seconds(lock.leaseLeftMillis)),
		element("td", { className: "number" }, String(lock.token ?? "–")),
		element("td", { className: "number" }, number(lock.queueLength ?? lock.queue?.length))));
	byId("locks").replaceChildren(...(rows.length > 0 ? rows
		: [element("tr", {}, element("td", { colSpan: 7 }, text("locks.none")))]));
}

function seconds(millis) {
	return millis === undefined || millis === null ? "–" : number(millis / 1000, 1) + " s";
}

function log(entry) {
	const place = byId("log");
	place.prepend(element("li", {}, element("time", { dateTime: entry.at }, clock(entry.at)),
		(entry.node ? entry.node + ": " : "") + entry.text));
	while (place.children.length > LOG_LINES) {
		place.lastChild.remove();
	}
}

let refreshing = null;

/** At most five requests a second, however many events ask for one. */
function refresh() {
	refreshing ??= call("GET", "api/shop").then(({ body }) => {
		shop = body;
		problem(null);
		render();
	}).catch(problem);
	refreshing.then(() => setTimeout(() => {
		refreshing = null;
	}, 200));
	return refreshing;
}

function listen() {
	const events = new EventSource("api/shop/events");
	events.addEventListener("locks", (event) => {
		locks = JSON.parse(event.data);
		renderLocks();
	});
	events.addEventListener("log", (event) => {
		log(JSON.parse(event.data));
		refresh();
	});
	events.addEventListener("open", refresh);
	events.addEventListener("error", () => problem(new TypeError("no answer")));
}

/** Nodes start, die and come back without an event of the shop. */
async function watch() {
	await refresh();
	setTimeout(watch, shop.nodes.every(({ state }) => state === "up") ? 2000 : 500);
}

onChange(render);
start();
await watch();
listen();
