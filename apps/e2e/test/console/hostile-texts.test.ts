import { join } from "node:path";
import { type ModelServer, startChatServer } from "@openclaw/platform-fakes";
import { openStore } from "@openclaw/store";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConsoleScene } from "../../src/console/scene.js";
import type { Place } from "../../src/place.js";
import { HOSTILE_TEXTS } from "./corpus/hostile-texts.js";

const HOSTILE_NAME = "<img src=x onerror=globalThis.__xss=1>";

/** Plugin that asks with the content of a call as its own words. */
const ECHO = `
  import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
  export default definePluginEntry({
    id: "echo",
    register(api) {
      api.on("before_tool_call", ({ params: { content } }) => ({
        requireApproval: {
          title: content,
          description: content,
          timeoutMs: 600_000,
          rule: { id: content },
        },
      }));
    },
  });`;

let model: ModelServer;
let scene: ConsoleScene;

/** Writes a person for each text, who has it as the name: one half waits for a pairing code, the other is admitted. */
async function writeSenders({ state }: Place): Promise<void> {
  const store = await openStore({ file: join(state, "openclaw.db") });
  const limits = {
    ...{ pendingMs: 3_600_000, maxPendingPerChannel: HOSTILE_TEXTS.length },
    ...{ maxFailures: 5, failureWindowMs: 60_000 },
  };
  for (const [index, userName] of HOSTILE_TEXTS.entries()) {
    const sender = { channel: "telegram", accountId: "default", senderId: `${index}`, userName };
    await store.channelSenders.request(sender, `CODE${index}`, limits);
    if (index % 2 === 0)
      await store.channelSenders.approve("telegram", `CODE${index}`, "test", limits);
  }
  await store.close();
}

beforeAll(async () => {
  model = await startChatServer([]);
  const environment = { LLM_BASE_URL: model.baseURL, LLM_MODEL: "fake", LLM_API_KEY: "test-key" };
  const echo = { echo: ECHO };
  const configuration = { models: { retry: { retries: 0 } } };
  scene = await ConsoleScene.open(configuration, environment, echo, writeSenders);
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await model?.close();
});

/** Finds what ran, what the policy reported, and what a click would run or load. */
const SEEN = `({
  ran: globalThis.__xss,
  reports,
  armed: [...document.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes]
      .filter(({ name, value }) =>
        /^(on|srcdoc|style$|ping)/.test(name) ? name !== "style" || /url|image/.test(value)
        : /^(javascript|vbscript|data):/i.test(value.replace(/[\\s\\0-\\x1f]/g, "")) && /href|src|action|data$/.test(name))
      .map(({ name, value }) => element.localName + " " + name + "=" + value)),
})`;
const NOTHING = { reports: [], armed: [] };

/** Goes to a view as a link of the page does. */
const visit = (page: Page, path: string) =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
const sessionOf = (index: number) => `agent:main:hostile${index}`;

/** Denies a request with a note, and waits for the end of its turn. */
async function deny(id: string, note: string): Promise<void> {
  const { digest } = await scene.client.call("approvals.get", { id });
  const ends = scene.client.events({ names: ["chat.final", "chat.error"] });
  await scene.client.call("approvals.resolve", { id, digest, decision: "deny", note });
  await ends.next();
  await ends.return();
}

/** Opens a page that notes the reports of its policy. */
async function watchedPage(): Promise<Page> {
  const page = await scene.page();
  await page.addInitScript(`
    sessionStorage.setItem("openclaw.token", ${JSON.stringify(scene.token)});
    globalThis.reports = [];
    addEventListener("securitypolicyviolation", (event) => reports.push(event.violatedDirective));
  `);
  await page.goto(scene.url);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  return page;
}

/** Checks that nothing of a view ran, loads, or waits for a click. */
const check = async (page: Page, place: string) =>
  expect.soft(await page.evaluate(SEEN), place).toEqual(NOTHING);

it("[UI-036] [UI-007] runs nothing that a model, a tool, a plugin, a sender or the title of a session puts on Now, Approvals, Sessions, Chat and Runs", async () => {
  const ids: string[] = [];
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    const params = { path: `note-${index}.txt`, content: text };
    const write = { id: "one", name: "write", arguments: JSON.stringify(params) };
    model.reply({ text, toolCalls: [write] });
    const id = await scene.ask(text, sessionOf(index));
    ids.push(id);
    const label = text.slice(0, 200);
    await scene.client.call("sessions.patch", { sessionKey: sessionOf(index), label });
    // The last ones stay open.
    if (index >= HOSTILE_TEXTS.length - 3) continue;
    model.reply({ status: 400, message: text });
    await deny(id, text);
  }
  const whole = { path: `${HOSTILE_NAME}.txt`, content: HOSTILE_TEXTS.join("\n") };
  const write = { id: "one", name: "write", arguments: JSON.stringify(whole) };
  model.reply({ toolCalls: [write] }, { text: "written" });
  const allowed = await scene.ask("write all of them", "agent:main:all");
  const { digest } = await scene.client.call("approvals.get", { id: allowed });
  const ends = scene.client.events({ names: ["chat.final"] });
  await scene.client.call("approvals.resolve", { id: allowed, digest, decision: "allow-once" });
  await ends.next();
  await ends.return();
  const { baseHash } = await scene.client.call("config.get", {});
  // A file has references where a text has a dollar sign and a brace.
  const value = HOSTILE_TEXTS.join("\n").replaceAll("${", () => "$${");
  const path = ["agents", "defaults", "instructions"];
  await scene.client.call("config.set", { baseHash, changes: [{ path, value }] });
  const page = await watchedPage();
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    await visit(page, `/approvals/${ids[index]}`);
    await page.getByRole("article").getByText(`note-${index}.txt`).first().waitFor();
    await check(page, `request: ${text}`);
    await visit(page, `/chat/${encodeURIComponent(sessionOf(index))}`);
    await page.getByRole("log").getByText(`note-${index}.txt`).first().waitFor();
    await check(page, `conversation: ${text}`);
  }
  const { runs } = await scene.client.call("runs.list", { states: ["failed"] });
  const run = `/runs/${runs[0]?.runId}`;
  for (const [path, words] of [
    ["/", "__xss"],
    ["/approvals", "note-"],
    ["/approvals/history", "__xss"],
    ["/sessions", "__xss"],
    ["/runs", "__xss"],
    ["/settings/agents", "agents.defaults.instructions"],
    [`${run}?detail=everything`, "Journal"],
    [`${run}?view=conversation`, "note-"],
    [`${run}?view=journal`, "tool-answered"],
  ] as const) {
    await visit(page, path);
    await expect
      .poll(() => page.locator("body").innerText(), { message: path, timeout: 15_000 })
      .toContain(words);
    await check(page, path);
  }
  await visit(page, `${run}/compare/${runs[1]?.runId}`);
  await page.getByRole("table", { name: "Steps of both runs" }).waitFor();
  await check(page, "two runs");
  await visit(page, `${run}/what-if`);
  await page.getByLabel("Configuration").fill('{ "tools": { "deny": ["write"] } }');
  await page.getByRole("button", { name: "Replay with the changes" }).click();
  await page.getByRole("table", { name: "Result" }).waitFor();
  await check(page, "what if");
  await visit(page, run);
  await page.getByRole("button", { name: /^Fork…/ }).click();
  await page.getByRole("dialog").getByLabel("Begin again at").waitFor();
  await check(page, "fork");
  await page.keyboard.press("Escape");
  await visit(page, `/chat/${encodeURIComponent("agent:main:all")}`);
  await page.getByRole("button", { name: "Changes" }).click();
  await page.getByRole("article", { name: HOSTILE_NAME }).locator(".l.add").first().waitFor();
  await check(page, "changes");
  expect(scene.faults).toEqual([]);
}, 120_000);

it("[UI-036] runs nothing that the names, tasks and results of jobs, routines, sessions and documents put on their views", async () => {
  const { client } = scene;
  const changes = client.events({ names: ["job.changed"] });
  const ids: string[] = [];
  for (const text of HOSTILE_TEXTS) {
    model.reply({ text });
    const job = { title: text.slice(0, 200), description: text };
    const { jobId } = await client.call("jobs.create", job);
    ids.push(jobId);
    let state: string | undefined;
    while (state !== "completed") {
      const { value } = await changes.next();
      if (value === undefined) throw new Error("the connection ended before the job");
      if (value.payload.jobId === jobId) state = value.payload.state;
    }
  }
  await changes.return();
  const all = HOSTILE_TEXTS.join("\n");
  const { routineId } = await client.call("cron.add", {
    ...{ name: "hostile", prompt: all.slice(0, 4000), manual: true },
  });
  await client.call("memory.write", { target: "hostile.md", content: all, append: false });
  await client.call("memory.setFact", { key: "likes", value: HOSTILE_TEXTS[0] ?? "" });
  const page = await watchedPage();
  for (const id of ids) {
    await visit(page, `/jobs/${id}`);
    await page.locator(".jtext").first().waitFor();
    await check(page, `job ${id}`);
  }
  for (const [path, words] of [
    ["/jobs", "__xss"],
    ["/jobs?view=list", "__xss"],
    ["/cron", "hostile"],
    [`/cron/${routineId}`, "__xss"],
    ["/memory?path=hostile.md", "__xss"],
    ["/memory?view=search&q=__xss", "hostile.md"],
    ["/memory?view=profile", "__xss"],
    ["/channels?view=people", "__xss"],
    ["/usage?by=session", "hostile"],
    ["/logs?q=__xss", "Logs"],
  ] as const) {
    await visit(page, path);
    await expect
      .poll(() => page.locator("body").innerText(), { message: path, timeout: 15_000 })
      .toContain(words);
    await check(page, path);
  }
  expect(scene.faults).toEqual([]);
}, 120_000);

it("[UI-509] says why a message with NUL is not accepted", async () => {
  const sessionKey = "agent:main:nul";
  await scene.client.call("sessions.create", { sessionKey });
  const page = await scene.signedIn(`/chat/${encodeURIComponent(sessionKey)}`);
  const message = page.locator(".composer textarea");
  await message.fill("before\0after");
  await message.press("Enter");
  await page
    .getByText(/has a NUL character, which text cannot contain/)
    .first()
    .waitFor();
  expect(scene.faults).toEqual([]);
});
