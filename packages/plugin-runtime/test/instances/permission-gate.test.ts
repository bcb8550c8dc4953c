import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PluginsConfiguration } from "@openclaw/plugin-discovery";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { PluginPermissionError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import { createFileHost } from "../support/file-host.js";

const noop = () => {};

/** One registration of each kind that a manifest can declare. */
const DECLARABLE: readonly (readonly [string, string, (api: OpenClawPluginApi) => void])[] = [
  ["tools", "find", (api) => api.registerTool(tool("find"))],
  ["hooks", "agent_end", (api) => void api.on("agent_end", noop)],
  [
    "commands",
    "ping",
    (api) => api.registerCommand({ name: "ping", description: "d", handler: () => ({}) }),
  ],
  [
    "routes",
    "/hook",
    (api) => api.registerHttpRoute({ path: "/hook", auth: "gateway", handler: noop }),
  ],
  ["gatewayMethods", "a.ping", (api) => api.registerGatewayMethod("a.ping", noop)],
  ["channels", "telegram", (api) => api.registerChannel({ id: "telegram" })],
  ["providers", "local", (api) => api.registerProvider(provider("local"))],
  ["services", "ticker", (api) => api.registerService({ id: "ticker", start: noop })],
  [
    "sessions",
    "mood",
    (api) => api.registerSessionExtension({ namespace: "mood", description: "d" }),
  ],
];

describe("undeclared registration", () => {
  it.each(DECLARABLE)(
    "[PLUG-044] is accepted and reported with the missing manifest line by default: %s",
    async (kind, name, register) => {
      const host = createFileHost([{ id: "guard", register }]);
      const { plugins, diagnostics } = await host.runtime.load();
      expect(plugins[0]?.status).toBe("loaded");
      expect(diagnostics.filter(({ code }) => code === "permission-undeclared")).toEqual([
        {
          level: "info",
          code: "permission-undeclared",
          message: expect.stringContaining(`"${name}"`),
          pluginId: "guard",
          source: expect.stringContaining("index.mjs"),
          hint: `write into ${join(host.folder("guard"), "openclaw.plugin.json")}: "permissions": ${JSON.stringify({ [kind]: [name] })}`,
        },
      ]);
      const count = plugins[0]?.toolNames.length ?? 0;
      expect(count).toBe(kind === "tools" ? 1 : 0);
    },
  );

  it.each(DECLARABLE)(
    "[PLUG-044] is rejected with an error in strict mode: %s",
    async (kind, name, register) => {
      const { runtime } = createFileHost([{ id: "guard", register }], { permissions: "strict" });
      const { plugins, diagnostics, tools } = await runtime.load();
      expect(plugins[0]).toMatchObject({ status: "error", error: { code: "register-failed" } });
      expect(diagnostics.find(({ level }) => level === "error")?.message).toContain(
        `permissions.${kind} of its manifest does not name "${name}"; add it there, or run "openclaw plugins fix-manifest guard"`,
      );
      expect(tools).toEqual([]);
    },
  );

  it.each(DECLARABLE)(
    "[PLUG-044] is accepted without a report in off mode: %s",
    async (_kind, _name, register) => {
      const { runtime } = createFileHost([{ id: "guard", register }], { permissions: "off" });
      const { plugins, diagnostics } = await runtime.load();
      expect(plugins[0]?.status).toBe("loaded");
      expect(diagnostics.map(({ code }) => code)).not.toContain("permission-undeclared");
    },
  );

  it.each(DECLARABLE)(
    "[PLUG-044] is accepted without a report after the line was added: %s",
    async (kind, name, register) => {
      const permissions = { [kind]: [name] };
      const host = createFileHost([{ id: "guard", permissions, register }], {
        permissions: "strict",
      });
      expect((await host.runtime.load()).plugins[0]?.status).toBe("loaded");
    },
  );

  it("is reported in one diagnostic, whose line keeps the existing declarations", async () => {
    const { runtime } = createFileHost([
      {
        id: "guard",
        permissions: { tools: ["find"] },
        register: (api) => {
          for (const name of ["find", "store", "drop", "list", "show"])
            api.registerTool(tool(name));
        },
      },
    ]);
    const { diagnostics, tools } = await runtime.load();
    expect(tools).toHaveLength(5);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      message:
        'plugin "guard" did what its manifest does not declare: register the tool "store", register the tool "drop", register the tool "list", 1 more',
      hint: expect.stringContaining(
        '"permissions": {"tools":["find","store","drop","list","show"]}',
      ),
    });
  });

  it("is omitted, and the plugin continues, when it catches the error", async () => {
    let refusal: unknown;
    const { runtime } = createFileHost(
      [
        {
          id: "guard",
          permissions: { hooks: ["agent_end"] },
          register: (api) => {
            try {
              api.registerTool(tool("find"));
            } catch (error) {
              refusal = error;
            }
            api.on("agent_end", noop);
          },
        },
      ],
      { permissions: "strict" },
    );
    const { plugins } = await runtime.load();
    expect(plugins[0]).toMatchObject({ status: "loaded", toolNames: [], hookNames: ["agent_end"] });
    expect(PluginPermissionError.isInstance(refusal) && refusal).toMatchObject({
      code: "PLUGIN_PERMISSION_MISSING",
      pluginId: "guard",
      permission: "tools",
      value: "find",
    });
  });

  it("is reported at once when it is registered late", async () => {
    let late = noop;
    const { runtime } = createFileHost([
      {
        id: "guard",
        register: (api) => {
          late = () => api.registerTool(tool("find"));
        },
      },
    ]);
    await runtime.load();
    late();
    expect(runtime.current.diagnostics.map(({ code }) => code)).toEqual([
      "permission-undeclared",
      "late-registration",
    ]);
  });
});

describe("api.runtime helpers", () => {
  const hosts = ["127.0.0.1"];
  const command = ["git", "status"];

  it.each<[string, PluginsConfiguration["permissions"], object | undefined, boolean, number]>([
    ["a declared host", "warn", { hosts }, true, 0],
    ["a declared host", "strict", { hosts }, true, 0],
    ["no host outside the declared ones", "warn", { hosts: ["example.com"] }, false, 0],
    ["no host with an empty declaration", "warn", { hosts: [] }, false, 0],
    ["any host, with a diagnostic, without a network declaration", "warn", undefined, true, 1],
    ["no host without a network declaration", "strict", undefined, false, 0],
    ["any host", "off", { hosts: ["example.com"] }, true, 0],
  ])("[PLUG-045] fetch from %s under %s", async (_what, permissions, network, allowed, told) => {
    const { api, runtime } = await loaded({ ...(network && { network }) }, permissions);
    const answer = api.runtime.fetch("http://127.0.0.1:9/x").then((response) => response.text());
    if (allowed) expect(await answer).toBe("http://127.0.0.1:9/x");
    else {
      await expect(answer).rejects.toThrow(
        'may not fetch from "127.0.0.1:9": permissions.network.hosts of its manifest does not name "127.0.0.1:9"',
      );
    }
    expect(undeclared(runtime)).toHaveLength(told);
  });

  it.each<[string, PluginsConfiguration["permissions"], string[] | undefined, boolean, number]>([
    ["a declared program", "warn", ["git"], true, 0],
    ["a declared program", "strict", ["git"], true, 0],
    ["no program of another folder", "warn", ["/opt/git"], false, 0],
    ["any program, with a diagnostic, without a declaration", "warn", undefined, true, 1],
    ["no program without a declaration", "strict", undefined, false, 0],
    ["every program when all are declared", "strict", ["*"], true, 0],
    ["any program", "off", ["node"], true, 0],
  ])("[PLUG-045] run %s under %s", async (_what, permissions, exec, allowed, told) => {
    const { api, runtime } = await loaded({ ...(exec && { exec }) }, permissions);
    const answer = api.runtime.system.runCommandWithTimeout?.(command, 1000);
    if (allowed) expect(await answer).toMatchObject({ stdout: "git status" });
    else await expect(answer).rejects.toThrow('may not run "git": permissions.exec');
    expect(undeclared(runtime)).toHaveLength(told);
  });

  it.each<[string, string, string[] | undefined, boolean, number]>([
    ["the plugin's own folder", ".", undefined, true, 0],
    ["a folder below it", "lib", [], true, 0],
    ["a declared folder", "/usr/share", ["/usr"], true, 0],
    ["any folder, with a diagnostic, without a declaration", "/usr", undefined, true, 1],
    ["no undeclared folder", "/usr", ["/usr/share"], false, 0],
    ["no folder above the plugin's", "..", [], false, 0],
  ])("[PLUG-045] use %s as the folder of a command", async (_what, cwd, read, allowed, told) => {
    const permissions = { exec: ["git"], ...(read && { fs: { read } }) };
    const { api, runtime } = await loaded(permissions, "warn");
    const answer = api.runtime.system.runCommandWithTimeout?.(command, { timeoutMs: 1000, cwd });
    if (allowed) expect(await answer).toMatchObject({ code: 0 });
    else await expect(answer).rejects.toThrow(/may not run a command in .*permissions\.fs\.read/);
    expect(undeclared(runtime)).toHaveLength(told);
  });

  it("[PLUG-045] are the only confined parts in the host's process, as the page on plugins states", () => {
    const page = readFileSync(
      join(import.meta.dirname, "../../../../docs/author/plugins.md"),
      "utf8",
    );
    expect(page).toMatch(/not confined/);
  });

  /** A host that fetches and runs nothing really: what counts is whether it is asked. */
  async function loaded(permissions: object, mode: PluginsConfiguration["permissions"]) {
    let api: OpenClawPluginApi | undefined;
    const host = createFileHost(
      [
        {
          id: "guard",
          permissions,
          register: (given) => {
            api = given;
          },
        },
      ],
      { ...(mode && { permissions: mode }) },
      {
        allowHosts: ["127.0.0.1:9"],
        hostServices: {
          fetch: async (_id, request) => new Response(request.url),
          runCommand: async (_id, given) => ({
            stdout: given.command.join(" "),
            stderr: "",
            truncated: false,
            code: 0,
            signal: null,
            termination: "exit",
          }),
        },
      },
    );
    await host.runtime.load();
    if (api === undefined) throw new Error("the plugin was not loaded");
    return { api, runtime: host.runtime };
  }

  function undeclared({ current }: ReturnType<typeof createFileHost>["runtime"]) {
    return current.diagnostics.filter(({ code }) => code === "permission-undeclared");
  }
});

function tool(name: string) {
  return { name, description: "", parameters: {}, execute: () => name };
}

function provider(id: string) {
  return {
    id,
    defaultModel: "m",
    paid: false,
    setup: "nothing",
    languageModel: () => Promise.reject(new Error("not here")),
  };
}
