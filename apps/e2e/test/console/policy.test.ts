import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addToken } from "@openclaw/configuration";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { smallTargets, violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open({
    tools: { deny: ["write"] },
    agents: { main: { default: true }, helper: { tools: { deny: ["exec"] } } },
  });
  await scene.client.ready();
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

const file = () => join(scene.place.state, "openclaw.json");
const written = () => readFileSync(file(), "utf8");
const layers = (page: Page) => page.getByRole("list", { name: "Layers" });

describe("the policy", () => {
  it("[UI-042] [UI-025] [UI-582] [GW-572] has every tool and agent, explains a denial layer by layer, and opens the change that reverses it", async () => {
    const page = await scene.signedIn("/policy?view=matrix");
    const { agents, tools } = await scene.client.call("policy.matrix", {});
    expect(agents).toEqual(expect.arrayContaining(["main", "helper"]));
    await page.getByRole("table").waitFor();
    expect(await page.locator(".matrix tbody tr").count()).toBe(tools.length);
    expect(await page.locator(".matrix tbody td").count()).toBe(tools.length * agents.length);
    const cell = page.getByRole("link", { name: "exec for helper: denied by agent" });
    expect(await cell.getAttribute("title")).toBe("by the layer agent");
    await cell.click();
    await layers(page).waitFor();
    const answer = await scene.client.call("policy.explain", { tool: "exec", agentId: "helper" });
    expect(await layers(page).getByRole("listitem").count()).toBe(answer.layers.length);
    expect(await layers(page).locator(".decides").textContent()).toMatch(
      /agent.*deny.*exec.*openclaw\.json:\d+/,
    );
    await page.getByLabel("Tool").selectOption("write");
    await page.getByText("is denied for", { exact: false }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Smallest change that allows it" }).waitFor();
    await page.getByRole("button", { name: "Open as a change…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Save/ }).waitFor();
    expect(written()).toContain('"write"');
    await dialog.getByRole("button", { name: /^Save/ }).click();
    await dialog.waitFor({ state: "detached" });
    expect(JSON.parse(written()).tools?.deny ?? []).not.toContain("write");
    await page.getByText("is allowed for", { exact: false }).waitFor();
  });

  it("[UI-026] [UI-582] runs a candidate over the recorded calls, without applying it, and saves it through the review", async () => {
    const id = await scene.ask('write "hello" to notes.txt');
    const { digest } = await scene.client.call("approvals.get", { id });
    const ends = scene.client.events({ names: ["chat.final"] });
    await scene.client.call("approvals.resolve", { id, digest, decision: "allow-once" });
    await ends.next();
    await ends.return();
    const page = await scene.signedIn("/policy?view=what-if");
    const candidate = page.getByLabel("Candidate configuration");
    const before = written();
    await candidate.fill('{ "tools": { "deny": ["write"] } }');
    await page.getByRole("button", { name: "Run over the recorded calls" }).click();
    const flips = page.getByRole("table", { name: "What if" });
    await flips.waitFor();
    expect(await flips.textContent()).toMatch(/write/);
    expect(written()).toBe(before);
    await flips.getByRole("link").first().click();
    await page.waitForURL(/\/runs\//);
    await page.goBack();
    await candidate.fill('{ "tools": { "deny": [ } }');
    await page.getByRole("button", { name: "Run over the recorded calls" }).click();
    await page.getByText("CONFIG_INVALID").waitFor();
    await candidate.fill(`${before.trimEnd()} // kept\n`);
    await page.getByRole("button", { name: "Review and save…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /^Save/ }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(written()).toContain("// kept");
  });

  it("[UI-038] [UI-582] is readable without operator.admin, says what is closed, and works with the keyboard alone", async () => {
    const { token } = await addToken(file(), { name: "reader", scopes: ["operator.read"] });
    const { baseHash } = await scene.client.call("config.get", {});
    await scene.client.call("config.reload", { hash: baseHash });
    const page = await scene.signedIn("/", {}, token);
    await page.keyboard.press("g");
    await page.keyboard.press("y");
    await page.waitForURL(/\/policy/);
    await page.getByRole("link", { name: "What if" }).press("Enter");
    await page.getByText("need operator.admin", { exact: false }).waitFor();
    await page.getByRole("link", { name: "Matrix" }).press("Enter");
    await page.getByRole("link", { name: "exec for helper: denied by agent" }).press("Enter");
    await layers(page).waitFor();
    const open = page.getByRole("button", { name: "Open as a change…" });
    expect(await open.getAttribute("aria-disabled")).toBe("true");
    expect(await open.getAttribute("title")).toContain("operator.admin");
  });

  it("[UI-032] [UI-034] has no violation that axe-core finds, and fits into 320 px", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [path, ready] of [
        ["/policy", ".empty"],
        ["/policy?tool=exec&agentId=helper", ".layers"],
        ["/policy?view=matrix", ".matrix"],
        ["/policy?view=what-if", ".wedit textarea"],
      ] as const) {
        const page = await scene.signedIn(path, { colorScheme });
        await page.locator(`main ${ready}`).first().waitFor();
        expect(await violations(page), `${path} ${colorScheme}`).toEqual([]);
        for (const width of [320, 390, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
          expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
          if (width === 320) expect(await smallTargets(page), path).toEqual([]);
        }
        await page.close();
      }
    }
  });
});
