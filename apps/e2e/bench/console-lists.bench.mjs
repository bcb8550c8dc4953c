// Measures the web console on a gateway with 10,000 sessions and a history of 5,000 requests: the first load in a real
// browser whose processor is slowed down four times, and the long lists at full speed. Run with `node bench/console-lists.bench.mjs` after a build.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openStore } from "@openclaw/store";
import { startBrowser } from "../src/browser.ts";

const SESSIONS = 10_000;
const APPROVALS = 5000;
const LOADS = 5;
const SLOWDOWN = 4;
const PROGRAM = resolve(import.meta.dirname, "../../gateway/bin/openclaw.cjs");

const folder = mkdtempSync(join(tmpdir(), "openclaw-console-bench-"));
await fill();
const gateway = await startGateway();
const browser = await startBrowser();
try {
  await measureLoads();
  await measureLists();
} finally {
  await browser.close();
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** First paint, and the time until a conversation can be written to, each in a new profile. */
async function measureLoads() {
  const paints = [];
  const usable = [];
  for (let load = 0; load < LOADS; load += 1) {
    const page = await open();
    const begun = performance.now();
    await page.goto(`${gateway.url}/chat/agent%3Amain%3As0`);
    await page.getByRole("textbox", { name: /message/i }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    usable.push(performance.now() - begun);
    paints.push(
      await page.evaluate(
        () => performance.getEntriesByName("first-contentful-paint")[0].startTime,
      ),
    );
    await page.context().close();
  }
  report({ metric: "first paint, median", value: median(paints), n: LOADS, goal: 600 });
  report({ metric: "usable chat, median", value: median(usable), n: LOADS, goal: 1200 });
}

/** The two long lists: the first rows, and the frames while each is scrolled to its end. */
async function measureLists() {
  for (const [name, path, row, total] of [
    ["sessions", "/sessions", ".sessions .row.act", SESSIONS],
    ["approval history", "/approvals/history", ".ahist .row.act", APPROVALS],
  ]) {
    const page = await open(1);
    const begun = performance.now();
    await page.goto(gateway.url + path);
    await page.locator(row).first().waitFor();
    report({
      metric: `${name}: first rows`,
      value: performance.now() - begun,
      n: total,
      goal: 1200,
    });
    // All pages are read first, so that the frames are those of the whole list.
    await page.waitForFunction(
      async ([selector, count]) => {
        const scroller = document.querySelector(".page");
        scroller.scrollTop = scroller.scrollHeight;
        const table = document.querySelector(selector).closest("[role=table]");
        return scroller.scrollHeight > count * 30 && table.ariaRowCount > count;
      },
      [row, total],
      { timeout: 300_000, polling: 50 },
    );
    const frames = await page.evaluate(async () => {
      const scroller = document.querySelector(".page");
      const times = [];
      const frame = () => new Promise(requestAnimationFrame);
      scroller.scrollTop = 0;
      let before = await frame();
      for (let step = 0; step < 120; step += 1) {
        scroller.scrollTop += 600;
        const now = await frame();
        times.push(now - before);
        before = now;
      }
      return times;
    });
    const perSecond = 1000 / (frames.reduce((sum, ms) => sum + ms, 0) / frames.length);
    report({
      ...{ metric: `${name}: scrolling`, value: perSecond, n: frames.length, goal: 50 },
      ...{ unit: "frames/s", better: "higher" },
    });
    await page.context().close();
  }
}

/** Opens a page that is signed in, on a slow processor unless another rate is given. */
async function open(rate = SLOWDOWN) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(
    (value) => sessionStorage.setItem("openclaw.token", value),
    gateway.token,
  );
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  return page;
}

async function fill() {
  mkdirSync(join(folder, "state"), { recursive: true, mode: 0o700 });
  const store = await openStore({
    file: join(folder, "state/openclaw.db"),
    durability: "process",
  });
  const requester = { channel: "api", accountId: "default", senderId: "operator" };
  await store.transaction(async (inside) => {
    for (let index = 0; index < SESSIONS; index += 1) {
      const sessionKey = `agent:main:s${index}`;
      const { session } = await inside.sessions.open(sessionKey, { agentId: "main" });
      const message = { role: "user", content: [{ type: "text", text: "Hello" }], timestamp: 1 };
      await inside.messages.transcript.append({ sessionId: session.sessionId, message });
    }
    for (let index = 0; index < APPROVALS; index += 1) {
      const { id } = await inside.decisions.approvals.create({
        ...{ kind: "exec", alsoRequestedBy: [], tool: "exec", runId: `run-${index}` },
        ...{ toolCallId: "call_1", params: { command: `git commit -m change-${index}` } },
        ...{ commands: [`git commit -m change-${index}`], digest: String(index).padStart(64, "0") },
        ...{ sessionKey: `agent:main:s${index}`, agentId: "main", requester },
        ...{
          title: "Run command?",
          description: "It changes the repository.",
          severity: "warning",
        },
        ...{ allowedDecisions: ["allow-once", "deny"], timeoutBehavior: "deny", timeoutMs: 60_000 },
        grant: { scope: "session", key: "0".repeat(64) },
      });
      const state = index % 3 === 0 ? "denied" : "allowed-once";
      await inside.decisions.approvals.decide(id, { state, by: "terminal:local", via: "terminal" });
    }
  });
  await store.close();
}

async function startGateway() {
  const state = join(folder, "state");
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
    url,
    token: readFileSync(join(state, "gateway.token"), "utf8").trim(),
    stop: () =>
      new Promise((done) => {
        child.once("exit", done);
        child.kill("SIGTERM");
      }),
  };
}

function report(result) {
  const base = { package: "e2e", bench: "console lists", unit: "ms", better: "lower" };
  console.log(JSON.stringify({ ...base, ...result }));
}

function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}
