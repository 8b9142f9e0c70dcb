import { LINE_HEIGHT, textWidth } from "./metrics.js";

export interface Box {
	readonly left: number;
	readonly top: number;
	readonly right: number;
	readonly bottom: number;
}

/** x′ = a·x + c·y + e, y′ = b·x + d·y + f */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

function times([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
	return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** Reads translate, rotate and scale, which is all that Plotly writes. */
export function readTransform(text: string | null): Matrix {
	let matrix = IDENTITY;
	for (const [, name, list = ""] of (text ?? "").matchAll(/(translate|rotate|scale)\(([^)]*)\)/g)) {
		const [p = 0, q, r = 0] = list.split(/[ ,]+/).map(Number);
		if (name === "translate") matrix = times(matrix, [1, 0, 0, 1, p, q ?? 0]);
		else if (name === "scale") matrix = times(matrix, [p, 0, 0, q ?? p, 0, 0]);
		else {
			const [sin, cos] = [Math.sin((p * Math.PI) / 180), Math.cos((p * Math.PI) / 180)];
			const [x, y] = [q ?? 0, r];
			matrix = times(matrix, [cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos]);
		}
	}
	return matrix;
}

function fontSize(element: Element): number {
	for (let at: Element | null = element; at !== null; at = at.parentElement) {
		const found = /font-size: *([\d.]+)px/.exec(at.getAttribute("style") ?? "");
		if (found !== null) return Number(found[1]);
	}
	return 12;
}

function textAnchor(element: Element): string {
	const style = /text-anchor: *(\w+)/.exec(element.getAttribute("style") ?? "");
	return style?.[1] ?? element.getAttribute("text-anchor") ?? "start";
}

/** The box of a text in its own coordinates, from its characters: jsdom itself lays nothing out. */
export function textBox(element: Element): Box {
	const size = fontSize(element);
	const bold = /font-weight: *(?:bold|[6-9]00)/.test(element.outerHTML);
	const lines = [...element.querySelectorAll("tspan.line")].map((line) => line.textContent ?? "");
	if (lines.length === 0) lines.push(element.textContent ?? "");
	const width = Math.max(...lines.map((line) => textWidth(line, size, bold)));
	const x = Number(element.getAttribute("x")) || 0;
	const anchor = textAnchor(element);
	const left = x - (anchor === "middle" ? width / 2 : anchor === "end" ? width : 0);
	const top = (Number(element.getAttribute("y")) || 0) - 0.93 * size;
	return { left, top, right: left + width, bottom: top + lines.length * size * LINE_HEIGHT };
}

function mapped({ left, top, right, bottom }: Box, [a, b, c, d, e, f]: Matrix): Box {
	const corners = [
		[left, top],
		[right, top],
		[left, bottom],
		[right, bottom],
	] as const;
	const xs = corners.map(([x, y]) => a * x + c * y + e);
	const ys = corners.map(([x, y]) => b * x + d * y + f);
	return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

function collect(element: Element, matrix: Matrix, boxes: Box[]): void {
	if (element.tagName === "text") {
		if ((element.textContent ?? "") !== "") boxes.push(mapped(textBox(element), matrix));
		return;
	}
	for (const child of element.children)
		collect(child, times(matrix, readTransform(child.getAttribute("transform"))), boxes);
}

/** The box around all texts of an element; with `outside`, as the page sees it, else in the element's own coordinates. */
export function boxAround(element: Element, outside: boolean): Box {
	let matrix = IDENTITY;
	for (let at: Element | null = outside ? element : null; at !== null; at = at.parentElement) {
		matrix = times(readTransform(at.getAttribute("transform")), matrix);
	}
	const boxes: Box[] = [];
	collect(element, matrix, boxes);
	const [, , , , x, y] = matrix;
	if (boxes.length === 0) return { left: x, top: y, right: x, bottom: y };
	return {
		left: Math.min(...boxes.map(({ left }) => left)),
		top: Math.min(...boxes.map(({ top }) => top)),
		right: Math.max(...boxes.map(({ right }) => right)),
		bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
	};
}
