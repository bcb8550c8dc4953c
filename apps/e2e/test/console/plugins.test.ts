import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writePlugin } from "@openclaw/foundation/testing";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { smallTargets, violations, violationsInThemes } from "../../src/console/page-checks.js";
import { ConsoleScene } from "../../src/console/scene.js";
import { HOSTILE_TEXTS } from "./corpus/hostile-texts.js";
import { ATTACKING_PAGE, ATTACKING_SCRIPT, ATTACKS } from "./corpus/panel-attacks.js";

const MCP_SERVER = fileURLToPath(
  new URL("../../../../extensions/mcp/test/support/stdio-server.mjs", import.meta.url),
);
const MANIFEST = {
  description: HOSTILE_TEXTS.join(" "),
  permissions: {},
  configSchema: {
    type: "object",
    properties: {
      warnAt: { type: "number", maximum: 1, default: 0.8, description: "Part of the budget" },
      mode: { enum: ["soft", "hard"] },
      secret: { type: "string" },
      targets: { type: "array", items: { type: "object" } },
    },
  },
  uiHints: {
    warnAt: { label: "Warn at", order: 1 },
    secret: { label: "Webhook secret", sensitive: true },
    targets: { advanced: true },
  },
};

let scene: ConsoleScene;

beforeAll(async () => {
  scene = await ConsoleScene.open();
});

afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  await scene.closePages();
  expect(scene.faults.splice(0)).toEqual([]);
});

const source = () => join(scene.place.workspace, "guard");
const write = (register: string, manifest: object = {}) =>
  writePlugin(source(), { register, manifest: { ...MANIFEST, ...manifest } });
const field = (page: Page, key: string) =>
  page.locator(".field", { has: page.getByText(key, { exact: true }) });
const statusOf = async () => {
  const { plugins } = await scene.client.call("plugins.list", {});
  return plugins.find(({ id }) => id === "guard")?.status;
};

describe("the plugins", () => {
  it("[UI-042] [UI-018] [UI-019] [UI-020] [UI-555] [UI-780] are installed, set up, switched, updated with consent, and removed", async () => {
    write('api.on("before_tool_call", () => {});');
    const page = await scene.signedIn("/plugins");
    await page.getByRole("button", { name: "Install…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Source").fill(source());
    expect.soft(await violationsInThemes(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Install" }).click();
    await page.getByText(/guard is active, generation \d+/).waitFor();
    await page.waitForURL(/\/plugins\?id=guard$/);
    const handlers = page.getByRole("table", { name: "Handlers" });
    expect(await handlers.innerText()).toMatch(/before_tool_call[\s\S]*never/);
    expect(await page.evaluate("globalThis.__xss")).toBeUndefined();

    await page.getByRole("link", { name: "Settings", exact: true }).last().click();
    const warn = field(page, "plugins.entries.guard.config.warnAt");
    await warn.getByRole("textbox").fill("1.2");
    await warn.getByText("Must be at most 1").waitFor();
    await warn.getByRole("textbox").fill("0.5");
    const secret = field(page, "plugins.entries.guard.config.secret");
    await secret.locator("input").fill("nobody-else-knows");
    await page.getByText("1 advanced").click();
    await page.getByRole("button", { name: /^Review and save/ }).click();
    await dialog.getByText(/reload their plugins/).waitFor();
    expect(await dialog.innerText()).not.toContain("nobody-else-knows");
    await dialog.getByRole("button", { name: /^Save/ }).click();
    await dialog.waitFor({ state: "detached" });
    const written = readFileSync(join(scene.place.state, "openclaw.json"), "utf8");
    expect(written).toMatch(/"?warnAt"?: 0.5/);
    await secret.getByRole("button", { name: "Replace…" }).waitFor();

    await page.getByRole("link", { name: "Overview" }).click();
    const generation = async () => (await scene.client.call("plugins.list", {})).generation;
    const before = await generation();
    await page.getByRole("button", { name: "Reload", exact: true }).click();
    await expect.poll(generation).toBeGreaterThan(before);
    await page.getByRole("switch", { name: "guard on" }).click();
    await page.getByText(/guard is off, generation/).waitFor();
    const { status, reason = "" } = await scene.client.call("plugins.inspect", { id: "guard" });
    expect(status).toBe("disabled");
    await page.getByText(reason).waitFor();
    await page.getByRole("switch", { name: "guard on" }).click();
    await page.getByText(/guard is active, generation/).waitFor();

    write("", { version: "2.0.0", permissions: { exec: ["git"] } });
    writeFileSync(join(source(), "picture.bin"), Buffer.from([0, 1]));
    await page.getByRole("button", { name: "Update…" }).click();
    await dialog.getByRole("button", { name: "Show the code difference" }).click();
    await dialog.getByText("exec: git").waitFor();
    await dialog.getByText("picture.bin is not text").waitFor();
    const code = dialog.getByRole("region", { name: /index\.mjs/ });
    expect(await code.innerText()).toContain("before_tool_call");
    expect.soft(await violationsInThemes(page)).toEqual([]);
    expect(await statusOf()).toBe("loaded");
    await dialog.getByRole("button", { name: "Accept 1 permission and load" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("2.0.0", { exact: false }).first().waitFor();

    await page.getByRole("button", { name: "Uninstall…" }).click();
    await dialog.waitFor();
    expect.soft(await violationsInThemes(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Uninstall guard" }).click();
    await page.waitForURL(/\/plugins$/);
    await expect.poll(statusOf).toBeUndefined();
  });

  it("[UI-565] have tools, each of which is run from a form of its schema, through the approval of every call", async () => {
    const { client } = scene;
    await client.ready();
    const sessionKey = "agent:main:by-hand";
    await client.call("sessions.create", { sessionKey });
    const page = await scene.signedIn("/plugins?view=tools");
    const list = page.getByRole("table", { name: "Tools" });
    await page.getByLabel("As session").selectOption(sessionKey);
    await list.getByRole("link", { name: "write", exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get("tool") === "write");
    expect(new URL(page.url()).searchParams.get("session")).toBe(sessionKey);
    // A field has one line.
    const content = HOSTILE_TEXTS.join(" ").replaceAll("\n", " ");
    await field(page, "path").getByRole("textbox").fill("by-hand.txt");
    await field(page, "content").getByRole("textbox").fill(content);
    const asked = client.events({ names: ["approval.requested"] });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("It runs.").first().waitFor();
    const { value: request } = await asked.next();
    await asked.return();
    const id = request?.payload.id ?? "";
    const { digest } = await client.call("approvals.get", { id });
    await client.call("approvals.resolve", { id, digest, decision: "allow-once" });
    const result = page.getByRole("region", { name: "Result" });
    await result.getByRole("heading", { name: /^Done/ }).waitFor();
    expect(readFileSync(join(scene.place.workspace, "by-hand.txt"), "utf8")).toBe(content);
    expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
    await page.getByRole("link", { name: "Explain its policy" }).click();
    await page.waitForURL(/\/policy\?tool=write$/);
    await page.goto(`${scene.url}/plugins?tool=nothing_of_this`);
    await page.getByText("nothing_of_this is not offered in this session").waitFor();
  });

  it("[UI-039] [UI-566] [SDK-524] show panels in a frame that reaches nothing but what the plugin declared", async () => {
    const { client } = scene;
    await client.ready();
    const panel = { id: "attack", title: "Attack", folder: "panel" };
    const listed = ["guard.ping", "config.get", "other.secret", "constructor"];
    const register = `
      const answer = ({ params: { a } }) => ({ pong: a });
      api.registerGatewayMethod("guard.ping", answer, { scope: "operator.read" });
      api.registerGatewayMethod("guard.hidden", answer, { scope: "operator.read" });
      api.registerGatewayMethod("guard.tell", () => {
        api.gatewayEvents.emit("hidden", 1);
        api.gatewayEvents.emit("seen", 2);
        return {};
      }, { scope: "operator.read" });
      api.registerPanel(${JSON.stringify({ ...panel, methods: listed, events: ["seen"] })});`;
    writePlugin(source(), {
      register,
      manifest: { permissions: {} },
      files: { "panel/index.html": ATTACKING_PAGE, "panel/attack.js": ATTACKING_SCRIPT },
    });
    await client.call("plugins.install", { specifier: source(), cwd: scene.place.workspace });
    const page = await scene.signedIn("/plugins?id=guard&view=panel:attack");
    const frame = page.frameLocator("iframe[title=Attack]");
    await frame.locator("#seen", { hasText: "{" }).waitFor();
    const { hello, ping, ...seen } = JSON.parse(await frame.locator("#seen").innerText());
    // The list of the plugin is cut to its own methods.
    expect(hello).toMatchObject({ version: 1, plugin: "guard", panel: "attack", theme: "light" });
    expect(hello.methods).toEqual(["guard.ping"]);
    expect(ping).toEqual({ pong: 1 });
    expect(Object.keys(seen).sort()).toEqual(Object.keys(ATTACKS).sort());
    const won = Object.entries(seen).filter(([, outcome]) => /^succeeded/.test(String(outcome)));
    expect(won).toEqual([]);
    for (const name of [
      "method of the host",
      "method of another plugin",
      "method of the prototype",
    ]) {
      expect(seen[name], name).toBe("PANEL_NOT_DECLARED");
    }
    expect(seen["large parameters"]).toBe("PANEL_MESSAGE");
    expect(page.url()).toContain("view=panel:attack");

    await client.invoke("guard.tell", {});
    await frame.locator("#events", { hasText: "plugin.guard.seen 2" }).waitFor();
    expect(await frame.locator("#events").innerText()).not.toContain("hidden");
    await expect.poll(() => page.locator("iframe").getAttribute("height")).toBe("200");

    await frame.locator("#leave").click();
    await page.getByText("The panel left its page").waitFor();
    await page.getByRole("button", { name: "Open the panel again" }).click();
    await frame.locator("#seen", { hasText: "{" }).waitFor();
    await client.call("plugins.disable", { id: "guard" });
    await page.locator("iframe").waitFor({ state: "detached" });
    await page.getByText("This panel is not active").waitFor();
    await client.call("plugins.uninstall", { id: "guard" });
    // The browser reports what it did not let the panel do.
    const reported = scene.faults.splice(0);
    expect(
      reported.filter(
        (text) =>
          !/panel|attack|sandbox|sessionStorage|Permissions policy|Security Policy|net::ERR|40[134]/i.test(
            text,
          ),
      ),
    ).toEqual([]);
  });

  it("[UI-570] have the MCP servers with state, tools, log, changes to accept, and a button that reconnects", async () => {
    const tools = join(scene.place.workspace, "mcp-tools.json");
    const tool = { name: "greet", inputSchema: { type: "object", properties: {} } };
    const offer = (description: string) =>
      writeFileSync(tools, JSON.stringify([{ ...tool, description }]));
    offer("Greets a person.");
    const entry = { command: process.execPath, args: [MCP_SERVER], env: { TOOLS: tools } };
    const broken = { ...entry, env: { FAULTS: "exits at start" } };
    const { baseHash } = await scene.client.call("config.get", {});
    const value = { fake: entry, broken };
    await scene.client.call("config.set", { baseHash, changes: [{ path: ["mcpServers"], value }] });
    const page = await scene.signedIn("/plugins?view=mcp");
    const list = page.getByRole("table", { name: "MCP servers" });
    const row = list.getByRole("row").filter({ has: page.getByRole("link", { name: "fake" }) });
    await row.getByText("1 tool", { exact: true }).waitFor();
    await list.getByRole("img", { name: /^(failing|refused)$/ }).waitFor();
    expect.soft(await violationsInThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Reconnect: broken" }).press("Enter");
    await page.getByRole("alert").waitFor();

    await row.getByRole("link", { name: "fake" }).press("Enter");
    const shown = page.getByRole("region", { name: "Tools" });
    await shown.getByText("Greets a person.").waitFor();
    await page.getByText("fake server started").waitFor();
    offer(HOSTILE_TEXTS[16] ?? "");
    await page.getByRole("button", { name: "Reconnect: fake" }).press("Enter");
    await shown.getByText("The server changed this tool.", { exact: false }).waitFor();
    expect.soft(await violationsInThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Accept the new definition: greet" }).press("Enter");
    await shown.getByText("The server changed", { exact: false }).waitFor({ state: "detached" });
    await shown.getByText("onerror", { exact: false }).first().waitFor();
    expect(await page.evaluate("globalThis.__xss")).toBeUndefined();
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect.soft(wide, `at ${width}`).toBeLessThanOrEqual(width);
      if (width === 390) expect.soft(await smallTargets(page)).toEqual([]);
    }
  });

  it("[UI-763] [UI-032] add an MCP server with a secret that is stored encrypted, and remove it", async () => {
    const page = await scene.signedIn("/plugins?view=mcp");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add…" }).press("Enter");
    await dialog.getByLabel("Name").fill("added");
    await dialog.getByLabel("Command or URL").fill(`"${process.execPath}" '${MCP_SERVER}'`);
    const add = dialog.getByRole("button", { name: "Add and connect" });
    await dialog.getByLabel("Variables").fill("NOT A PAIR");
    expect(await add.getAttribute("aria-disabled")).toBe("true");
    await dialog.getByLabel("Variables").fill("API_TOKEN=nobody-else-knows\nMODE=plain");
    expect.soft(await violationsInThemes(page)).toEqual([]);
    await add.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("server") === "added");
    await page.getByText("fake server started").waitFor();
    const written = readFileSync(join(scene.place.state, "openclaw.json"), "utf8");
    expect(written).toContain("${secret:MCP_ADDED_API_TOKEN}");
    expect(written).not.toContain("nobody-else-knows");
    const remove = async (name: string) => {
      await page.getByRole("button", { name: `Remove ${name}` }).press("Enter");
      await dialog.getByRole("button", { name: `Remove ${name}` }).press("Enter");
      await page.waitForURL((url) => url.searchParams.get("view") === "mcp");
      await page.getByRole("link", { name, exact: true }).waitFor({ state: "detached" });
    };
    await remove("added");
  });

  it("[UI-032] [UI-034] have no violation that axe-core finds, and fit into 320 px", async () => {
    const { plugins } = await scene.client.call("plugins.list", {});
    const id = plugins[0]?.id;
    await scene.client.call("sessions.create", { sessionKey: "agent:main:main" });
    for (const colorScheme of ["light", "dark"] as const) {
      for (const path of [
        "/plugins",
        "/plugins?view=tools",
        "/plugins?tool=read",
        `/plugins?id=${id}`,
        `/plugins?id=${id}&view=settings`,
      ]) {
        const page = await scene.signedIn(path, { colorScheme });
        await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
        await page.locator(".rows.plugins, .ptools, .facts, fieldset").first().waitFor();
        expect(await violations(page), `${path} ${colorScheme}`).toEqual([]);
        for (const width of [320, 390, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
          expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
        }
        await page.close();
      }
    }
  });
});
