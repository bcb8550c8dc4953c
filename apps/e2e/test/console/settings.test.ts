import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addToken } from "@openclaw/configuration";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { violations, violationsInThemes } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";

const TEXT = `{
  // Kept by every change of the console
  session: { queueMode: "collect" }, // reviewed in May
  approvals: { approvers: ["telegram:4711"], timeouts: { exec: 1800000 } },
  models: { providers: { nowhere: { type: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", apiKey: "sk-that-nobody-else-knows" } } },
}
`;

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open({}, { AGENT_MAX_TOOL_ITERATIONS: "9" });
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

const file = () => join(scene.place.state, "openclaw.json");
const written = () => readFileSync(file(), "utf8");

/** Lets the gateway read the file now. */
async function reload(): Promise<void> {
  const { baseHash } = await scene.client.call("config.get", {});
  await scene.client.call("config.reload", { hash: baseHash });
}

beforeEach(async () => {
  writeFileSync(file(), TEXT);
  await reload();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

const field = (page: Page, key: string) =>
  page.locator(".field", { has: page.getByText(key, { exact: true }) });
const section = (page: Page, name: RegExp) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name }).click();
const review = (page: Page) => page.getByRole("button", { name: /^Review and save/ }).click();
const saveIn = (page: Page) =>
  page.getByRole("dialog").getByRole("button", { name: /^Save/ }).click();

describe("the settings", () => {
  it("[UI-042] [UI-021] [UI-550] are changed in a form, with the difference and the effect first, and keep comments", async () => {
    const page = await scene.signedIn("/settings/approvals");
    const timeout = field(page, "approvals.timeouts.exec");
    await timeout.getByRole("textbox").fill("3600000");
    await timeout.getByText("was 1800000").waitFor();
    await section(page, /^Session/);
    await field(page, "session.queueMode").getByRole("combobox").selectOption("interrupt");
    await section(page, /^Store/);
    await field(page, "store.durability").getByRole("combobox").selectOption("process");
    await page.getByText("3 changes in 3 sections").waitFor();
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Save 3 changes" }).waitFor();
    expect(await dialog.innerText()).toMatch(
      /queueMode: "interrupt"[\s\S]*approvals\.timeouts\.exec apply at once[\s\S]*store\.durability apply after a restart/,
    );
    expect(written()).toBe(TEXT);
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    expect(written()).toContain("// Kept by every change of the console");
    expect(written()).toContain('queueMode: "interrupt" }, // reviewed in May');
    expect(written()).toContain("exec: 3600000");
    await page.getByText("A restart of the gateway applies store.durability.").waitFor();
  });

  it("[UI-551] shows the origin of a value, what applies without it, and what takes precedence", async () => {
    const page = await scene.signedIn("/settings/session");
    const mode = field(page, "session.queueMode");
    await mode.getByText("from openclaw.json:3:14").waitFor();
    expect(await mode.innerText()).toContain("without it queue (default)");
    await mode.getByRole("button", { name: "Use the default of Queue mode" }).click();
    await mode.getByText("was collect").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("max iterations");
    const turns = field(page, "agents.defaults.maxIterations");
    await turns.getByText(/AGENT_MAX_TOOL_ITERATIONS takes precedence/).waitFor();
  });

  it("[UI-020] [UI-550] names a wrong value at its field, and the gateway rejects the same", async () => {
    const page = await scene.signedIn("/settings/approvals");
    const timeout = field(page, "approvals.timeouts.exec");
    await timeout.getByRole("textbox").fill("12");
    await timeout.getByText("Must be at least 1000").waitFor();
    await page.getByTitle("1 value must be corrected first.").waitFor();
    await timeout.getByRole("button", { name: "Reset Exec" }).click();
    await section(page, /^Tools/);
    const deny = field(page, "tools.deny");
    await deny.getByRole("textbox").fill("exce");
    await page.keyboard.press("Enter");
    await review(page);
    await deny.getByText(/did you mean "exec"/).waitFor();
    await deny.getByRole("button", { name: "Remove exce" }).click();
    await page.getByTitle("Nothing has changed.").waitFor();
  });

  it("[UI-021] [UI-552] shows both when another person saved meanwhile, key by key", async () => {
    const page = await scene.signedIn("/settings/approvals");
    await field(page, "approvals.timeouts.exec").getByRole("textbox").fill("3600000");
    await section(page, /^Session/);
    await field(page, "session.queueMode").getByRole("combobox").selectOption("interrupt");
    const { baseHash } = await scene.client.call("config.get", {});
    await scene.client.call("config.set", {
      baseHash,
      changes: [
        { path: ["approvals", "timeouts", "exec"], value: 900_000 },
        { path: ["approvals", "timeouts", "tool"], value: 60_000 },
      ],
    });
    await page.getByText("The file changed meanwhile.", { exact: false }).waitFor();
    await review(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Someone changed this file meanwhile" }).waitFor();
    const both = dialog.getByRole("radiogroup", { name: "approvals.timeouts.exec" });
    expect(await both.innerText()).toMatch(/1800000\s+900000\s+3600000/);
    expect(await dialog.innerText()).toContain("approvals.timeouts.tool");
    expect.soft(await violationsInThemes(page)).toEqual([]);
    await both.getByRole("radio").first().check();
    await dialog.getByRole("button", { name: "Review the merged file" }).click();
    await dialog.getByRole("heading", { name: "Save 1 change" }).waitFor();
    await saveIn(page);
    await dialog.waitFor({ state: "detached" });
    expect(written()).toContain("exec: 900000");
    expect(written()).toContain('queueMode: "interrupt"');
  });

  it("[UI-553] are edited as text with comments, secrets stay unseen, and a conflict keeps the text", async () => {
    const page = await scene.signedIn("/settings/json5");
    const editor = page.getByLabel("Content of the configuration file");
    const before = await editor.inputValue();
    expect(before).toMatch(/apiKey: "\[REDACTED:[0-9a-f]{8}\]"/);
    await editor.fill(before.replace("reviewed in May", "reviewed in June"));
    writeFileSync(file(), TEXT.replace("4711", "4712"));
    await review(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Someone changed this file meanwhile" }).waitFor();
    expect(await dialog.innerText()).toMatch(/telegram:4712[\s\S]*telegram:4711/);
    expect.soft(await violationsInThemes(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Review my text" }).click();
    await dialog.getByRole("heading", { name: "Save the file" }).waitFor();
    await saveIn(page);
    await dialog.waitFor({ state: "detached" });
    expect(written()).toBe(TEXT.replace("in May", "in June"));
  });

  it("[UI-554] shows a token without operator.admin the values, and why they cannot be changed", async () => {
    const { token } = await addToken(file(), { name: "reader", scopes: ["operator.read"] });
    await reload();
    const page = await scene.signedIn("/settings/session", {}, token);
    await page.getByText("Your token does not have operator.admin", { exact: false }).waitFor();
    expect(await field(page, "session.queueMode").getByRole("combobox").isDisabled()).toBe(true);
    await page.getByRole("link", { name: "As JSON5" }).click();
    await page.getByText("The other sections show its values.", { exact: false }).waitFor();
  });

  it("[UI-032] [UI-034] have no violation that axe-core finds, and fit into 320 px", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await scene.signedIn("/settings/approvals", { colorScheme });
      await field(page, "approvals.timeouts.exec").getByRole("textbox").fill("3600000");
      expect(await violations(page), colorScheme).toEqual([]);
      await review(page);
      await page.getByRole("dialog").waitFor();
      expect(await violations(page), `review ${colorScheme}`).toEqual([]);
      await page.keyboard.press("Escape");
      for (const path of ["/settings/agents", "/settings/json5"]) {
        await page.goto(scene.url + path);
        await page.locator(".form").waitFor();
        expect(await violations(page), `${path} ${colorScheme}`).toEqual([]);
        for (const width of [320, 390, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
          expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
        }
      }
    }
  });
});
