import { byId, call, clock, currentLanguage, dateTime, element, number, onChange, problem, Refused, start, text } from "./page.js";

const RUSH = 20;

let shop = { items: [], vouchers: [] };
let answer = null;

function render() {
	renderCards();
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

async function refresh() {
	try {
		shop = (await call("GET", "api/shop")).body;
		problem(null);
		render();
	} catch (error) {
		problem(error);
	}
}

/** Other customers buy too. */
async function watch() {
	await refresh();
	setTimeout(watch, 2000);
}

onChange(render);
start();
await watch();
