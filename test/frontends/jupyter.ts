import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Browser, type Page, chromium as playwright } from "playwright-core";
import { chromium, jupyterEnvironment, root } from "./support.js";

const TOKEN = "workbook";
/** Settings that make the page hold still: no news, no virtual scrolling, no autosave in between. */
const SETTINGS = {
	"apputils-extension/notification": { fetchNews: "false", checkForUpdates: false },
	"notebook-extension/tracker": { windowingMode: "none" },
	"docmanager-extension/plugin": { autosave: false },
};

interface SessionModel {
	readonly path: string;
	readonly kernel: { readonly id: string; readonly execution_state: string } | null;
}

/** A JupyterLab server of its own, whose folder is the project or another one, and a browser to look at it. */
export class Jupyter {
	readonly #server: ChildProcess;
	readonly #browser: Browser;
	readonly #url: string;
	readonly #rootDir: string;

	private constructor(server: ChildProcess, browser: Browser, url: string, rootDir: string) {
		this.#server = server;
		this.#browser = browser;
		this.#url = url;
		this.#rootDir = rootDir;
	}

	static async start(bin: string, folder: string, env: NodeJS.ProcessEnv = {}, rootDir = root): Promise<Jupyter> {
		for (const [name, values] of Object.entries(SETTINGS)) {
			const path = join(folder, "settings", "@jupyterlab", `${name}.jupyterlab-settings`);
			await mkdir(join(path, ".."), { recursive: true });
			await writeFile(path, JSON.stringify(values));
		}
		const options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0", `--ServerApp.root_dir=${rootDir}`];
		const server = spawn(join(bin, "jupyter"), ["lab", ...options, `--IdentityProvider.token=${TOKEN}`], {
			env: { ...(await jupyterEnvironment(folder)), ...env },
			stdio: ["ignore", "ignore", "pipe"],
			detached: true,
		});
		let log = "";
		server.stderr?.setEncoding("utf8").on("data", (text: string) => {
			log += text;
		});
		const url = await until(120_000, "JupyterLab to start", () => serverUrl(join(folder, "runtime"))).catch((error) => {
			throw new Error(`${error}\n${log}`);
		});
		const browser = await playwright.launch({
			executablePath: chromium(),
			args: [
				"--headless",
				"--no-sandbox",
				"--disable-gpu",
				"--disable-quic",
				"--no-first-run",
				"--disable-background-networking",
				"--disable-component-update",
				"--disable-sync",
			],
		});
		return new Jupyter(server, browser, url, rootDir);
	}

	/** Opens a notebook in JupyterLab (`lab/tree`) or in Notebook 7 (`notebooks`). */
	async open(path: string, app: "lab/tree" | "notebooks" = "lab/tree"): Promise<Page> {
		const page = await this.#browser.newPage({ viewport: { width: 1300, height: 1000 } });
		const inside = relative(this.#rootDir, path);
		const place = inside.split("/").map(encodeURIComponent).join("/");
		page.setDefaultTimeout(120_000);
		await page.goto(`${this.#url}${app}/${place}?token=${TOKEN}${app === "lab/tree" ? "&reset" : ""}`, {
			waitUntil: "domcontentloaded",
		});
		await page.waitForSelector(".jp-Notebook .jp-CodeCell");
		// The page calls a kernel idle that is not there yet, and then runs nothing; the server knows better.
		await until(120_000, "the kernel to be idle", () => this.#isIdle(inside));
		await page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").waitFor();
		return page;
	}

	async #isIdle(path: string): Promise<boolean> {
		return (await this.kernelOf(path))?.execution_state === "idle";
	}

	/** What the server says of the kernel of a notebook, its path from the server's folder. */
	async kernelOf(path: string): Promise<{ readonly id: string; readonly execution_state: string } | undefined> {
		const reply = await fetch(`${this.#url}api/sessions?token=${TOKEN}`);
		const sessions: readonly SessionModel[] = JSON.parse(await reply.text());
		return sessions.find((session) => session.path === path)?.kernel ?? undefined;
	}

	/** A page of any address, a file's for instance. */
	async openUrl(url: string): Promise<Page> {
		const page = await this.#browser.newPage({ viewport: { width: 1300, height: 1000 } });
		await page.goto(url, { waitUntil: "domcontentloaded" });
		return page;
	}

	async stop(): Promise<void> {
		await this.#browser.close();
		const ended = new Promise((resolve) => this.#server.once("exit", resolve));
		this.#server.kill("SIGTERM");
		await ended;
	}
}

/** `Run All Cells` from the menu, as a person does it, then waits until every cell has a number. */
export async function runAllCells(page: Page, limitMs = 180_000): Promise<void> {
	await chooseFromMenu(page, "Run", "Run All Cells");
	await until(limitMs, "all cells to end", async () => {
		const prompts = await page.locator(".jp-Notebook .jp-CodeCell .jp-InputPrompt").allTextContents();
		return prompts.length > 0 && prompts.every((prompt) => /\[\d+\]/.test(prompt));
	});
}

/** Saves the notebook and waits until it is on disk as the page shows it. */
export async function save(page: Page, path: string): Promise<void> {
	const before = statSync(path).mtimeMs;
	await chooseFromMenu(page, "File", "Save Notebook");
	await until(30_000, "the notebook to be saved", () => statSync(path).mtimeMs > before && isWhole(path));
}

function isWhole(path: string): boolean {
	try {
		JSON.parse(readFileSync(path, "utf8"));
		return true;
	} catch {
		return false;
	}
}

export async function chooseFromMenu(page: Page, menu: string, entry: string): Promise<void> {
	await page.locator(".lm-MenuBar-itemLabel", { hasText: new RegExp(`^${menu}$`) }).click();
	await page.locator(".lm-Menu-itemLabel", { hasText: new RegExp(`^${entry}$`) }).click();
}

/** Repeats a question until it has an answer. */
export async function until<T>(limitMs: number, what: string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
	const end = Date.now() + limitMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined && answer !== null && answer !== false) return answer;
		if (Date.now() > end) throw new Error(`waited ${limitMs / 1_000} s for ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

function serverUrl(runtime: string): string | undefined {
	if (!existsSync(runtime)) return undefined;
	const file = readdirSync(runtime).find((name) => /^jpserver-\d+\.json$/.test(name));
	if (file === undefined) return undefined;
	const { url }: { readonly url?: string } = JSON.parse(readFileSync(join(runtime, file), "utf8"));
	return url;
}

/** For people: what a page showed, when `WORKBOOK_SCREENSHOTS` names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
	const folder = process.env.WORKBOOK_SCREENSHOTS;
	if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
