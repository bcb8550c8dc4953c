import type { ModelServerReplySource } from "@openclaw/platform-fakes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCounterpart } from "../../src/counterpart.js";
import { ClientScene, call } from "../../src/openai-client-scene.js";

let scene: ClientScene;
beforeAll(async () => {
  scene = await ClientScene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

function opencode(...args: readonly string[]) {
  const configuration = {
    model: "openclaw/openclaw",
    small_model: "openclaw/openclaw",
    share: "disabled",
    autoupdate: false,
    permission: { bash: "allow" },
    provider: {
      openclaw: {
        npm: "@ai-sdk/openai-compatible",
        name: "OpenClaw",
        options: { baseURL: scene.baseURL, apiKey: scene.apiKey },
        models: { openclaw: { name: "OpenClaw" } },
      },
    },
  };
  const files = { ".config/opencode/opencode.json": JSON.stringify(configuration) };
  const environment = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" };
  return runCounterpart("opencode", ["run", ...args], files, environment);
}

/** Answers the request for a title, which OpenCode sends in addition to the first one, and the others in turn. */
function script(...replies: readonly ModelServerReplySource[]): void {
  const rest = [...replies];
  const reply: ModelServerReplySource = (request) => {
    const isTitle = JSON.stringify(request.body.messages).includes("title generator");
    const next = isTitle ? { text: "A title" } : (rest.shift() ?? { text: "nothing is left" });
    return typeof next === "function" ? next(request) : next;
  };
  scene.script(...Array.from({ length: replies.length + 1 }, () => reply));
}

it("[GW-035] OpenCode gets an answer", async () => {
  script({ text: "Good day." });
  const { exitCode, stdout, stderr } = await opencode("say good day");
  expect(stdout, stderr).toContain("Good day.");
  expect(exitCode).toBe(0);
});

it("[GW-036] OpenCode runs a command for the model, and the model sees its output", async () => {
  const params = { command: "echo counted-$((40+2))", description: "Counts" };
  script({ toolCalls: [call("bash", params)] }, { text: "It printed 42." });
  const { exitCode, stdout, stderr } = await opencode("count");
  expect(stdout, stderr).toContain("It printed 42.");
  expect(exitCode).toBe(0);
  expect(scene.conversations().join("\n")).toContain("counted-42");
});
