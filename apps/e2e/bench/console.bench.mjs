// Measures the web console in a real Chromium: a long conversation, a fast stream on a slow machine, a run of many
// steps, and the memory that views leave behind (UI-539, UI-540).
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@openclaw/store";
import { startBrowser } from "../src/browser.ts";

const BIN = join(import.meta.dirname, "../../gateway/bin/openclaw.cjs");
const MESSAGES = 10_000;
const STEPS = 2000;
const HANDLERS = 500;
const RUNS = 5;
const LONG = "agent:main:long";
const STREAM = "agent:main:stream";
const folder = mkdtempSync(join(tmpdir(), "openclaw-console-bench-"));
const state = join(folder, "state");
const workspace = join(folder, "workspace");
mkdirSync(workspace, { recursive: true });
mkdirSync(state, { recursive: true, mode: 0o700 });

const model = await startModel();
const runId = await fillStore(join(state, "openclaw.db"));
writeFileSync(
  join(state, "openclaw.json"),
  JSON.stringify({
    models: {
      providers: {
        bench: { type: "openai-compatible", baseUrl: model.url, models: { stream: {} } },
      },
    },
    agents: { defaults: { model: "bench/stream" } },
  }),
);
const gateway = await startGateway();
const browser = await startBrowser();
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(error));
  await page.addInitScript(
    (token) => sessionStorage.setItem("openclaw.token", token),
    gateway.token,
  );
  await page.goto(gateway.url);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  const devtools = await context.newCDPSession(page);
  await measureConversation(page);
  await measureRun(page);
  await measureMemory(page, devtools);
  await measureStream(page, devtools);
  await measureStop(page);
} finally {
  await browser.close();
  gateway.child.kill("SIGTERM");
  await new Promise((resolve) => gateway.child.once("exit", resolve));
  model.server.closeAllConnections();
  model.server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measureConversation(page) {
  // The first visit loads the program of the view.
  await timeOf(page, `/chat/${encodeURIComponent(STREAM)}`, ".composer");
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    await timeOf(page, "/runs", ".runs .row.act");
    times.push(await timeOf(page, `/chat/${encodeURIComponent(LONG)}`, ".chat .entry"));
  }
  print("conversation of 10,000 messages, until it is on the screen, median", median(times), {
    ...{ unit: "ms", goal: 1000, n: RUNS },
  });
  // Finding reads the whole conversation.
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("/");
  await page.getByLabel("Find in the conversation").fill("Message 4242");
  await page.getByText("1 of 1", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  const frames = await page.evaluate(async () => {
    const list = document.querySelector(".chat .scroll");
    const startedAt = performance.now();
    let count = 0;
    let direction = -1;
    while (performance.now() - startedAt < 5000) {
      if (list.scrollTop <= 0) direction = 1;
      else if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) direction = -1;
      list.scrollTop += direction * 120;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      count += 1;
    }
    return count / ((performance.now() - startedAt) / 1000);
  });
  print("scrolling through 10,000 messages", frames, {
    ...{ unit: "frames/s", goal: 50, n: 1, better: "higher" },
  });
}

async function measureRun(page) {
  const times = [];
  const bars = [];
  await timeOf(page, `/runs/${runId}`, ".wf .row.act");
  for (let run = 0; run < RUNS; run += 1) {
    await timeOf(page, "/runs", ".runs .row.act");
    times.push(await timeOf(page, `/runs/${runId}?detail=steps`, ".wf .row.act"));
    await page.getByRole("button", { name: "Compact" }).click();
    bars.push(
      await page.evaluate(async () => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const buttons = [...document.querySelectorAll(".seg button")];
        await frame();
        const startedAt = performance.now();
        buttons.at(-1).click();
        await frame();
        await frame();
        return performance.now() - startedAt;
      }),
    );
  }
  print("run of 2,000 steps, read and drawn, median", median(times), {
    ...{ unit: "ms", goal: 300, n: RUNS },
  });
  print("500 handlers of that run, drawn, median", median(bars), {
    ...{ unit: "ms", goal: 100, n: RUNS },
  });
}

async function measureMemory(page, devtools) {
  const paths = ["/", "/approvals", `/chat/${encodeURIComponent(LONG)}`, "/runs", `/runs/${runId}`];
  const switchViews = async (count) => {
    for (let index = 0; index < count; index += 1) {
      await go(page, paths[index % paths.length]);
      await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    }
    await go(page, "/approvals");
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    await devtools.send("HeapProfiler.collectGarbage");
    await devtools.send("HeapProfiler.collectGarbage");
    return (await devtools.send("Runtime.getHeapUsage")).usedSize;
  };
  // Each view is loaded and its state read before.
  const before = await switchViews(2 * paths.length);
  const after = await switchViews(50);
  print("memory after 50 switches of views, more than before", (after - before) / 2 ** 20, {
    ...{ unit: "MiB", goal: 10, n: 50 },
  });
}

async function measureStream(page, devtools) {
  await timeOf(page, `/chat/${encodeURIComponent(STREAM)}`, ".composer");
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("stream");
  await page.keyboard.press("Enter");
  await page.getByText("word 50 ", { exact: false }).last().waitFor();
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.evaluate(() => {
    globalThis.delays = [];
    addEventListener(
      "keydown",
      (event) => {
        requestAnimationFrame(() => {
          // The frame with the letter is on the screen after the next task.
          const channel = new MessageChannel();
          channel.port1.onmessage = () =>
            globalThis.delays.push(performance.now() - event.timeStamp);
          channel.port2.postMessage(undefined);
        });
      },
      true,
    );
  });
  const before = model.sent();
  const startedAt = performance.now();
  for (let key = 0; key < 60; key += 1) {
    await page.keyboard.press("a");
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  const rate = ((model.sent() - before) / (performance.now() - startedAt)) * 1000;
  const delays = (await page.evaluate("globalThis.delays")).toSorted((a, b) => a - b);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  if (rate < 90) throw new Error(`the model streamed ${rate.toFixed(1)} parts a second only`);
  print("delay of a key while 100 parts/s stream, 4x slower, 95th percentile", delays[56], {
    ...{ unit: "ms", goal: 100, n: delays.length },
  });
}

async function measureStop(page) {
  const stop = page.getByRole("button", { name: "Stop" });
  if (await stop.isVisible()) await stop.click();
  await stop.waitFor({ state: "detached" });
  const field = page.getByRole("textbox", { name: "Message" });
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const before = model.sent();
    await field.fill("stream");
    await page.keyboard.press("Enter");
    await stop.waitFor();
    while (model.sent() < before + 50) await new Promise((resolve) => setTimeout(resolve, 10));
    times.push(
      await page.evaluate(async () => {
        const button = [...document.querySelectorAll(".composer button")].find((each) =>
          each.textContent.startsWith("Stop"),
        );
        const startedAt = performance.now();
        button.click();
        // The button is there until the gateway has interrupted the turn.
        while (button.isConnected) await new Promise((resolve) => requestAnimationFrame(resolve));
        return performance.now() - startedAt;
      }),
    );
  }
  print("stop of a running turn, until it is interrupted, slowest", Math.max(...times), {
    ...{ unit: "ms", goal: 500, n: RUNS },
  });
}

/** Goes to a path as a link of the page does. */
async function go(page, path) {
  await page.evaluate((to) => history.pushState(null, "", to), path);
}

/** Returns the time from a link to the frame with an element, in milliseconds. */
async function timeOf(page, path, selector) {
  return page.evaluate(
    async ([to, wanted]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const startedAt = performance.now();
      history.pushState(null, "", to);
      do await frame();
      while (document.querySelector(wanted) === null);
      await frame();
      return performance.now() - startedAt;
    },
    [path, selector],
  );
}

/** Stores a long conversation, and a run of many steps and handlers; returns the ID of the run. */
async function fillStore(file) {
  const store = await openStore({ file });
  const now = Date.now();
  const user = (text) => ({ role: "user", content: [{ type: "text", text }], timestamp: now });
  const { session } = await store.sessions.open(LONG, { agentId: "main", label: "Long" });
  const { sessionId } = session;
  for (let done = 0; done < MESSAGES; done += 500) {
    await store.transaction(async (unit) => {
      for (let index = done; index < done + 500; index += 1) {
        const text = `Message ${index} ${"with words that fill more than one line of the page ".repeat(4)}`;
        const message =
          index % 2 === 0
            ? user(text)
            : {
                ...{ role: "assistant", content: [{ type: "text", text: `**${index}** ${text}` }] },
                ...{ provider: "bench", model: "stream", timestamp: now, stopReason: "stop" },
              };
        await unit.messages.transcript.append({ sessionId, message });
      }
    });
  }
  const id = randomUUID();
  const steps = await store.sessions.open("agent:main:steps", { agentId: "main", label: "Steps" });
  const turn = {
    ...{ runId: id, sessionKey: "agent:main:steps", sessionId: steps.session.sessionId },
    ...{ agentId: "main", inboxId: randomUUID(), trigger: "user", payload: {} },
  };
  await store.transaction(async (unit) => {
    await unit.messages.inbox.accept({
      ...{ id: turn.inboxId, channel: "api", accountId: "default", conversationId: "bench" },
      ...{ senderId: "api", content: "many steps", attachments: [], metadata: {}, receivedAt: now },
    });
    await unit.messages.inbox.settle(turn.inboxId, {
      ...{ state: "queued", sessionKey: turn.sessionKey, runId: id },
    });
    await unit.turns.enqueue(turn, { hasBegun: true });
    for (let step = 0; step < STEPS; step += 1) {
      const toolCallId = `call-${step}`;
      await unit.turns.journal.append({
        runId: id,
        step: { kind: "tool-intended", toolCallId, toolName: "read", params: { path: `${step}` } },
      });
      const message = {
        ...{ role: "toolResult", toolCallId, toolName: "read", isError: false, timestamp: now },
        content: [{ type: "text", text: "read" }],
      };
      await unit.turns.journal.append({
        runId: id,
        step: { kind: "tool-answered", toolCallId, message, isSynthetic: false, terminate: false },
      });
    }
    const handlers = Array.from({ length: HANDLERS }, (_, index) => ({
      ...{ pluginId: `plugin-${index}`, outcome: "ok", at: now, durationMs: 1 + (index % 7) },
    }));
    const note = {
      ...{ hook: "before_prompt_build", kind: "rewrite", spanId: "0000000000000001", at: now },
      ...{ durationMs: 40, outcome: "completed", handlers },
    };
    const traceId = turn.inboxId.replaceAll("-", "");
    await unit.turns.traces.add({ runId: id, traceId, spanId: "0000000000000001", hooks: [note] });
    await unit.turns.finish(id, { state: "completed" });
  });
  await store.close();
  return id;
}

/** Starts a model that streams 100 parts a second. */
async function startModel() {
  let sent = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const chunk = (delta, finish_reason = null) =>
        response.write(
          `data: ${JSON.stringify({
            ...{ id: "1", object: "chat.completion.chunk", created: 1, model: "stream" },
            choices: [{ index: 0, delta, finish_reason }],
          })}\n\n`,
        );
      chunk({ role: "assistant", content: "" });
      const startedAt = performance.now();
      let written = 0;
      const timer = setInterval(() => {
        // A late timer makes up for what it missed.
        while (written < (performance.now() - startedAt) / 10 && written < 1500) {
          written += 1;
          sent += 1;
          chunk({ content: `word ${written} ` + (written % 40 === 0 ? "\n\n" : "") });
        }
        if (written < 1500) return;
        clearInterval(timer);
        chunk({}, "stop");
        response.end("data: [DONE]\n\n");
      }, 10);
      response.on("close", () => clearInterval(timer));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}/v1`, sent: () => sent };
}

async function startGateway() {
  const child = spawn(process.execPath, [BIN, "gateway", "run", "--port", "0"], {
    cwd: workspace,
    env: { PATH: process.env.PATH, HOME: folder, OPENCLAW_STATE_DIR: state },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const url = await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      const found = /url\s+(http:\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`the gateway ended early:\n${output}`)));
  });
  const token = readFileSync(join(state, "gateway.token"), "utf8").trim();
  return { child, url: url.replace(/\/$/, ""), token };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function print(metric, value, { unit, goal, n, better = "lower" }) {
  const result = { package: "@openclaw/e2e", bench: "console", metric, value, unit };
  console.log(JSON.stringify({ ...result, n, goal, better }));
}
