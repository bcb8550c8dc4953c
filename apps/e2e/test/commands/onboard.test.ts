import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { startGeminiServer } from "@openclaw/platform-fakes";
import { describe, expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace, type Place } from "../../src/place.js";
import { HAS_PSEUDO_TERMINAL, KEY, openclawAtTerminal } from "../../src/pseudo-terminal.js";

const REFERENCE = `\${secret:OPENAI_API_KEY}`;
const GOOD_KEY = "sk-test-0123456789abcdef";

/** Serves the list of models of the OpenAI API for one key. */
async function modelServer(): Promise<string> {
  const server = createServer((request, response) => {
    const isAllowed = request.headers.authorization === `Bearer ${GOOD_KEY}`;
    const body = isAllowed ? { data: [{ id: "small" }, { id: "large" }] } : { error: "no" };
    response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(request.url === "/v1/models" ? body : {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
}

function configurationOf({ state }: Place): unknown {
  return JSON.parse(readFileSync(join(state, "openclaw.json"), "utf8"));
}

describe("openclaw onboard without prompts", () => {
  it("[HOST-034] tests the key, stores it encrypted, and keeps what it does not change", async () => {
    const url = await modelServer();
    using place = emptyPlace({ OPENAI_BASE_URL: url, MY_KEY: GOOD_KEY });
    place.writeState({ "openclaw.json": '// mine\n{ "logging": { "level": "warn" } }\n' });
    const args = ["onboard", "--yes", "--provider", "openai", "--model", "large"];
    const saved = await openclaw([...args, "--api-key-env", "MY_KEY"], place);
    expect(saved).toMatchObject({ exitCode: 0 });
    expect(saved.stdout).toContain("Saved: model openai/large, key stored encrypted.");
    const text = readFileSync(join(place.state, "openclaw.json"), "utf8");
    expect(text).toContain("// mine");
    expect(text).not.toContain(GOOD_KEY);
    const listed = await openclaw(["secrets", "list", "--json"], place);
    expect(JSON.parse(listed.stdout)).toMatchObject({ secrets: [{ name: "OPENAI_API_KEY" }] });
    const key = await openclaw(["config", "get", "plugins.entries.openai.config.apiKey"], place);
    expect(key.stdout).toContain(REFERENCE);

    const again = await openclaw(["onboard", "--yes", "--json"], {
      ...place,
      environment: {},
    });
    expect(JSON.parse(again.stdout)).toMatchObject({ model: "openai/large" });
  });

  it("[HOST-034] saves nothing when the key or the database is rejected, and reports a missing network", async () => {
    const url = await modelServer();
    using place = emptyPlace({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-wrong-key-123456" });
    const args = ["onboard", "--yes", "--provider", "openai"];
    const rejected = await openclaw(args, place);
    expect(rejected.exitCode).toBe(2);
    expect(rejected.stderr).toContain("/models rejects the key (HTTP 401); nothing was saved");
    const database = [
      "onboard",
      "--yes",
      "--provider",
      "demo",
      "--database",
      "postgres://u@127.0.0.1:1/x",
    ];
    const unusable = await openclaw(database, place);
    expect(unusable.exitCode).toBe(2);
    expect(unusable.stderr).toContain("the database cannot be used");
    expect(existsSync(join(place.state, "openclaw.json"))).toBe(false);
    const offline = await openclaw(["onboard", "--yes", "--provider", "ollama"], {
      ...place,
      environment: { OLLAMA_BASE_URL: "http://127.0.0.1:1" },
    });
    expect(offline).toMatchObject({ exitCode: 0 });
    expect(offline.stderr).toContain("not tested: http://127.0.0.1:1/v1/models is not reachable");
    expect(configurationOf(place)).toMatchObject({
      agents: { defaults: { model: "ollama/llama3" } },
    });
  });

  it("[HOST-034][LLM-015] tests the key of Gemini, which rejects one with HTTP 400, and sends the stored one", async () => {
    await using server = await startGeminiServer([{ text: "Hello from Gemini." }]);
    const environment = { GEMINI_BASE_URL: server.baseURL };
    using place = emptyPlace({ ...environment, GEMINI_API_KEY: "wrong" });
    const args = ["onboard", "--yes", "--provider", "google"];
    const rejected = await openclaw([...args, "--model", "gemini-a"], place);
    expect(rejected.exitCode).toBe(2);
    expect(rejected.stderr).toContain("rejects the key (HTTP 400); nothing was saved");
    const right = { ...place, environment: { ...environment, GEMINI_API_KEY: "test-key" } };
    expect(await openclaw([...args, "--model", "gemini-a"], right)).toMatchObject({ exitCode: 0 });
    expect(configurationOf(place)).toMatchObject({
      agents: { defaults: { model: "google/gemini-a" } },
      plugins: { entries: { google: { config: { apiKey: `\${secret:GEMINI_API_KEY}` } } } },
    });
    const chat = await openclaw(["chat", "-m", "hi"], { ...place, environment });
    expect(chat.stdout).toContain("Hello from Gemini.");
    expect(server.requests.at(-1)?.headers).toMatchObject({ "x-goog-api-key": "test-key" });
  });

  it("[HOST-900] names two servers, of which the second answers when the first does not", async () => {
    const [desk, rack] = [await modelServer(), await modelServer()];
    using place = emptyPlace({ DESK_API_KEY: GOOD_KEY, RACK_API_KEY: GOOD_KEY });
    const named = ["--server", `desk=${desk}`, `rack=${rack}`];
    const saved = await openclaw(["onboard", "--yes", ...named, "--model", "large"], place);
    expect(saved).toMatchObject({ exitCode: 0, stderr: "" });
    expect(saved.stdout).toContain("Saved: model desk/large, then rack/large.");
    const server = (baseUrl: string, name: string) => ({
      ...{ type: "openai-compatible", baseUrl },
      apiKey: `\${secret:MODEL_${name}_API_KEY}`,
    });
    expect(configurationOf(place)).toEqual({
      agents: { defaults: { model: "desk/large", fallbacks: ["rack/large"] } },
      models: { providers: { desk: server(desk, "DESK"), rack: server(rack, "RACK") } },
    });

    const wrong = { ...place, environment: { DESK_API_KEY: "sk-wrong-key-123456" } };
    const rejected = await openclaw(["onboard", "--yes", ...named, "--model", "large"], wrong);
    expect(rejected.exitCode).not.toBe(0);
    expect(rejected.stderr).toContain("rejects the key");
    for (const bad of [["desk"], [`desk=${desk}`, `desk=${rack}`], ["desk=ftp://a"]]) {
      const outcome = await openclaw(
        ["onboard", "--yes", "--model", "m", "--server", ...bad],
        place,
      );
      expect(outcome).toMatchObject({ exitCode: 2 });
      expect(outcome.stderr).toContain("--server takes name=URL, for example");
    }
  });

  it("[HOST-034] works with the default of every prompt in an empty folder", async () => {
    using place = emptyPlace();
    expect(await openclaw(["onboard"], place)).toMatchObject({ exitCode: 0 });
    expect(configurationOf(place)).toEqual({ agents: { defaults: { model: "demo/echo" } } });
    const missing = await openclaw(["onboard", "--provider", "openai"], place);
    expect([missing.exitCode, missing.stderr]).toEqual([
      2,
      expect.stringContaining("--api-key-env"),
    ]);
  });
});

describe.runIf(HAS_PSEUDO_TERMINAL)("openclaw onboard at a terminal", () => {
  it("[HOST-034] has at most five prompts, tests the key before it saves, goes back, and continues where it stopped", async () => {
    const url = await modelServer();
    using place = emptyPlace({ OPENAI_BASE_URL: url });
    await using first = openclawAtTerminal(["onboard"], place);
    await first.shows(/Which model provider/);
    // The demo model is the default; the choice before the first one is the last.
    first.press(KEY.down);
    first.press(KEY.enter);
    await first.shows(/API key for OpenAI\?/);
    first.press(`sk-wrong${KEY.enter}`);
    await first.shows(/rejects the key[\s\S]*API key for OpenAI\?/);
    first.press(KEY.escape);
    await first.shows(/Which model provider/);
    first.press(KEY.escape);
    const stopped = await first.ended();
    expect(stopped.exitCode).toBe(130);
    expect(stopped.screen).toMatch(/Nothing was saved\. Continue with `.* onboard`\./);
    expect(existsSync(join(place.state, "openclaw.json"))).toBe(false);
    expect(readFileSync(join(place.state, "onboarding.json"), "utf8")).not.toContain("sk-wrong");

    await using second = openclawAtTerminal(["onboard"], place);
    await second.shows(/Which model provider/);
    // OpenAI, the answer before the interruption, is preset.
    second.press(KEY.enter);
    await second.shows(/API key for OpenAI\?/);
    second.press(`${GOOD_KEY}${KEY.enter}`);
    await second.shows(/It works\.[\s\S]*Which model\? \(2 available\)/);
    second.press(`large${KEY.enter}`);
    await second.shows(/Database\?/);
    second.press(KEY.escape);
    await second.shows(/Which model\?/);
    second.press(KEY.enter);
    await second.shows(/Database\?/);
    second.press(KEY.enter);
    const { exitCode, screen } = await second.ended();
    expect(exitCode).toBe(0);
    expect(screen).toContain("Saved: model openai/large, key stored encrypted.");
    expect(screen).not.toContain(GOOD_KEY);
    expect(configurationOf(place)).toMatchObject({
      agents: { defaults: { model: "openai/large" } },
      plugins: { entries: { openai: { config: { apiKey: REFERENCE } } } },
    });
    expect(existsSync(join(place.state, "onboarding.json"))).toBe(false);
  });
});
