import { afterAll, beforeAll, expect, it } from "vitest";
import { runCounterpart } from "../../src/counterpart.js";
import { ClientScene, call } from "../../src/openai-client-scene.js";

let scene: ClientScene;
beforeAll(async () => {
  scene = await ClientScene.open("anthropic");
});
afterAll(() => scene[Symbol.asyncDispose]());

function claude(prompt: string, options: readonly string[] = [], signal?: AbortSignal) {
  const args = ["-p", prompt, "--output-format", "stream-json", "--verbose", "--max-turns", "30"];
  const environment = {
    ...{ ANTHROPIC_BASE_URL: scene.url, ANTHROPIC_API_KEY: scene.apiKey },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
  };
  return runCounterpart("claude", [...args, ...options], {}, environment, signal);
}

it("[GW-540] [GW-544] Claude Code gets an answer from a model that it knows by another name", async () => {
  scene.script({ thinking: "A greeting.", text: "Good day." });
  const { exitCode, stdout, stderr } = await claude("say good day");
  expect(stdout, stderr).toContain("Good day.");
  expect(exitCode).toBe(0);
  // No request was rejected and sent again in another form.
  expect(scene.asked).toHaveLength(1);
  const [asked] = scene.conversations();
  expect(asked).toContain("say good day");
  expect(JSON.stringify(scene.asked[0]?.body.system)).toContain("Claude Code");
});

it("[GW-541] [GW-542] Claude Code runs a command for the model, and the model sees its output", async () => {
  scene.script(
    {
      thinking: "I count with a command.",
      toolCalls: [call("Bash", { command: "echo counted-$((40+2))", description: "Counts" })],
    },
    { text: "It printed 42." },
  );
  const { exitCode, stdout, stderr } = await claude("count", ["--allowedTools", "Bash(echo:*)"]);
  expect(stdout, stderr).toContain("It printed 42.");
  expect(exitCode).toBe(0);
  expect(JSON.stringify(scene.asked[0]?.body.tools)).toContain('"Bash"');
  expect(scene.conversations()[1]).toContain("counted-42");
});

it("[GW-543] Claude Code reports an error of the model", async () => {
  scene.script({ failure: "context-length" });
  const { exitCode, stdout } = await claude("fail");
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/too long|context/i);
});

it("[GW-541] Claude Code works through a long conversation of calls", async () => {
  const steps = Array.from({ length: 20 }, (_, index) => ({
    thinking: `Now step ${index}.`,
    toolCalls: [
      {
        ...call("Bash", { command: `echo step-${index}`, description: "Counts" }),
        id: `c${index}`,
      },
    ],
  }));
  scene.script(...steps, { text: "All done." });
  const { exitCode, stdout, stderr } = await claude("count", ["--allowedTools", "Bash(echo:*)"]);
  expect(stdout, stderr).toContain("All done.");
  expect(exitCode).toBe(0);
  expect(scene.asked).toHaveLength(21);
  const last = scene.conversations().at(-1) ?? "";
  for (const index of steps.keys()) expect(last).toContain(`step-${index}`);
});

it("[GW-540] the end of Claude Code aborts its turn", async () => {
  const asked = scene.silence();
  const interrupt = new AbortController();
  const run = claude("wait", [], interrupt.signal);
  const { hungUp } = await asked;
  interrupt.abort();
  await hungUp;
  expect((await run).stdout).not.toContain("never");
});
