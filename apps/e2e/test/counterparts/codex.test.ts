import { afterAll, beforeAll, expect, it } from "vitest";
import { runCounterpart } from "../../src/counterpart.js";
import { ClientScene, call } from "../../src/openai-client-scene.js";

let scene: ClientScene;
beforeAll(async () => {
  scene = await ClientScene.open();
});
afterAll(() => scene[Symbol.asyncDispose]());

function codex(...args: readonly string[]) {
  const configuration = [
    'model = "openclaw"',
    'model_provider = "openclaw"',
    "[model_providers.openclaw]",
    'name = "OpenClaw"',
    `base_url = "${scene.baseURL}"`,
    'wire_api = "responses"',
    'env_key = "OPENCLAW_TOKEN"',
  ].join("\n");
  // Its own sandbox does not start in a home folder in memory, and the one command is an echo.
  const options = ["exec", "--skip-git-repo-check", "--json", "-s", "danger-full-access", ...args];
  const files = { ".codex/config.toml": configuration };
  return runCounterpart("codex", options, files, { OPENCLAW_TOKEN: scene.apiKey });
}

it("[GW-037] Codex gets an answer", async () => {
  scene.script({ text: "Good day." });
  const { exitCode, stdout, stderr } = await codex("say good day");
  expect(stdout, stderr).toContain("Good day.");
  expect(exitCode).toBe(0);
  expect(scene.asked).toHaveLength(1);
  const [asked] = scene.conversations();
  expect(asked).toContain("say good day");
  expect(asked).toContain("You are a coding agent");
});

it("[GW-036] Codex runs a command for the model, and the model sees its output", async () => {
  scene.script(
    { toolCalls: [call("exec_command", { cmd: "echo counted-$((40+2))" })] },
    { text: "It printed 42." },
  );
  const { exitCode, stdout, stderr } = await codex("count");
  expect(stdout, stderr).toContain("It printed 42.");
  expect(exitCode).toBe(0);
  const tools = JSON.stringify(scene.asked[0]?.body.tools);
  expect(tools).toContain("exec_command");
  expect(scene.conversations()[1]?.includes("counted-42")).toBe(true);
});
