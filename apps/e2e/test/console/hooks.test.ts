import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { smallTargets, violations } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";

/** Source of a plugin that rewrites the content of a file. */
const rewriter = (id: string, priority: number) => `
  import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
  export default definePluginEntry({
    id: "${id}",
    register(api) {
      api.on("before_tool_call", ({ params }) => ({ params: { ...params, content: params.content + " ${id}" } }), {
        priority: ${priority},
        label: "<img src=x onerror=globalThis.__xss=1>",
        scope: { toolNames: ["write"] },
      });
      api.on("before_compaction", () => {});
    },
  });`;

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open(
    {
      plugins: {
        entries: {
          "declarative-hooks": {
            config: {
              rules: [
                {
                  ...{ name: "no-passwords", points: ["beforeOutbound"] },
                  replacements: [{ pattern: "hunter2", replacement: "[hidden]" }],
                },
              ],
            },
          },
        },
      },
    },
    {},
    { first: rewriter("first", 1), second: rewriter("second", 2) },
  );
  await scene.client.ready();
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

describe("the hooks", () => {
  it("[UI-024] [UI-562] are listed with their handlers in order, counts and percentiles, and with what is unusual", async () => {
    const page = await scene.signedIn("/hooks");
    const table = page.getByRole("table", { name: "Hooks" });
    const row = table.getByRole("row").filter({ hasText: "before_tool_call" });
    await row.getByText(/second → first/).waitFor();
    const idle = table.getByRole("row").filter({ hasText: "before_compaction" });
    await idle.getByText("never fired").waitFor();
    await scene.ask('write "hello" to notes.txt');
    await row.getByText("second and first rewrite params.content").waitFor();
    const { hooks } = await scene.client.call("hooks.list", {});
    const listed = hooks.find(({ hook }) => hook === "before_tool_call");
    expect(await row.innerText()).toContain(String(listed?.dispatched));
    expect(await row.innerText()).toMatch(/\d ms/);
    await page.getByLabel("Show").selectOption("every hook");
    await expect.poll(() => table.locator(".row.act").count()).toBe(hooks.length);
    await page.getByLabel("Show").selectOption("warnings");
    await idle.waitFor();
    await page.reload();
    await row.getByRole("link").click();

    const order = page.getByRole("table", { name: "Handlers in the order in which they run" });
    const handler = (id: string) => order.getByRole("row").filter({ hasText: id }).first();
    await handler("second").getByText("rewrote params.content").waitFor();
    await page.getByRole("textbox", { name: "Tool" }).fill("read");
    await page.getByRole("textbox", { name: "Tool" }).press("Enter");
    await handler("second").getByText("would not run: scope.toolNames does not match").waitFor();
    const { order: shown } = await scene.client.call("hooks.show", {
      ...{ hook: "before_tool_call", toolName: "read" },
    });
    await expect.poll(() => order.locator(".row:not(.head)").count()).toBe(shown.length);
    expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
  });

  it("[UI-562] that are written as configuration are switched, and say what prevents others", async () => {
    const page = await scene.signedIn("/hooks?view=configured");
    const table = page.getByRole("table", { name: "Written as configuration" });
    const row = table.getByRole("row").filter({ hasText: "no-passwords" });
    await row.getByRole("img", { name: "active" }).waitFor();
    await row.getByRole("switch").click();
    await row.getByRole("img", { name: "disabled" }).waitFor();
    const { hooks } = await scene.client.call("hooks.configured", {});
    expect(hooks).toMatchObject([{ name: "config::no-passwords", state: "disabled" }]);
    await row.getByRole("switch").click();
    await row.getByRole("img", { name: "active" }).waitFor();
  });

  it("[UI-562] [UI-032] [UI-034] [UI-507] can be used by everyone", async () => {
    for (const path of [
      "/hooks?show=all",
      "/hooks?show=unusual",
      "/hooks?hook=before_tool_call",
      "/hooks?view=configured",
    ]) {
      const page = await scene.signedIn(path);
      await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
      await page.locator(".rows, .empty, .plugin-notes").first().waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect.soft(await violations(page), `${path} ${colorScheme}`).toEqual([]);
      }
      for (const width of [320, 390, 768, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect.soft(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
        if (width === 390) expect.soft(await smallTargets(page), path).toEqual([]);
      }
      await page.close();
    }
  });
});
