import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";

/** Session whose provider has no server, so that its turns fail. */
const BROKEN = "agent:broken:main";

/** Plugin that keeps a value with sessions, and says which part of it a list shows. */
const MOOD = `
export default {
  id: "mood",
  register(api) {
    api.registerSessionExtension({
      namespace: "mood",
      description: "How it goes.",
      project: ({ word }) => word,
    });
  },
};
`;

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open(
    {
      models: {
        // The port of a service that no machine runs any more.
        providers: { nowhere: { type: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1" } },
        retry: { retries: 0 },
        budget: { maxCostPerDayCents: 500 },
      },
      agents: { main: { default: true }, broken: { model: "nowhere/model" } },
    },
    {},
    { mood: MOOD },
  );
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  await scene.closePages();
  const { sessions } = await scene.client.call("sessions.list", { limit: 200 });
  for (const { sessionKey } of sessions) await scene.client.call("sessions.delete", { sessionKey });
  expect(scene.faults.splice(0)).toEqual([]);
});

const keys = async (filter = {}) => {
  const { sessions } = await scene.client.call("sessions.list", { filter });
  return sessions.map(({ sessionKey }) => sessionKey).sort();
};

describe("the first view", () => {
  it("[UI-460] has what failed by its cause, what runs, the cost against the budget and the failing model", async () => {
    await scene.send("hello", "agent:main:one");
    await scene.send("one", BROKEN);
    await scene.send("two", BROKEN);
    const page = await scene.signedIn("/");
    await page.getByRole("link", { name: "2 failed" }).waitFor();
    const failed = page.getByRole("table", { name: "Failed or blocked" }).getByRole("row");
    expect(await failed.count()).toBe(1);
    expect(await failed.innerText()).toMatch(/two.*2 runs[\s\S]*MODEL_CONNECTION_FAILED/);
    const today = page.getByRole("region", { name: "Cost today" });
    await expect.poll(() => today.innerText()).toContain("of $5.00");
    const system = page.getByRole("region", { name: "System" });
    await expect.poll(() => system.innerText()).toMatch(/nowhere\/model/);
    const { runs } = await scene.client.call("runs.list", { states: ["failed"], limit: 1 });
    await page.getByRole("link", { name: "Open run" }).click();
    await page.waitForURL(`**/runs/${runs[0]?.runId}`);
  });
});

describe("the sessions", () => {
  it("[UI-017] [UI-461] are found by text and state, which the URL keeps, with their tokens", async () => {
    await scene.send("what is in the calendar", "agent:main:calendar");
    await scene.send("hello", "agent:main:greeting");
    await scene.send("one", BROKEN);
    const page = await scene.signedIn("/sessions");
    await page.getByText("3 sessions").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("CALENDAR");
    await page.getByText("1 session", { exact: true }).waitFor();
    const row = page.getByRole("row", { name: /agent:main:calendar/ });
    const { messageCount } = await scene.client.call("sessions.get", {
      sessionKey: "agent:main:calendar",
    });
    expect(await row.innerText()).toContain(String(messageCount));
    await page.getByLabel("Find").fill("");
    await page.getByLabel("State").selectOption("failed");
    await page.getByRole("row", { name: /agent:broken/ }).waitFor();
    await page.reload();
    await page.getByText("1 session", { exact: true }).waitFor();
    expect(await page.getByLabel("State").inputValue()).toBe("failed");
  });

  it("[UI-017] are found by agent and channel, and show label, model, tokens, cost, last activity and what a plugin keeps, as its descriptor says", async () => {
    await scene.send("hello", "agent:main:sent");
    await scene.send("one", BROKEN);
    const sessionKey = "agent:main:sent";
    await scene.client.call("sessions.patch", { sessionKey, label: "From outside" });
    const place = { sessionKey, pluginId: "mood", namespace: "mood" };
    const patch = { word: "cheerful", note: "for the plugin alone" };
    await scene.client.call("sessions.pluginPatch", { ...place, patch });
    const { sessionId } = await scene.client.call("sessions.get", { sessionKey });
    // As if its messages had come over a channel three hours ago, to a model that has a price.
    const database = new DatabaseSync(join(scene.place.state, "openclaw.db"), { timeout: 10_000 });
    database
      .prepare("update sessions set channel = 'telegram', updated_at = ? where session_key = ?")
      .run(Date.now() - 3.5 * 3_600_000, sessionKey);
    database
      .prepare("insert or replace into token_totals (scope, id, tokens, cost) values (?, ?, ?, ?)")
      .run("session", sessionId, 12_345, 250_000_000_000);
    database.close();
    const page = await scene.signedIn("/sessions");
    await page.getByText("2 sessions").waitFor();
    await page.getByLabel("Agent").selectOption("broken");
    await page.getByText("1 session", { exact: true }).waitFor();
    await page.getByRole("row", { name: /agent:broken:main/ }).waitFor();
    await page.getByLabel("Agent").selectOption("");
    await page.getByText("2 sessions").waitFor();
    await page.getByLabel("Channel").selectOption("telegram");
    await page.getByText("1 session", { exact: true }).waitFor();
    const row = page.getByRole("row", { name: /agent:main:sent/ });
    await row.getByRole("link", { name: "From outside" }).waitFor();
    expect(await row.getByRole("cell").allInnerTexts()).toEqual([
      ...["", "", expect.stringContaining("From outside"), "main · telegram", "echo"],
      ...["mood cheerful", "2", "12,345", "$0.25", "3 h"],
    ]);
  });

  it("[UI-017] are deleted 6 s later, until when it can be undone", async () => {
    await scene.send("first words", "agent:main:one");
    const page = await scene.page();
    await page.clock.install();
    await page.addInitScript(
      (value) => sessionStorage.setItem("openclaw.token", value),
      scene.token,
    );
    await page.goto(`${scene.url}/sessions`);
    await page.getByText("1 session", { exact: true }).waitFor();
    await page.getByLabel("Select first words").check();
    await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 10_000);
    await page.getByRole("button", { name: "Delete" }).click();
    const undo = page.getByRole("button", { name: /^Undo/ });
    await undo.waitFor();
    await page.clock.runFor(5999);
    expect(await undo.count()).toBe(1);
    expect(await keys()).toEqual(["agent:main:one"]);
    await page.clock.runFor(1);
    await undo.waitFor({ state: "detached" });
    await page.clock.resume();
    await expect.poll(() => keys()).toEqual([]);
  });

  it("[UI-017] [UI-462] are pinned, labelled and archived with keyboard and selection", async () => {
    await scene.send("first words", "agent:main:one");
    await scene.send("second words", "agent:main:two");
    const page = await scene.signedIn("/sessions");
    await page.getByText("2 sessions").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("p");
    await page.getByText("pinned", { exact: true }).waitFor();
    expect(await keys({ pinned: true })).toEqual(["agent:main:one"]);
    // The pinned one is first now, and the cursor is still on it.
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.getByRole("button", { name: "Label…" }).click();
    await page.getByRole("dialog").getByLabel("Label").fill("Release 2.4");
    await page.keyboard.press("Enter");
    await page.getByText("Release 2.4").waitFor();
    await page.getByLabel("Select second words").check();
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByText("1 session", { exact: true }).waitFor();
    expect(await keys({ archived: true })).toEqual(["agent:main:two"]);
    await page.getByLabel("Show").selectOption("archived");
    await page.getByText("second words").waitFor();
  });

  it("[UI-017] [UI-506] open their conversation from the title, begin with a button, and are saved as JSON Lines", async () => {
    await scene.send("first words", "agent:main:one");
    await scene.send("second words", "agent:main:two");
    const page = await scene.signedIn("/sessions");
    await page.getByText("2 sessions").waitFor();
    await page.getByLabel("Select first words").check();
    await page.getByLabel("Select second words").check();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export JSONL" }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe("sessions.jsonl");
    const lines = readFileSync(await saved.path(), "utf8")
      .trim()
      .split("\n");
    const entries = lines.map((line): object => JSON.parse(line));
    const messages = (sessionKey: string, text: string) => [
      expect.objectContaining({ type: "session", sessionKey }),
      expect.objectContaining({ role: "user", content: [{ type: "text", text }] }),
      expect.objectContaining({ type: "message", role: "assistant", sessionKey }),
    ];
    expect(entries).toEqual([
      ...messages("agent:main:two", "second words"),
      ...messages("agent:main:one", "first words"),
    ]);
    await page.getByRole("link", { name: "first words" }).click();
    await page.waitForURL(`**/chat/${encodeURIComponent("agent:main:one")}`);
    await page.goBack();
    await page.getByRole("button", { name: "New session" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox").selectOption("broken");
    await dialog.getByRole("button", { name: "Start" }).click();
    await page.waitForURL(/\/chat\/agent%3Abroken/);
  });

  it("[UI-017] [UI-463] are deleted and reset after the time for undoing, or when the page is left", async () => {
    for (const name of ["keep", "drop", "fresh"]) await scene.send(name, `agent:main:${name}`);
    const page = await scene.signedIn("/sessions");
    await page.getByText("3 sessions").waitFor();
    await page.getByLabel("Select keep").check();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("2 sessions").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByText("3 sessions").waitFor();
    await page.getByLabel("Select fresh").check();
    await page.getByRole("button", { name: "Reset" }).click();
    // The next thing that is done completes the one before.
    await page.getByLabel("Select drop").check();
    await page.getByRole("button", { name: "Delete" }).click();
    await expect
      .poll(async () => {
        const found = await scene.client.call("sessions.get", { sessionKey: "agent:main:fresh" });
        return found.messageCount;
      })
      .toBe(0);
    expect(await keys()).toHaveLength(3);
    await page.goto(`${scene.url}/console/licenses.txt`);
    await expect
      .poll(() => keys(), { timeout: 60_000 })
      .toEqual(["agent:main:fresh", "agent:main:keep"]);
  });

  it("[UI-461] are read page by page, and only those on the screen are in the document", async () => {
    const names = Array.from({ length: 250 }, (_, index) => `agent:main:s${index}`);
    await Promise.all(
      names.map((sessionKey) => scene.client.call("sessions.create", { sessionKey })),
    );
    const page = await scene.signedIn("/sessions");
    await page.getByText("250 sessions").waitFor();
    const last = page.getByRole("row", { name: /agent:main:s0 / });
    await expect
      .poll(
        async () => {
          await page.evaluate(`document.querySelector(".page").scrollTop = 1e7`);
          return last.count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    for (const sessionKey of names.slice(0, 100)) {
      await scene.client.call("sessions.delete", { sessionKey });
    }
  });

  it("[UI-032] [UI-034] have no violation that axe-core finds, and fit into 320 px", async () => {
    await scene.send("hello", "agent:main:one");
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await scene.signedIn("/sessions", { colorScheme });
      await page.getByLabel("Select hello").check();
      expect(await violations(page), colorScheme).toEqual([]);
      await page.getByRole("button", { name: "Label…" }).click();
      expect(await violations(page), `label ${colorScheme}`).toEqual([]);
      await page.keyboard.press("Escape");
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect(wide, `at ${width}`).toBeLessThanOrEqual(width);
      }
    }
  });
});
