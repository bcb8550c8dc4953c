import { describe, expect, it } from "vitest";
import type { PolicyContext } from "../../src/index.js";
import { configured, problemsOf } from "../support/compiled-policy.js";
import { core, OWNER } from "../support/decision-input.js";

const openai: PolicyContext = { ...OWNER, provider: "OpenAI", model: "gpt-5" };

function admitted(config: unknown, context = openai): readonly string[] {
  const policy = configured(config);
  return ["exec", "read", "write", "time"].filter(
    (name) => policy.decide(core(name), context).allowed,
  );
}

describe("rules by provider", () => {
  it.each(["byProvider", "providers"])("[POL-009] are layer 2 (%s)", (spelling) => {
    const config = { tools: { [spelling]: { openai: { deny: ["exec"] } } } };
    expect(admitted(config)).toEqual(["read", "write", "time"]);
    expect(admitted(config, { ...OWNER, provider: "anthropic" })).toContain("exec");
    expect(admitted(config, OWNER)).toContain("exec");
    expect(configured(config).decide(core("exec"), openai).decidedBy).toMatchObject({
      layer: "provider",
      source: { key: `tools.${spelling}.openai.deny` },
    });
  });

  it("[POL-009] for a model replace those of its provider without merging", () => {
    const config = {
      tools: {
        byProvider: {
          OPENAI: { deny: ["exec"] },
          "openai/GPT-5": { deny: ["read"] },
        },
      },
    };
    expect(admitted(config)).toEqual(["exec", "write", "time"]);
    expect(admitted(config, { ...openai, model: "o9" })).toEqual(["read", "write", "time"]);
  });

  it("[POL-009] support providers whose models have a slash in their names", () => {
    const config = { tools: { byProvider: { "openrouter/anthropic/large": { deny: ["exec"] } } } };
    const context = { ...OWNER, provider: "openrouter", model: "anthropic/large" };
    expect(admitted(config, context)).not.toContain("exec");
    expect(admitted(config, { ...context, model: "openrouter/anthropic/large" })).not.toContain(
      "exec",
    );
    expect(admitted(config, { ...context, model: "large" })).toContain("exec");
  });

  it("[POL-009] can choose a profile and extend it", () => {
    const config = {
      tools: { byProvider: { openai: { profile: "minimal", alsoAllow: ["read"] } } },
    };
    expect(admitted(config)).toEqual(["read", "time"]);
    const both = { tools: { byProvider: { openai: { profile: "minimal", allow: ["read"] } } } };
    expect(admitted(both)).toEqual([]);
  });

  it("[POL-009] [POL-037] must not be configured in both spellings", () => {
    expect(
      problemsOf({
        tools: {
          byProvider: { openai: {}, OpenAI: {} },
          providers: { OPENAI: {}, anthropic: {} },
        },
      }),
    ).toEqual([
      'POLICY_DUPLICATE_PROVIDER_KEY tools.byProvider.OpenAI: provider key "openai" is already defined as tools.byProvider.openai',
      'POLICY_DUPLICATE_PROVIDER_KEY tools.providers.OPENAI: provider key "openai" is already defined as tools.byProvider.openai',
    ]);
  });

  it("[POL-037] require a complete key and known fields", () => {
    expect(problemsOf({ tools: { byProvider: { "openai/": {}, "/x": {} } } })).toEqual([
      'POLICY_BAD_VALUE tools.byProvider["openai/"]: expected "provider" or "provider/model", got "openai/"',
      'POLICY_BAD_VALUE tools.byProvider["/x"]: expected "provider" or "provider/model", got "/x"',
    ]);
    expect(problemsOf({ tools: { byProvider: { a: { alow: [] } } } })).toEqual([
      'POLICY_UNKNOWN_KEY tools.byProvider.a.alow: unknown key "alow"',
    ]);
  });
});
