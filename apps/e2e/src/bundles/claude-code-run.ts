import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { startAnthropicServer } from "@openclaw/platform-fakes";
import { runCounterpart } from "../counterpart.js";
import { readFiles } from "./files.js";
import { type Observation, readCalls, readConversation } from "./observation.js";
import { recordBundle } from "./recorded-bundle.js";
import { type BundleScenario, isOfPrompt, repliesFor } from "./scenario.js";

const API_KEY = "test-key";
const TOOLS = "Bash Read Write Edit Grep Skill Agent";

/**
 * Runs a scenario in Claude Code.
 * @param scenario - bundle, message, and replies of the model
 */
export async function runInClaudeCode(scenario: BundleScenario): Promise<Observation> {
  using folder = temporaryFolder("claude-bundle");
  using workspace = temporaryFolder("claude-workspace");
  workspace.write(scenario.files ?? {});
  const log = join(folder.path, "calls.jsonl");
  const bundle = join(folder.path, "bundle");
  recordBundle(scenario.bundle, bundle, log);
  await using server = await startAnthropicServer(
    repliesFor(scenario, "claude-code", workspace.path),
    { apiKey: API_KEY },
  );
  const { stdout, stderr, exitCode } = await runCounterpart(
    "claude",
    ["-p", scenario.prompt, "--plugin-dir", bundle, "--allowedTools", TOOLS],
    {},
    {
      ...{ ANTHROPIC_BASE_URL: server.origin, ANTHROPIC_API_KEY: API_KEY },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
    },
    undefined,
    workspace.path,
  );
  if (exitCode === null) throw new Error(`Claude Code was killed: ${stdout}${stderr}`);
  const asked = server.requests.filter(({ body }) => isOfPrompt(body, scenario.prompt));
  return {
    ...readConversation(asked.at(-1)?.body),
    calls: placed(readCalls(log), { workspace: workspace.path, bundle }),
    ...{ requests: asked.length, reply: stdout.trim() },
    files: placed(readFiles(workspace.path), { workspace: workspace.path }),
  };
}

/** Time in seconds, as shell scripts write it. */
const SECONDS = /\b1[789]\d{8}\b/g;

/**
 * Replaces the folders of a host by their names, and times.
 * @param value - text, or an object with strings
 * @param folders - folders by name
 */
export function placed<Value>(value: Value, folders: Readonly<Record<string, string>>): Value {
  let text = JSON.stringify(value);
  for (const [name, folder] of Object.entries(folders)) {
    text = text.replaceAll(folder, `<${name}>`);
  }
  return JSON.parse(text.replaceAll(SECONDS, "<seconds>"));
}
