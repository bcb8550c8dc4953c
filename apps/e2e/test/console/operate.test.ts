import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { addToken } from "@openclaw/configuration";
import { type ModelServer, startChatServer } from "@openclaw/platform-fakes";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { smallTargets, violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";
import { HOSTILE_TEXTS } from "./corpus/hostile-texts.js";

let model: ModelServer;
let scene: ConsoleScene;

beforeAll(async () => {
  model = await startChatServer([]);
  scene = await ConsoleScene.open({
    models: {
      providers: {
        atlas: {
          ...{ type: "openai-compatible", baseUrl: model.baseURL, apiKey: "test-key" },
          models: {
            large: { contextTokens: 200_000, price: { input: "3", output: "15" } },
            [HOSTILE_TEXTS[16] ?? ""]: {},
          },
        },
      },
      retry: { retries: 0 },
      budget: { maxCostPerDayCents: 500 },
    },
    agents: { defaults: { model: "atlas/large" }, main: { default: true } },
  });
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await model?.close();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

const file = () => join(scene.place.state, "openclaw.json");
const fallbacks = async () => {
  const { agents } = await scene.client.call("models.status", {});
  return agents.find(({ agentId }) => agentId === "main")?.fallbacks;
};

/** Adds a token that reads only. */
async function readerToken(): Promise<string> {
  const { token } = await addToken(file(), { name: "reader", scopes: ["operator.read"] });
  const { baseHash } = await scene.client.call("config.get", {});
  await scene.client.call("config.reload", { hash: baseHash });
  return token;
}

describe("the models", () => {
  it("[UI-560] are tested, and ordered with the keyboard as the command line does, which can be undone", async () => {
    const page = await scene.signedIn("/models");
    const inUse = page.getByRole("table", { name: "In use" });
    await inUse.getByText("atlas/large").waitFor();
    expect(await inUse.innerText()).toMatch(/200,000 tokens[\s\S]*\$3 \/ \$15/);
    model.reply({ text: "OK" });
    await page.getByRole("button", { name: "Test atlas/large" }).press("Enter");
    await inUse.getByText(/^answered: first token/).waitFor();
    model.reply({ status: 429, message: "slow down" });
    await page.getByRole("button", { name: "Test atlas/large" }).press("Enter");
    await inUse.getByRole("alert").waitFor();

    const add = page.getByRole("combobox", { name: "Add a fallback of main" });
    const listed = await add.locator("option").allInnerTexts();
    const [, first = "", second = ""] = listed;
    await add.selectOption(first);
    await expect.poll(fallbacks).toEqual([first]);
    await expect.poll(() => add.isEnabled()).toBe(true);
    await add.selectOption(second);
    await expect.poll(fallbacks).toEqual([first, second]);
    const earlier = page.getByRole("button", { name: `Call ${second} earlier for main` });
    await earlier.press("Enter");
    await expect.poll(fallbacks).toEqual([second, first]);
    expect(readFileSync(file(), "utf8")).toContain("fallbacks");
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await expect.poll(fallbacks).toEqual([first, second]);
    await page.getByText("Today").or(page.getByText("today")).first().waitFor();
  });

  it("[UI-560] [UI-036] [UI-032] [UI-034] [UI-507] run nothing of their names, and can be used by everyone", async () => {
    for (const path of ["/models", "/models?view=all", "/models?view=all&q=nothing+of+this"]) {
      const page = await scene.signedIn(path);
      await page.locator(".models .row:not(.head), .empty").first().waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect.soft(await violations(page), `${path} ${colorScheme}`).toEqual([]);
      }
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect.soft(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
        if (width === 390 && path === "/models") {
          expect.soft(await smallTargets(page), path).toEqual([]);
        }
      }
      expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
      await page.close();
    }
  });
});

describe("the health", () => {
  it("[UI-561] [UI-032] [UI-034] [UI-507] has the checks, the database and its backups, which are made, saved and removed", async () => {
    const page = await scene.signedIn("/health");
    await page.getByText("No backups in the state folder.").waitFor();
    const checks = page.getByRole("table", { name: "Checks" });
    await checks.getByText("store", { exact: true }).waitFor();
    await page.getByText(/^sqlite, [\d.]+ [KM]B$/).waitFor();
    await page.getByRole("button", { name: "Back up now" }).press("Enter");
    const backups = page.getByRole("table", { name: "Backups" });
    const name = await backups.locator("code").first().innerText();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: `Download ${name}` }).press("Enter");
    const copy = readFileSync(await (await saved).path());
    expect(copy.equals(readFileSync(join(scene.place.state, "backups", name)))).toBe(true);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect.soft(await violations(page), colorScheme).toEqual([]);
    }
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect.soft(wide, `at ${width}`).toBeLessThanOrEqual(width);
      if (width === 390) expect.soft(await smallTargets(page)).toEqual([]);
    }
    await page.getByRole("button", { name: `Remove ${name}` }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: `Remove ${name}` }).press("Enter");
    await page.getByText("No backups in the state folder.").waitFor();
  });

  it("[UI-760] [UI-032] [UI-034] [UI-507] has the findings of the doctor, and fixes one with its button, which the audit log records", async () => {
    chmodSync(file(), 0o644);
    const page = await scene.signedIn("/health");
    const findings = page.getByRole("table", { name: "Findings of the doctor" });
    await findings.getByText(`other users can access ${file()} (mode 644)`).waitFor();
    await page.getByText(/\d+ other checks found no problem\./).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect.soft(await violations(page), colorScheme).toEqual([]);
    }
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect.soft(wide, `at ${width}`).toBeLessThanOrEqual(width);
      if (width === 390) expect.soft(await smallTargets(page)).toEqual([]);
    }
    const change = `chmod 600 ${file()} (was 644)`;
    await page.getByRole("button", { name: `Fix: ${change}` }).press("Enter");
    expect(statSync(file()).mode & 0o777).toBe(0o644);
    await page.getByRole("dialog").getByRole("button", { name: "Make the change" }).press("Enter");
    await page.getByText(`Made: ${change}`).waitFor();
    await page.getByRole("button", { name: `Fix: ${change}` }).waitFor({ state: "detached" });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const { entries } = await scene.client.call("approvals.audit", {});
    expect(entries[0]).toMatchObject({ event: "installation-repaired", reason: change });
    expect(entries[0]?.actor?.channel).toBe("websocket");
  });

  it("[UI-561] [UI-554] says to a reader what they may not see, and why", async () => {
    const page = await scene.signedIn("/health", {}, await readerToken());
    await page.getByText("Backups need operator.admin.").waitFor();
    await page.getByText("The findings of the doctor need operator.admin.").waitFor();
    const back = page.getByRole("button", { name: "Back up now" });
    await expect.poll(() => back.getAttribute("title")).toContain("operator.admin");
    await page.goto(`${scene.url}/logs`);
    await page.getByText("Your token does not have operator.admin.").waitFor();
    await page.goto(`${scene.url}/models`);
    const test = page.getByRole("button", { name: /^Test / }).first();
    await expect.poll(() => test.getAttribute("title")).toContain("operator.write");
  });
});
