// Measures the log of the web console with 50,000 lines in a real browser: the first rows, and the frames while the list is
// scrolled (UI-559). Run with `node bench/console-logs.bench.mjs` after a build.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startBrowser } from "../src/browser.ts";

const LINES = 50_000;
const STEPS = 240;
const PROGRAM = resolve(import.meta.dirname, "../../gateway/bin/openclaw.cjs");
const folder = mkdtempSync(join(tmpdir(), "openclaw-console-bench-"));
const state = join(folder, "state");

mkdirSync(join(state, "logs"), { recursive: true, mode: 0o700 });
const levels = [20, 30, 30, 30, 40, 50];
const lines = Array.from({ length: LINES }, (_, index) =>
  JSON.stringify({
    ...{ level: levels[index % levels.length], time: Date.now() - (LINES - index) * 20 },
    ...{ subsystem: `part-${index % 9}`, runId: `run-${index % 500}` },
    msg: `line ${index} ${"of a log with words ".repeat(1 + (index % 5))}`,
  }),
);
writeFileSync(join(state, "logs/gateway.log"), `${lines.join("\n")}\n`, { mode: 0o600 });

const gateway = await startGateway();
const browser = await startBrowser();
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(
    (value) => sessionStorage.setItem("openclaw.token", value),
    gateway.token,
  );
  const begun = performance.now();
  await page.goto(`${gateway.url}/logs?level=debug`);
  await page.locator(".logs .row:not(.head)").first().waitFor();
  report({ metric: "first rows", value: performance.now() - begun, n: 1, goal: 1200 });
  // Each time that the beginning is on the screen, the page before is read.
  const most = await page.evaluate(
    async ([wanted, patience]) => {
      const table = document.querySelector(".logs");
      const scroller = table.closest(".page");
      const until = performance.now() + patience;
      const count = () => Number(table.ariaRowCount);
      while (count() < wanted && performance.now() < until) {
        scroller.scrollTop = 0;
        await new Promise((resolve) => setTimeout(resolve, 20));
        scroller.scrollTop = 40;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return count();
    },
    [LINES - 1000, 300_000],
  );
  if (most < LINES - 1000) throw new Error(`the list has ${most} lines only`);
  const frames = await page.evaluate(async (steps) => {
    const scroller = document.querySelector(".logs").closest(".page");
    const frame = () => new Promise(requestAnimationFrame);
    const part = (scroller.scrollHeight - 4000) / steps;
    scroller.scrollTop = 2000;
    const begun = await frame();
    let now = begun;
    for (let step = 0; step < steps; step += 1) {
      scroller.scrollTop += part;
      now = await frame();
    }
    return (1000 * steps) / (now - begun);
  }, STEPS);
  report({
    ...{ metric: "scrolling through 50,000 lines", value: frames, n: STEPS, goal: 50 },
    ...{ unit: "frames/s", better: "higher" },
  });
} finally {
  await browser.close();
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function startGateway() {
  const child = spawn(process.execPath, [PROGRAM, "gateway", "run", "--port", "0"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: state,
      OPENCLAW_STATE_DIR: state,
      OPENCLAW_KEYCHAIN: "off",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const url = await new Promise((found, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const [, address] = /url\s+(http:\S+)/.exec(output) ?? [];
      if (address !== undefined && output.includes("gateway stop")) found(address);
    });
    child.once("exit", (code) => reject(new Error(`the gateway ended with ${code}:\n${output}`)));
  });
  return {
    url: url.replace(/\/$/, ""),
    token: readFileSync(join(state, "gateway.token"), "utf8").trim(),
    stop: () =>
      new Promise((done) => {
        child.once("exit", done);
        child.kill("SIGTERM");
      }),
  };
}

function report({ unit = "ms", better = "lower", ...result }) {
  console.log(JSON.stringify({ package: "e2e", bench: "console logs", unit, better, ...result }));
}
