/** Colours of paper and ink in a light room; the dark ones are in {@link DARK}. */
export const INK = "#24292f";
export const QUIET_INK = "#57606a";
export const GRID = "#d8dee4";
export const PAPER = "#ffffff";
/** A pale field behind something, such as a time in which a server froze. */
export const FIELD = "#eef1f4";

/**
 * Six colours and ink, chosen so that any two stay apart for readers with normal, protan and deutan sight (CIE76
 * distance of at least 12 under Machado's 2009 simulation) and each has a contrast of 3 to its paper. Dash and marker
 * tell the settings apart without any colour.
 */
export const PALETTE = {
	orange: "#c8581a",
	blue: "#17508a",
	sky: "#1a90ea",
	green: "#09684f",
	pink: "#d13fb0",
	grey: "#888f96",
} as const;

/** Light colour → the same role in the dark. */
export const DARK: Readonly<Record<string, string>> = {
	[INK]: "#e6edf3",
	[QUIET_INK]: "#9aa4af",
	[GRID]: "#363d46",
	[PAPER]: "#14181d",
	[FIELD]: "#252b33",
	[PALETTE.orange]: "#ec6e14",
	[PALETTE.blue]: "#2486e6",
	[PALETTE.sky]: "#58bdee",
	[PALETTE.green]: "#14e39b",
	[PALETTE.pink]: "#de2a74",
	[PALETTE.grey]: "#9ca1a7",
};

/** Ink that stays dark in both rooms, for words on a bright bar. */
const ALWAYS_DARK = "#1b1f23";

/** The ink for words inside a bar of `colour`. */
export function inkOn(colour: string): string {
	return colour === PALETTE.sky || colour === PALETTE.grey ? ALWAYS_DARK : PAPER;
}

/** How one setting looks in every chart: colour, dash and marker, so that colour is never the only sign. */
export interface Look {
	readonly colour: string;
	readonly dash: "solid" | "dash" | "dot" | "dashdot";
	readonly symbol: string;
}

const KNOWN: Readonly<Record<string, Look>> = {
	none: { colour: PALETTE.orange, dash: "solid", symbol: "circle" },
	"none again": { colour: PALETTE.grey, dash: "dot", symbol: "circle" },
	nomodel: { colour: PALETTE.grey, dash: "dot", symbol: "x" },
	"nomodel-deferred": { colour: PALETTE.grey, dash: "dashdot", symbol: "cross" },
	b1w0: { colour: INK, dash: "dash", symbol: "triangle-up" },
	b8w0: { colour: PALETTE.sky, dash: "dash", symbol: "diamond" },
	b32w0: { colour: PALETTE.blue, dash: "solid", symbol: "square" },
	b128w0: { colour: PALETTE.green, dash: "dashdot", symbol: "triangle-down" },
	b32w1: { colour: PALETTE.pink, dash: "dot", symbol: "star" },
	b32w2: { colour: PALETTE.pink, dash: "dash", symbol: "triangle-up" },
};
const OTHERS: readonly Look[] = [
	{ colour: PALETTE.green, dash: "dash", symbol: "star" },
	{ colour: INK, dash: "dot", symbol: "hexagon" },
	{ colour: PALETTE.pink, dash: "dashdot", symbol: "pentagon" },
	{ colour: PALETTE.sky, dash: "dot", symbol: "cross" },
	{ colour: PALETTE.grey, dash: "dash", symbol: "x" },
];

/** The look of a setting's name; unknown names share out the rest by their place in the chart. */
export function lookOf(setting: string, place = 0): Look {
	return KNOWN[setting] ?? OTHERS[place % OTHERS.length] ?? { colour: PALETTE.grey, dash: "solid", symbol: "circle" };
}

/** Colour and marker of a setting's label: the look of its line, or of a line without markers. */
export function labelLook(setting: string, place = 0): Pick<Look, "colour" | "symbol"> {
	const { colour, symbol } = lookOf(setting, place);
	return { colour, symbol };
}

const GLYPHS: Readonly<Record<string, string>> = {
	circle: "●",
	square: "■",
	diamond: "◆",
	"triangle-up": "▲",
	"triangle-down": "▼",
	star: "★",
	x: "×",
	cross: "+",
	hexagon: "⬢",
	pentagon: "⬟",
};

/** Between two entries of a legend line; Plotly folds ordinary spaces into one. */
export const GAP = "&nbsp;&nbsp; ";

/** A coloured sign and a word in plain ink: what stands beside a line instead of a legend. */
export function keyed(text: string, colour: string, symbol = "square"): string {
	return `<span style="color:${colour}">${GLYPHS[symbol] ?? "■"}</span> ${text}`;
}

/** Relative luminance contrast of two colours, 1…21 (WCAG 2). */
export function contrast(first: string, second: string): number {
	const luminance = (hex: string) => {
		const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
			const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
			return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const [light = 1, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
	return (light + 0.05) / (dark + 0.05);
}
