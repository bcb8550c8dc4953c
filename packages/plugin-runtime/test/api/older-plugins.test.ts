import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import type { HostServices } from "@openclaw/plugin-sdk/services";
import { describe, expect, it } from "vitest";
import { createFileHost, type FilePlugin } from "../support/file-host.js";
import { createTestHost, plugin } from "../support/host.js";

/** Members that only untyped plugins call. */
type Untyped = Readonly<Record<string, (...args: unknown[]) => unknown>>;

const untyped = (api: OpenClawPluginApi) => api as unknown as Untyped;

/** Loads one plugin of files and returns its `api` and generation. */
async function loaded(
  parts: Partial<FilePlugin>,
  config: object = {},
  hostServices: HostServices = {},
) {
  let api: OpenClawPluginApi | undefined;
  const register = (given: OpenClawPluginApi) => {
    api = given;
    return parts.register?.(given);
  };
  const host = createFileHost(
    [{ id: "old", ...parts, register }],
    {},
    {
      config: { ...config },
      hostVersion: "1.4.0",
      hostServices,
    },
  );
  const generation = await host.runtime.load();
  return { api, generation, host };
}

const codesOf = (diagnostics: readonly { readonly code: string }[]) =>
  diagnostics.map(({ code }) => code);

describe("configuration as a plugin sees it", () => {
  it("[PLUG-105] has the plugin's own entry and channels with secrets, and those of others redacted", async () => {
    const { api } = await loaded(
      { channels: ["pager"] },
      {
        gateway: { auth: { token: "of the host" } },
        channels: { old: { token: "own id" }, pager: { token: "own" }, chat: { token: "other" } },
        plugins: {
          entries: { old: { config: { apiKey: "mine" } }, new: { config: { apiKey: "theirs" } } },
        },
      },
    );
    const expected = {
      gateway: { auth: { token: "[redacted]" } },
      channels: {
        old: { token: "own id" },
        pager: { token: "own" },
        chat: { token: "[redacted]" },
      },
      plugins: {
        entries: { old: { config: { apiKey: "mine" } }, new: { config: "[redacted]" } },
      },
    };
    expect(api?.config).toEqual(expected);
    expect(api?.runtime.config.current()).toEqual(expected);
    expect(Object.isFrozen(api?.config.channels)).toBe(true);
  });

  it("[PLUG-105] changes as a list of edits, in which redacted values do not appear", async () => {
    const edits: unknown[] = [];
    const change = async (...edit: unknown[]) => void edits.push(edit);
    const { api } = await loaded(
      {},
      { gateway: { auth: { token: "secret" } }, logging: { level: "info" } },
      { configFile: { change } },
    );
    const config = api?.runtime.config;
    await config?.writeConfigFile?.({ ...config.current(), logging: { level: "debug" } });
    await config?.replaceConfigFile?.({ nextConfig: { gateway: config.current().gateway } });
    await config?.mutateConfigFile?.((draft) => {
      draft.models = { fast: "a/b" };
    });
    await config?.writeConfigFile?.({ ...config.current() });
    expect(edits).toEqual([
      ["old", [{ path: ["logging", "level"], value: "debug" }]],
      ["old", [{ path: ["logging"], value: undefined }]],
      ["old", [{ path: ["models"], value: { fast: "a/b" } }]],
    ]);
  });
});

describe("configuration schema of a module", () => {
  const manifest = {
    configSchema: {
      type: "object",
      properties: { mode: { type: "string" }, level: { type: "integer", default: 11 } },
    },
  };
  const schemaOf = (body: string) =>
    `export const configSchema = { parse(config) { ${body} return { ...config, parsed: true }; } };`;

  it("[PLUG-100] converts the configuration and cannot reject what the manifest accepts", async () => {
    const code = schemaOf('if (config.mode === "odd") throw new Error("no odd mode");');
    const config = { plugins: { entries: { old: { config: { mode: "even" } } } } };
    const even = await loaded({ ...manifest, code }, config);
    expect(even.api?.pluginConfig).toEqual({ mode: "even", level: 11, parsed: true });
    const odd = await loaded(
      { ...manifest, code },
      JSON.parse(JSON.stringify(config).replace("even", "odd")),
    );
    expect(odd.api?.pluginConfig).toEqual({ mode: "odd", level: 11 });
  });

  it("[PLUG-100] cannot reject a default of the manifest, which the manifest's schema validates", async () => {
    const code = schemaOf('if (config.level > 10) throw new Error("level above 10");');
    const { api, generation } = await loaded({ ...manifest, code });
    expect(generation.plugins[0]).toMatchObject({ status: "loaded" });
    expect(api?.pluginConfig).toEqual({ level: 11 });
  });
});

describe("module of a bundler", () => {
  it("[PLUG-109] has require, __filename and __dirname in an ES module, with its own lines in stacks", async () => {
    const said: unknown[] = [];
    const { generation } = await loaded({
      code: [
        'var __require = /* @__PURE__ */ ((x) => typeof require !== "undefined" ? require : x)(function (x) {',
        '  throw Error("Dynamic require is not supported: " + x);',
        "});",
        'export const found = [__require("node:path").basename(__filename), __dirname.length > 1];',
        'export const lazy = () => require("node:path").sep;',
        "globalThis.openclawTestBundle = { found, lazy, line: new Error('x').stack };",
      ].join("\n"),
      register: () => {
        const { found, lazy, line } = Reflect.get(globalThis, "openclawTestBundle");
        said.push(found, lazy(), /index\.mjs:(\d+)/.exec(line)?.[1]);
      },
    });
    Reflect.deleteProperty(globalThis, "openclawTestBundle");
    expect(generation.plugins[0]).toMatchObject({ status: "loaded", loader: "native" });
    expect(said).toEqual([["index.mjs", true], "/", "6"]);
  });

  it("[PLUG-109] keeps its own declaration of require", async () => {
    const { generation } = await loaded({
      code: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\nrequire("node:path");',
    });
    expect(generation.plugins[0]).toMatchObject({ status: "loaded" });
  });
});

describe("runtime.version", () => {
  it("[PLUG-102] is a calendar version for plugins of the calendar versions, and the host's for others", async () => {
    const calendar = await loaded({ compat: { pluginApi: ">=2026.5.28" } });
    expect(calendar.api?.runtime.version).toBe("2026.9.0");
    const own = await loaded({ compat: { pluginApi: "^1.0" } });
    expect(own.api?.runtime.version).toBe("1.4.0");

    const manifest = { name: "x", peerDependencies: { clawdbot: ">=2026.1.24" } };

    const seen: unknown[] = [];
    const peer = createFileHost(
      [{ id: "peer", register: (api) => seen.push(api.runtime.version) }],
      {},
      { hostVersion: "1.4.0" },
    );
    writeFileSync(join(peer.folder("peer"), "package.json"), JSON.stringify(manifest));
    await peer.runtime.load();
    expect(seen).toEqual(["2026.9.0"]);
  });
});

describe("routes", () => {
  it("[PLUG-034] [PLUG-108] of the plugin's own prefix and of its channels are free; a moved path is named", async () => {
    const { generation } = await loaded(
      {
        channels: ["pager"],
        register: (api) => {
          const handler = () => undefined;
          for (const path of ["/plugins/old", "/plugins/pager/hook", "/plugins/other", "/api/x"]) {
            api.registerHttpRoute({ path, handler, auth: "plugin" });
          }
          api.registerHttpRoute({ path: "/webhook", handler, auth: "plugin" });
        },
      },
      {},
      { hosts: ["httpRoutes"], names: { httpPaths: ["/api", "/plugins"] } },
    );
    expect(generation.httpRoutes.map(({ addresses }) => addresses)).toEqual([
      ["/plugins/old"],
      ["/plugins/old/plugins/pager/hook", "/plugins/pager/hook"],
      ["/plugins/old/webhook"],
    ]);
    const told = generation.diagnostics.filter(({ code }) => /^(?:name|route)-/.test(code));
    expect(codesOf(told)).toEqual(["name-taken", "name-taken", "route-moved"]);
    expect(told.at(-1)?.message).toContain("is served at /plugins/old/webhook");
  });
});

describe("registration methods of older versions", () => {
  it("[PLUG-056] are accepted, and say what does not work", async () => {
    const { generation } = await loaded({
      register: (api) => {
        untyped(api).registerRealtimeVoiceProvider?.({ id: "voice" });
        untyped(api).registerCliBackend?.({ id: "cli" });
        untyped(api).registerRealtimeVoiceProvider?.({ id: "again" });
      },
    });
    const told = generation.diagnostics.filter(({ code }) => code === "accepted-not-used");
    expect(told.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        "api.registerRealtimeVoiceProvider, which has no effect on this host: there are no live calls",
      ),
      expect.stringContaining("api.registerCliBackend"),
    ]);
    // The lines of a start are made of these (PLUG-087).
    expect(told.map(({ unserved }) => unserved)).toEqual([
      "registration by registerRealtimeVoiceProvider",
      "registration by registerCliBackend",
    ]);
  });

  it("[PLUG-056] make tools of search and image providers, and a transcription of a media provider", async () => {
    const { generation } = await loaded({
      register: (api) => {
        api.registerWebSearchProvider({
          id: "finder",
          createTool: () => ({
            description: "Search.",
            parameters: { type: "object", properties: { q: { type: "string" } } },
            execute: ({ q }) => [`found ${String(q)}`],
          }),
        });
        api.registerImageGenerationProvider({
          id: "painter",
          defaultModel: "oil",
          generateImage: async ({ prompt, model }) => ({
            images: [{ buffer: Buffer.from(`${model} ${prompt}`), mimeType: "image/png" }],
          }),
        });
        api.registerMediaUnderstandingProvider({
          id: "ears",
          transcribeAudio: async ({ buffer }) => ({ text: `${buffer.length} bytes` }),
        });
      },
    });
    const [search, image] = generation.tools;
    expect([search?.names, image?.names]).toEqual([["web_search"], ["image_generate"]]);
    if (typeof search?.tool !== "function" || typeof image?.tool !== "object") throw new Error();
    const made = await search.tool({ agentId: "main" } as never);
    const { signal } = new AbortController();
    const found = Array.isArray(made)
      ? undefined
      : await made?.execute("1", { q: "tea" } as never, signal, () => {});
    expect(found).toMatchObject({ details: ["found tea"] });
    const painted = await image.tool.execute("2", { prompt: "a cat" } as never, signal, () => {});
    const data = Buffer.from("oil a cat").toString("base64");
    expect(painted).toMatchObject({ content: [{ type: "image", data, mimeType: "image/png" }] });
    expect(generation.hooks.map(({ events }) => events)).toEqual([["transcribe_audio"]]);
  });

  it("[PLUG-056] have flat aliases, session actions, run context and agent events", async () => {
    const ended: unknown[] = [];
    const events: unknown[] = [];
    const { api, generation, host } = await loaded(
      {
        register: (api) => {
          api.registerRuntimeLifecycle({ id: "l", dispose: () => void ended.push("disposed") });
          api.registerSessionAction({ id: "rotate", handler: ({ sessionKey }) => sessionKey });
          api.registerAgentEventSubscription({
            id: "all",
            streams: ["custom"],
            handle: ({ stream, data }) => void events.push([stream, data]),
          });
        },
      },
      {},
      { publishEvent: (_id, { name }) => void events.push(name) },
    );
    expect(generation.gatewayHandlers).toMatchObject([
      { method: "old.action.rotate", scope: "operator.write" },
    ]);
    const place = { runId: "r1", namespace: "n" };
    expect(api?.runContext.setRunContext({ ...place, value: { a: 1 } })).toBe(true);
    expect(api?.getRunContext(place)).toEqual({ a: 1 });
    api?.clearRunContext({ runId: "r1" });
    expect(api?.getRunContext(place)).toBeUndefined();
    expect(api?.emitAgentEvent({ runId: "r1", stream: "custom", data: { x: 1 } })).toEqual({
      emitted: true,
    });
    expect(events).toEqual([["custom", { x: 1 }], "plugin.old.agent"]);
    await host.runtime.dispose();
    expect(ended).toEqual(["disposed"]);
  });
});

describe("providers of older plugins", () => {
  it("[PLUG-103] with the API of their models become providers; a sign-in alone offers no models", async () => {
    const asked: unknown[] = [];
    const { generation } = await loaded(
      {
        register: (api) => {
          api.registerProvider({
            id: "local",
            label: "Local",
            models: {
              baseUrl: "http://127.0.0.1:1/v1",
              apiKey: "k",
              models: [{ id: "small" }, { id: "large" }],
            },
          });
          api.registerProvider({ id: "portal", auth: [{ id: "device" }] });
          api.registerProvider({
            id: "later",
            catalog: {
              run: () => ({
                provider: { baseUrl: "http://127.0.0.1:2/v1", models: [{ id: "m" }] },
              }),
            },
          });
        },
      },
      {},
      {
        describedModel: async (models, modelId) => {
          asked.push([models.baseUrl, models.apiKey, modelId]);
          return {} as never;
        },
      },
    );
    const [local, portal, later] = generation.providers.map(({ provider }) => provider);
    expect(local).toMatchObject({ id: "local", defaultModel: "small", paid: false });
    expect(await local?.listModels?.()).toEqual(["small", "large"]);
    await local?.languageModel("large");
    await later?.languageModel("m");
    expect(asked).toEqual([
      ["http://127.0.0.1:1/v1", "k", "large"],
      ["http://127.0.0.1:2/v1", undefined, "m"],
    ]);
    await expect(portal?.languageModel("x")).rejects.toMatchObject({
      code: "RUNTIME_CAPABILITY_MISSING",
    });
    const told = generation.diagnostics.filter(({ code }) => code === "provider-without-models");
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toContain('provider "portal"');
    expect(told[0]?.unserved).toBe('sign-in of provider "portal"');
    expect([local, portal, later].map((each) => each?.offersModels)).toEqual([true, false, true]);
  });
});

describe("tool factory without declared names", () => {
  it("[PLUG-106] is asked once for the tools of a sample session, so that inspection and permissions know them", async () => {
    let asked = 0;
    const { generation } = await loaded({
      register: (api) => {
        const tool = (name: string) => ({
          name,
          description: "",
          parameters: {},
          execute: () => "",
        });
        api.registerTool(() => {
          asked += 1;
          return [tool("first"), tool("second")];
        });
        api.registerTool(() => {
          throw new Error("not now");
        });
      },
    });
    expect(asked).toBe(1);
    expect(generation.plugins[0]?.toolNames).toEqual(["first", "second"]);
    const [told] = generation.diagnostics.filter(({ code }) => code === "permission-undeclared");
    expect(told?.message).toContain('register the tool "first"');
  });
});

describe("runtime.state.openKeyedStore", () => {
  it("[PLUG-041] keeps values with an expiry and a maximum number in the plugin's store", async () => {
    const values = new Map<string, unknown>();
    const kv = {
      get: async (key: string) => values.get(key),
      set: async (key: string, value: unknown) => void values.set(key, value),
      delete: async (key: string) => values.delete(key),
      list: async (prefix = "") =>
        [...values]
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, value]) => ({ key, value })),
      compareAndSet: async (key: string, expected: unknown, next: unknown) => {
        if (JSON.stringify(values.get(key)) !== JSON.stringify(expected)) return false;
        if (next === undefined) values.delete(key);
        else values.set(key, next);
        return true;
      },
    };
    const { api } = await loaded({}, {}, { openStore: () => ({ kv }) as never });
    const store = api?.runtime.state.openKeyedStore?.<number>({
      namespace: "calls",
      maxEntries: 2,
    });
    if (store === undefined) throw new Error("no store");
    await store.register("a", 1);
    expect(await store.registerIfAbsent("a", 2)).toBe(false);
    expect(await store.lookup("a")).toBe(1);
    await store.register("gone", 9, { ttlMs: -1 });
    expect(await store.lookup("gone")).toBeUndefined();
    expect(await store.registerIfAbsent("b", 2)).toBe(true);
    expect(await store.consume("b")).toBe(2);
    expect(await store.consume("b")).toBeUndefined();
    expect((await store.entries()).map(({ key, value }) => [key, value])).toEqual([["a", 1]]);
    await store.clear();
    expect(values.size).toBe(0);
    expect(() => api?.runtime.state.openKeyedStore?.({ namespace: "a b" })).toThrow("namespace");
  });
});

describe("plugin whose id names a secret", () => {
  it("[PLUG-105] has its own entry and channel, and secrets of other such entries are redacted", async () => {
    const config = {
      channels: { secrets: { room: "own" }, token: { room: "a", token: "t" }, password: "p" },
      plugins: {
        entries: { secrets: { config: { apiKey: "mine" } }, tokens: { config: { k: "theirs" } } },
      },
    };
    let seen: unknown;
    const register = (api: OpenClawPluginApi) => {
      seen = api.config;
    };
    await createFileHost([{ id: "secrets", register }], {}, { config }).runtime.load();
    expect(seen).toMatchObject({
      channels: {
        secrets: { room: "own" },
        token: { room: "a", token: "[redacted]" },
        password: "[redacted]",
      },
      plugins: {
        entries: {
          secrets: { config: { apiKey: "mine" } },
          tokens: { config: "[redacted]" },
        },
      },
    });
  });
});

describe("wrong registration", () => {
  it("[PLUG-101] keeps the registrations around a wrong one, and free names of methods", async () => {
    const { runtime } = createTestHost([
      plugin((api) => {
        api.registerCommand({ name: "Not A Name", description: "", handler: () => ({ text: "" }) });
        api.registerGatewayMethod("voicecall/status:now", () => ({}));
        api.registerGatewayMethod("Voice Call: status", () => ({}));
        api.registerGatewayMethod(" padded", () => ({}));
        api.registerGatewayMethod("two\nlines", () => ({}));
      }),
    ]);
    const { plugins, diagnostics } = await runtime.load();
    expect(plugins[0]).toMatchObject({
      status: "loaded",
      commandNames: [],
      gatewayMethods: ["voicecall/status:now", "Voice Call: status"],
    });
    const invalid = codesOf(diagnostics).filter((code) => code === "registration-invalid");
    expect(invalid).toHaveLength(3);
  });
});
