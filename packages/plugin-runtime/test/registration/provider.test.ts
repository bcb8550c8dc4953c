import type { ModelProvider } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import type { DescribedProviderHost } from "../../src/registration/described-provider.js";
import { readProvider } from "../../src/registration/provider.js";

const origin = { pluginId: "acme", source: "/plugins/acme/index.js" };
const host: DescribedProviderHost = {
  diagnose: () => undefined,
  describedModel: () => Promise.reject(new Error("not described")),
  config: () => ({}),
};

function read(specificationVersion: unknown) {
  const provider = {
    id: "acme",
    defaultModel: "m",
    paid: false,
    setup: "nothing",
    languageModel: () => Promise.reject(new Error("not here")),
    specificationVersion,
  };
  return readProvider(origin, provider as ModelProvider, host);
}

describe("registered provider", () => {
  it.each(["v2", "v3", "v4", undefined])(
    "[LLM-002] accepts models of specification %s",
    (version) => {
      expect(read(version).provider.specificationVersion).toBe(version);
    },
  );

  it.each(["v1", "v5", 4])(
    "[LLM-002] rejects models of specification %s and names it",
    (version) => {
      expect(() => read(version)).toThrow(
        `specificationVersion of provider "acme": expected v2, v3, v4 or none, got ${JSON.stringify(version)}`,
      );
    },
  );
});
