import { readFileSync } from "node:fs";
import { type ModelServer, startChatServer } from "@openclaw/platform-fakes";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";

const HOSTILE = "<img src=x onerror=globalThis.__xss=1>";
const SESSION = "agent:main:main";

let model: ModelServer;
let scene: ConsoleScene;
/** Run that waited for a person, and wrote a file. */
let written: string;

const runOf = async (text: string) => {
  const { runs } = await scene.client.call("runs.list", {
    states: ["completed", "failed", "blocked", "interrupted", "awaiting_approval"],
  });
  const run = runs.find((each) => each.text?.includes(text) === true);
  if (run === undefined) throw new Error(`no run answers ${text}`);
  return run.runId;
};

/** Checks that a page needs no horizontal scrolling, and puts it back to its size. */
async function fits(page: Page): Promise<void> {
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(wide, `${page.url()} at ${width}`).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

beforeAll(async () => {
  const call = (name: string, value: object) => ({
    toolCalls: [{ id: `${name}-1`, name, arguments: JSON.stringify(value) }],
  });
  model = await startChatServer([
    ...[call("read", { path: "src/invoice.ts" }), { text: "It was read." }],
    ...[call("list", { path: "." }), { text: "I may not." }],
    { text: HOSTILE },
    ...[call("write", { path: "notes.txt", content: "hello" }), { text: "It was written." }],
  ]);
  const environment = { LLM_BASE_URL: model.baseURL, LLM_MODEL: "fake", LLM_API_KEY: "test-key" };
  scene = await ConsoleScene.open({ tools: { deny: ["list"] } }, environment);
  await scene.send("read src/invoice.ts", SESSION);
  await scene.send("list the files", SESSION);
  await scene.send(`say ${HOSTILE}`, "agent:main:other");
  const id = await scene.ask('write "hello" to notes.txt', SESSION);
  const { digest } = await scene.client.call("approvals.get", { id });
  const ended = scene.client.events({ names: ["chat.final"] });
  await scene.client.call("approvals.resolve", { id, digest, decision: "allow-once" });
  await ended.next();
  await ended.return();
  written = await runOf("notes.txt");
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await model?.close();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

describe("the runs", () => {
  it("[UI-530] are listed with what they did, and filtered in the URL", async () => {
    const page = await scene.signedIn("/runs");
    await page.getByText("4 runs", { exact: true }).waitFor();
    const row = page.getByRole("row", { name: /read src\/invoice\.ts/ });
    const { runs } = await scene.client.call("runs.list", { states: ["completed"] });
    const read = runs.find(({ text }) => text === "read src/invoice.ts");
    expect(await row.innerText()).toContain(`${read?.modelCalls} · ${read?.toolCalls}`);
    await page.getByLabel("State").selectOption("failed");
    await page.getByText("No run fits").waitFor();
    await page.reload();
    await page.getByText("No run fits").waitFor();
    await page.goto(`${scene.url}/runs?session=${encodeURIComponent("agent:main:other")}`);
    await page.getByText("1 run", { exact: true }).waitFor();
    await page.getByRole("button", { name: "All sessions" }).click();
    await page.getByText("4 runs", { exact: true }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("INVOICE");
    await page.getByText("1 run", { exact: true }).waitFor();
  });

  it("[UI-530] are opened with the keyboard, and a new one waits above the list", async () => {
    const page = await scene.signedIn("/runs");
    await page.getByText("4 runs", { exact: true }).waitFor();
    model.reply({ text: "Hello." });
    await scene.send("hello again", "agent:main:third");
    await page.getByRole("button", { name: "1 new run" }).click();
    await page.getByRole("row", { name: /hello again/ }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/runs\/./);
    await page.getByRole("heading", { name: "hello again" }).waitFor();
    await scene.client.call("sessions.delete", { sessionKey: "agent:main:third" });
  });
});

describe("a run", () => {
  it("[UI-042] [UI-531] says how it ended, what it was made of and how long it waited, and opens at a step by URL", async () => {
    const page = await scene.signedIn(`/runs/${written}`);
    const trace = await scene.client.call("run.trace", { runId: written });
    const count = (kind: string) => trace.spans.filter((span) => span.kind === kind).length;
    await page
      .getByText(`${trace.spans.length} steps: ${count("model")} model, 1 tool, 1 approval`, {
        exact: false,
      })
      .waitFor();
    await page.getByText("waiting for a person", { exact: false }).waitFor();
    const steps = page.getByRole("table", { name: "Timeline" });
    await steps.getByRole("link", { name: "write", exact: true }).click();
    const inspector = page.getByRole("complementary", { name: "write" });
    await inspector.getByText("toolCallId").waitFor();
    await page.reload();
    await inspector.getByText("toolCallId").waitFor();
    await page.getByRole("button", { name: "Compact" }).click();
    await expect.poll(() => steps.getByRole("link", { name: /^before_/ }).count()).toBe(0);
    expect(page.url()).toContain("detail=compact");
  });

  it("[UI-023] filters the handlers of its hooks by plugin, hook and time, and saves them as a file", async () => {
    const trace = await scene.client.call("run.trace", { runId: written });
    const all = trace.spans.flatMap(({ name, handlers = [] }) =>
      handlers.map(({ pluginId, durationMs }) => ({ name, pluginId, durationMs })),
    );
    const page = await scene.signedIn(`/runs/${written}`);
    await page.getByRole("button", { name: "Everything" }).click();
    const steps = page.getByRole("table", { name: "Timeline" });
    const ofPlugin = (pluginId: string) => steps.getByRole("link", { name: pluginId, exact: true });
    const plugins = [...new Set(all.map(({ pluginId }) => pluginId))];
    expect(plugins.length).toBeGreaterThan(1);
    const [plugin = "", other = ""] = plugins;
    await ofPlugin(other).first().waitFor();
    await page.getByLabel("Plugin").selectOption(plugin);
    await expect.poll(() => ofPlugin(other).count()).toBe(0);
    const own = all.filter(({ pluginId }) => pluginId === plugin);
    await expect.poll(() => ofPlugin(plugin).count()).toBe(own.length);
    const hook = own[0]?.name ?? "";
    await page.getByLabel("Hook").selectOption(hook);
    const both = own.filter(({ name }) => name === hook).length;
    await expect.poll(() => ofPlugin(plugin).count()).toBe(both);
    await page.reload();
    await expect.poll(() => ofPlugin(plugin).count()).toBe(both);
    await page.getByLabel("Plugin").selectOption("");
    await page.getByLabel("Hook").selectOption("");
    await page.getByLabel("Slower than").selectOption("1000");
    await page.getByText("No handler fits these filters.").waitFor();
    await page.getByLabel("Slower than").selectOption("1");
    const slow = all.filter(({ durationMs }) => durationMs > 1);
    await expect
      .poll(() => steps.locator('.k[data-k="hook"]').count())
      .toBe(
        slow.length +
          trace.spans.filter(({ handlers = [] }) => handlers.some((each) => each.durationMs > 1))
            .length,
      );
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    expect(JSON.parse(readFileSync(await (await saved).path(), "utf8"))).toEqual(trace);
  });

  it("[UI-532] explains the denial of a call with its rule and its place", async () => {
    const page = await scene.signedIn(`/runs/${await runOf("list the files")}`);
    const steps = page.getByRole("table", { name: "Timeline" });
    await steps.getByRole("link", { name: "list", exact: true }).click();
    const inspector = page.getByRole("complementary", { name: "list" });
    await inspector
      .getByText(/Denied list by global: tools\.deny list, .*openclaw\.json:1/)
      .waitFor();
    await inspector.getByText(/To change it/).waitFor();
  });

  it("[UI-533] is shown as its conversation, and as it was recorded", async () => {
    const page = await scene.signedIn(`/runs/${written}`);
    await page.getByRole("link", { name: "Conversation" }).click();
    await page.getByText('write "hello" to notes.txt').last().waitFor();
    await page.getByText("It was written.").waitFor();
    expect(await page.getByText("It was read.").count()).toBe(0);
    await page.getByRole("link", { name: "Journal" }).click();
    await page.getByText("tool-intended", { exact: true }).click();
    await page.locator("details[open]").getByText('"toolName": "write"').waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    expect((await saved).suggestedFilename()).toBe(`run-${written}.json`);
  });

  it("[UI-534] is replayed, and replayed without a plugin or with another configuration", async () => {
    const page = await scene.signedIn(`/runs/${await runOf("read src/invoice.ts")}`);
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByText(/Replayed with nothing changed: identical in all \d+ steps/).waitFor();
    await page.keyboard.press("w");
    await page.waitForURL(/what-if$/);
    await page.getByLabel("guardrails").uncheck();
    await page.getByText("--disable-plugin guardrails").waitFor();
    await page.getByLabel("guardrails").check();
    await page.getByLabel("Configuration").fill('{ "tools": { "deny": ["read"] } }');
    await page.getByRole("button", { name: "Replay with the changes" }).click();
    const result = page.getByRole("table", { name: "Result" });
    await result.getByRole("row", { name: /read ran denied flip/ }).waitFor();
    await page.getByLabel("Configuration").fill("{ nonsense: 1 }");
    await page.getByRole("button", { name: "Replay with the changes" }).click();
    await page.getByRole("alert").getByText("CONFIG_INVALID").waitFor();
  });

  it("[UI-535] is forked from one of its model calls, after it says which steps run again", async () => {
    const page = await scene.signedIn(`/runs/${await runOf("read src/invoice.ts")}`);
    await page.getByRole("button", { name: /^Fork…/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("From the recording, not executed again: 3 steps").waitFor();
    await dialog.getByLabel("Begin again at").selectOption({ index: 0 });
    await dialog.getByText("From the recording, not executed again: 1 step").waitFor();
    await dialog.getByLabel("Begin again at").selectOption({ index: 1 });
    await dialog.getByText("From the recording, not executed again: 3 steps").waitFor();
    expect(await violations(page)).toEqual([]);
    const asked = model.requests.length;
    model.reply({ text: "It was read in a fork." });
    await dialog.getByRole("button", { name: "Start the fork" }).click();
    await page.getByRole("log").getByText("It was read in a fork.").waitFor();
    expect(model.requests.length).toBe(asked + 1);
    const sessionKey = decodeURIComponent(new URL(page.url()).pathname.split("/")[2] ?? "");
    expect(sessionKey).toMatch(/^agent:main:fork:/);
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    await scene.client.call("sessions.delete", { sessionKey });
  });

  it("[UI-536] [UI-023] is shown next to another one: the steps of both, their times, and what differs", async () => {
    const [read, denied] = [await runOf("read src/invoice.ts"), await runOf("list the files")];
    const page = await scene.signedIn(`/runs/${read}`);
    await page.getByRole("button", { name: "Compare…" }).click();
    await page.getByRole("dialog").getByLabel("Run, or its ID").fill(denied);
    await page.getByRole("dialog").getByRole("button", { name: "Compare" }).click();
    const steps = page.getByRole("table", { name: "Steps of both runs" });
    await steps.getByRole("row", { name: /read .*only A/ }).waitFor();
    await steps.getByRole("row", { name: /list .*only B/ }).waitFor();
    await page.getByRole("heading", { name: "A · read src/invoice.ts" }).waitFor();
    const all = await steps.getByRole("row").count();
    await page.getByRole("button", { name: /^Only differences/ }).click();
    await expect.poll(() => steps.getByRole("row").count()).toBeLessThan(all);
    await steps.getByRole("button", { name: "list", exact: true }).click();
    await page.getByRole("complementary", { name: "list" }).getByText("toolCallId").waitFor();
    await page.reload();
    await page.getByRole("complementary", { name: "list" }).getByText("toolCallId").waitFor();
    await page.getByRole("link", { name: "Swap" }).click();
    await page.getByRole("heading", { name: "A · list the files" }).waitFor();
  });

  it("[UI-036] runs nothing that a message has put on its page", async () => {
    const runId = await runOf(HOSTILE);
    const page = await scene.signedIn("/runs");
    await page.getByRole("row", { name: /onerror/ }).waitFor();
    for (const view of ["", "?view=conversation", "?view=journal"]) {
      await page.goto(`${scene.url}/runs/${runId}${view}`);
      await page.getByRole("heading", { name: /onerror/ }).waitFor();
      expect(await page.evaluate(() => Reflect.get(globalThis, "__xss"))).toBeUndefined();
    }
  });

  it("[UI-032] [UI-034] has no violation that axe-core finds, in both themes, and fits into 320 px", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await scene.signedIn("/runs", { colorScheme });
      await page.getByRole("row", { name: /invoice/ }).waitFor();
      expect(await violations(page), `list ${colorScheme}`).toEqual([]);
      await page.goto(`${scene.url}/runs/${written}?detail=everything`);
      await page.getByRole("link", { name: "write", exact: true }).click();
      await page.getByText("toolCallId").waitFor();
      expect(await violations(page), `run ${colorScheme}`).toEqual([]);
      await fits(page);
      await page.goto(`${scene.url}/runs/${written}/what-if`);
      await page.getByLabel("guardrails").waitFor();
      await page.getByLabel("Configuration").fill('{ "tools": { "deny": ["write"] } }');
      await page.getByRole("button", { name: "Replay with the changes" }).click();
      await page.getByRole("table", { name: "Result" }).waitFor();
      expect(await violations(page), `what if ${colorScheme}`).toEqual([]);
      await fits(page);
      await page.goto(`${scene.url}/runs/${written}/compare/${await runOf("invoice")}`);
      await page.getByRole("table", { name: "Steps of both runs" }).waitFor();
      expect(await violations(page), `two runs ${colorScheme}`).toEqual([]);
      await fits(page);
    }
  });
});
