/**
 * Advance widths of Helvetica, ASCII 32–126, in thousandths of an em (Adobe's font metrics). jsdom lays nothing out,
 * so Plotly's questions about the size of a text are answered from here.
 */
const WIDTHS = [
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
	556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
	722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
	556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
	260, 334, 584,
];
const OTHER = 570;
const BOLD = 1.07;
export const LINE_HEIGHT = 1.3;

/** Width of one line of text in px. */
export function textWidth(text: string, fontSize: number, bold = false): number {
	let width = 0;
	for (const character of text) width += WIDTHS[(character.codePointAt(0) ?? 0) - 32] ?? OTHER;
	return (width / 1000) * fontSize * (bold ? BOLD : 1);
}
