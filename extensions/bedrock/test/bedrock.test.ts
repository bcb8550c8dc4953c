import { registeredProviders } from "@openclaw/plugin-testkit/model-providers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };
import plugin from "../src/index.js";

const loaded = vi.hoisted(() => ({ library: false }));
vi.mock("@ai-sdk/amazon-bedrock", async (original) => {
  loaded.library = true;
  return original();
});

async function provider() {
  const [found] = await registeredProviders(plugin, {});
  if (found === undefined) throw new Error("the plugin registered no provider");
  return found;
}

beforeEach(() => {
  const names = [
    ...["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    ...["AWS_SESSION_TOKEN", "BEDROCK_MODEL_ID", "BEDROCK_BASE_URL"],
  ];
  for (const name of names) vi.stubEnv(name, "");
});
afterEach(() => vi.unstubAllEnvs());

describe("bedrock plugin", () => {
  it("declares the provider and the settings in its manifest", async () => {
    expect(manifest).toMatchObject({ id: plugin.id, version: packageJson.version });
    expect(manifest.configSchema).toEqual(plugin.configSchema);
    expect(manifest.providers).toEqual([(await provider()).id]);
    expect(packageJson.files).toContain("openclaw.plugin.json");
  });

  it("names each missing setting, and loads the provider library with the first model", async () => {
    const model = async () => (await provider()).languageModel("m");
    await expect(model()).rejects.toThrow(
      "set AWS_REGION or AWS_DEFAULT_REGION or plugins.entries.bedrock.config.region",
    );
    vi.stubEnv("AWS_REGION", "eu-central-1");
    await expect(model()).rejects.toThrow("set AWS_ACCESS_KEY_ID");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIA");
    await expect(model()).rejects.toThrow("set AWS_SECRET_ACCESS_KEY");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    expect(loaded.library).toBe(false);
    expect(await model()).toMatchObject({ modelId: "m" });
    expect(loaded.library).toBe(true);
  });

  it("is usable with both keys and a region, of AWS_REGION or else AWS_DEFAULT_REGION", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIA");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    expect((await provider()).credential).toBeUndefined();
    vi.stubEnv("AWS_DEFAULT_REGION", "us-west-2");
    expect(await provider()).toMatchObject({
      credential: { source: "AWS_ACCESS_KEY_ID" },
      defaultModel: "",
      setup: "set BEDROCK_MODEL_ID to a model that your account may use",
    });
    vi.stubEnv("BEDROCK_MODEL_ID", "amazon.nova-pro-v1:0");
    expect((await provider()).defaultModel).toBe("amazon.nova-pro-v1:0");
  });
});
