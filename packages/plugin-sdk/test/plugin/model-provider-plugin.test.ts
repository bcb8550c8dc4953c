import { afterEach, describe, expect, it, vi } from "vitest";
import {
  defineModelProviderPlugin,
  type ModelProvider,
  OpenClawError,
  type OpenClawPluginApi,
  ProviderAddressInvalidError,
  ProviderSettingMissingError,
  type ProviderSettings,
} from "../../src/index.js";

afterEach(() => vi.unstubAllEnvs());

const properties = {
  apiKey: { type: "string" },
  baseURL: { type: "string" },
  api: { enum: ["chat", "responses"] },
  region: { type: "string" },
  local: { type: "object", properties: { baseURL: { type: "string" } } },
} as const;
type Settings = ProviderSettings<typeof properties>;

/** Registers the plugin `acme`, and returns its settings and the ids of its providers. */
function registered(config: object, providers: ModelProvider | readonly ModelProvider[] = []) {
  const ids: string[] = [];
  const made: Settings[] = [];
  const plugin = defineModelProviderPlugin({
    id: "acme",
    name: "Acme",
    config: properties,
    env: {
      apiKey: "ACME_KEY",
      region: ["ACME_REGION", "ACME_DEFAULT_REGION"],
      "local.baseURL": "ACME_LOCAL_URL",
    },
    create(settings) {
      made.push(settings);
      return providers;
    },
  });
  const registerProvider = ({ id }: ModelProvider) => void ids.push(id);
  plugin.register({ pluginConfig: config, registerProvider } as unknown as OpenClawPluginApi);
  const [settings] = made;
  if (settings === undefined) throw new Error("no settings were made");
  return { plugin, ids, settings };
}

const model = (id: string): ModelProvider => ({
  ...{ id, defaultModel: "m", paid: false, setup: "-" },
  languageModel: () => ({
    ...{ specificationVersion: "v3", provider: id, modelId: "m" },
    doGenerate: () => Promise.resolve(undefined),
    doStream: () => Promise.resolve({ stream: new ReadableStream() }),
  }),
});

describe("a model provider plugin", () => {
  it("has the schema of its settings, and no other keys", () => {
    const { plugin } = registered({});
    expect(plugin).toMatchObject({ id: "acme", name: "Acme" });
    expect(plugin.configSchema).toEqual({
      type: "object",
      additionalProperties: false,
      properties,
    });
  });

  it("registers one provider, or each of a list", () => {
    expect(registered({}, model("one")).ids).toEqual(["one"]);
    expect(registered({}, [model("one"), model("two")]).ids).toEqual(["one", "two"]);
  });
});

describe("the settings of a model provider", () => {
  it("come from the configuration first, then from the environment, without space", () => {
    vi.stubEnv("ACME_KEY", " from-environment ");
    const inConfig = registered({ apiKey: " from-config ", api: "chat" }).settings;
    expect(inConfig.find("apiKey")).toEqual({
      value: "from-config",
      source: "plugins.entries.acme.config.apiKey",
    });
    expect(inConfig.config.api).toBe("chat");
    const { settings } = registered({ apiKey: "  " });
    expect(settings.find("apiKey")).toEqual({ value: "from-environment", source: "ACME_KEY" });
    expect(settings.require("apiKey")).toBe("from-environment");
    vi.stubEnv("ACME_KEY", "later");
    expect(settings.require("apiKey"), "was read once").toBe("from-environment");
  });

  it("are found below another key", () => {
    vi.stubEnv("ACME_LOCAL_URL", "http://localhost:1");
    expect(registered({}).settings.httpUrl("local.baseURL")).toBe("http://localhost:1");
    const { settings } = registered({ local: { baseURL: "http://localhost:2" } });
    expect(settings.httpUrl("local.baseURL")).toBe("http://localhost:2");
  });

  it("name the source of the first that is set as credential, not its value", () => {
    vi.stubEnv("ACME_KEY", "");
    const { settings } = registered({ local: { baseURL: "http://localhost:2" } });
    expect(settings.credential("apiKey")).toBeUndefined();
    expect(settings.credential("apiKey", "local.baseURL")).toEqual({
      source: "plugins.entries.acme.config.local.baseURL",
    });
  });

  it("are named, with the places to set them, when one is missing", () => {
    vi.stubEnv("ACME_KEY", "");
    const { settings } = registered({});
    const missing = caught(() => settings.require("apiKey", { label: "API key" }));
    expect(ProviderSettingMissingError.isInstance(missing)).toBe(true);
    expect(missing).toMatchObject({
      code: "PROVIDER_SETTING_MISSING",
      kind: "configuration",
      message: "the acme plugin has no API key; set ACME_KEY or plugins.entries.acme.config.apiKey",
    });
    expect(caught(() => settings.require("baseURL", { code: "ACME_URL_MISSING" }))).toMatchObject({
      code: "ACME_URL_MISSING",
      message: "the acme plugin has no baseURL; set plugins.entries.acme.config.baseURL",
    });
  });

  it("come from the first of several variables that is set", () => {
    vi.stubEnv("ACME_REGION", " ");
    vi.stubEnv("ACME_DEFAULT_REGION", "north");
    const { settings } = registered({});
    expect(settings.find("region")).toEqual({ value: "north", source: "ACME_DEFAULT_REGION" });
    vi.stubEnv("ACME_REGION", "south");
    expect(registered({}).settings.find("region")?.source).toBe("ACME_REGION");
    vi.stubEnv("ACME_REGION", "");
    vi.stubEnv("ACME_DEFAULT_REGION", "");
    const missing = caught(() => registered({}).settings.require("region"));
    expect(missing.message).toContain("set ACME_REGION or ACME_DEFAULT_REGION or plugins.");
  });

  it("reject a value that is not one of the allowed ones", () => {
    vi.stubEnv("ACME_REGION", "north");
    const { settings } = registered({});
    expect(settings.choice("region", ["north", "south"])).toBe("north");
    expect(settings.choice("baseURL", ["x"])).toBeUndefined();
    expect(caught(() => settings.choice("region", ["east"]))).toMatchObject({
      code: "PROVIDER_SETTING_INVALID",
      kind: "configuration",
      message: expect.stringContaining('value of ACME_REGION: expected one of east, got "north"'),
    });
  });

  it("[LLM-400] reject a value that a header cannot carry, without repeating it", () => {
    vi.stubEnv("ACME_REGION", "sk-abc…def");
    const failure = caught(() => registered({}).settings.headerValue("region"));
    expect(failure.code).toBe("PROVIDER_SETTING_INVALID");
    expect(failure.message).toContain("value of ACME_REGION: its character 7, U+2026, cannot be");
    expect(failure.message).not.toContain("sk-abc");
    vi.stubEnv("ACME_REGION", "clé ÿ");
    expect(registered({}).settings.headerValue("region")).toBe("clé ÿ");
  });

  it.each(["localhost:1", "ftp://x", "https://"])("reject %s as an HTTP URL", (baseURL) => {
    const { settings } = registered({ baseURL });
    const invalid = caught(() => settings.httpUrl("baseURL"));
    expect(ProviderAddressInvalidError.isInstance(invalid)).toBe(true);
    expect(invalid).toMatchObject({
      code: "PROVIDER_ADDRESS_INVALID",
      message: expect.stringContaining("plugins.entries.acme.config.baseURL: expected one"),
    });
    expect(registered({}).settings.httpUrl("baseURL")).toBeUndefined();
  });
});

function caught(action: () => unknown): OpenClawError {
  try {
    action();
  } catch (error) {
    if (OpenClawError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
