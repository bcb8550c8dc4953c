import type { ModelProvider } from "@openclaw/plugin-sdk";
import { describe, expect, it } from "vitest";
import {
  chooseModel,
  createDemoProvider,
  createModelCatalog,
  createScriptedModel,
  ModelNotFoundError,
} from "../../src/index.js";
import { reply, request } from "../support/collect.js";

function provider(id: string, source?: string): ModelProvider {
  return {
    id,
    defaultModel: "standard",
    paid: id !== "ollama",
    setup: `set up ${id}`,
    credential: source === undefined ? undefined : { source },
    languageModel: () => createScriptedModel([]),
  };
}

const demo = createDemoProvider();

describe("chooseModel", () => {
  it("selects the requested model, with or without a credential", () => {
    const providers = [demo, provider("openai", "OPENAI_API_KEY"), provider("anthropic")];
    expect(
      chooseModel({ requested: { ref: "anthropic/claude-x", source: "flag" }, providers }),
    ).toEqual({
      ref: "anthropic/claude-x",
      reason: "requested",
      source: "--model",
      paid: true,
      setupHints: ["set up anthropic"],
    });
  });

  it.each([
    ["config", "agents.defaults.model in openclaw.json"],
    ["backend", "LLM_BACKEND"],
    [{ text: "the command /model" }, "the command /model"],
  ] as const)("names the origin %j", (source, words) => {
    const choice = chooseModel({ requested: { ref: "demo", source }, providers: [demo] });
    expect(choice).toMatchObject({ ref: "demo/echo", reason: "requested", source: words });
  });

  it.each([
    ["nearai", "nearai"],
    ["openai", "openai"],
    ["anthropic", "anthropic"],
    ["gemini", "google"],
    ["google", "google"],
    ["bedrock", "bedrock"],
    ["AWS", "bedrock"],
    ["ollama", "ollama"],
    [" openrouter ", "openrouter"],
    ["openai_compatible", "openai-compatible"],
    ["of-a-plugin", "of-a-plugin"],
  ])("[LLM-008] selects the provider of LLM_BACKEND %s", (ref, id) => {
    const providers = [demo, provider("openai", "OPENAI_API_KEY"), provider("of-a-plugin")];
    if (id !== "openai" && id !== "of-a-plugin") providers.push(provider(id));
    const choice = chooseModel({ requested: { ref, source: "backend" }, providers });
    expect(choice).toMatchObject({ ref: `${id}/standard`, source: "LLM_BACKEND" });
  });

  it("[LLM-008] rejects another LLM_BACKEND with the list of names", () => {
    const requested = { ref: "opneai", source: "backend" as const };
    expect(() => chooseModel({ requested, providers: [demo] })).toThrow(
      'LLM_BACKEND is "opneai", expected one of nearai, openai, anthropic, gemini or google, bedrock or aws, ollama, ' +
        'openrouter, openai_compatible; did you mean "openai"?',
    );
  });

  it.each([
    ["backend", "aws"],
    ["flag", "bedrock/m"],
    ["config", "bedrock"],
  ] as const)("names the command that installs the provider of the %s %s", (source, ref) => {
    expect(() => chooseModel({ requested: { ref, source }, providers: [demo] })).toThrow(
      'the provider "bedrock" is not installed; run "openclaw plugins install @openclaw/bedrock"',
    );
  });

  it("accepts the other names of a provider in the name of a model", () => {
    const providers = [demo, provider("google")];
    const requested = { ref: "gemini/gemini-x", source: "flag" as const };
    expect(chooseModel({ requested, providers }).ref).toBe("google/gemini-x");
  });

  it("throws for a model of an unknown provider", () => {
    const requested = { ref: "opena/gpt-4o", source: "flag" as const };
    const providers = [demo, provider("openai")];
    expect(() => chooseModel({ requested, providers })).toThrow(ModelNotFoundError);
    expect(() => chooseModel({ requested, providers })).toThrow(/openai\/gpt-4o/);
  });

  it("[LLM-009] selects the first provider with a credential in the listed order, otherwise the demo model with a notice", async () => {
    const order = [
      "nearai",
      "openai",
      "anthropic",
      "google",
      "bedrock",
      "ollama",
      "openrouter",
      "openai-compatible",
    ];
    const registered = [...order].reverse().map((id) => provider(id, `${id} credential`));
    let left = [demo, ...registered];
    const chosen: string[] = [];
    while (left.length > 1) {
      const { ref, reason, source } = chooseModel({ providers: left });
      const id = ref.slice(0, ref.indexOf("/"));
      expect({ reason, source }).toEqual({ reason: "environment", source: `${id} credential` });
      chosen.push(id);
      left = left.filter((candidate) => candidate.id !== id);
    }
    expect(chosen).toEqual(order);

    // Registered, but without a credential, so none of them is ever selected.
    const providers = [...order.map((id) => provider(id)), demo];
    const { ref, reason } = chooseModel({ providers });
    expect({ ref, reason }).toEqual({ ref: "demo/echo", reason: "demo" });
    const { model } = await createModelCatalog(providers).resolve(ref);
    expect(await reply(model, request())).toContain("no language model is connected");
  });

  it("selects providers without a fixed position after the others, in order of registration", () => {
    const [zeta, alpha] = [provider("zeta", "Z"), provider("alpha", "A")];
    expect(chooseModel({ providers: [demo, zeta, alpha] }).ref).toBe("zeta/standard");
    const compatible = provider("openai-compatible", "C");
    expect(chooseModel({ providers: [zeta, compatible] }).ref).toBe("openai-compatible/standard");
  });

  it("reports which variable determined the choice, and that it costs money", () => {
    const providers = [demo, provider("openai"), provider("anthropic", "ANTHROPIC_API_KEY")];
    expect(chooseModel({ providers })).toEqual({
      ref: "anthropic/standard",
      reason: "environment",
      source: "ANTHROPIC_API_KEY",
      paid: true,
      setupHints: [],
    });
  });

  it("[PLUG-103] explains no setup of a provider without models", () => {
    const signIn = { ...provider("portal"), defaultModel: "", offersModels: false };
    const named = { ...provider("hub"), defaultModel: "" };
    expect(chooseModel({ providers: [demo, signIn, named] }).setupHints).toEqual(["set up hub"]);
  });

  it("falls back to the demo model and explains the setup of the others", () => {
    const providers = [provider("ollama"), demo, provider("openai")];
    expect(chooseModel({ providers })).toEqual({
      ref: "demo/echo",
      reason: "demo",
      source: "no API key for a model was found",
      paid: false,
      setupHints: ["set up openai", "set up ollama"],
    });
  });

  it("returns the hints for a requested demo model too", () => {
    const requested = { ref: "demo/echo", source: "flag" as const };
    const choice = chooseModel({ requested, providers: [demo, provider("openai")] });
    expect(choice.setupHints).toEqual(["set up openai"]);
  });

  it("does not choose a provider that has no default model", () => {
    const unnamed = { ...provider("openai-compatible", "LLM_BASE_URL"), defaultModel: "" };
    expect(chooseModel({ providers: [unnamed, demo] }).ref).toBe("demo/echo");
  });

  it("throws without any provider", () => {
    expect(() => chooseModel({ providers: [] })).toThrow(ModelNotFoundError);
  });
});
