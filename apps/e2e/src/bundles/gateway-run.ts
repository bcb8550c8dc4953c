import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { startAnthropicServer } from "@openclaw/platform-fakes";
import { vi } from "vitest";
import { openclawProcess } from "../openclaw-process.js";
import { emptyPlace } from "../place.js";
import { startGateway } from "../warm-process.js";
import { placed } from "./claude-code-run.js";
import { readFiles } from "./files.js";
import { type Observation, readCalls, readConversation } from "./observation.js";
import { recordBundle } from "./recorded-bundle.js";
import { type BundleScenario, isOfPrompt, repliesFor } from "./scenario.js";

const API_KEY = "test-key";
/** The tools that the other host is allowed to run without an approval request. */
const UNASKED = ["exec", "read", "write", "edit", "grep", "skill", "sessions_spawn"];

/**
 * Runs a scenario in a gateway that installed the bundle.
 * @param scenario - bundle, message, and replies of the model
 */
export async function runInGateway(scenario: BundleScenario): Promise<Observation> {
  using folder = temporaryFolder("gateway-bundle");
  const log = join(folder.path, "calls.jsonl");
  const bundle = join(folder.path, "bundle");
  recordBundle(scenario.bundle, bundle, log);
  await using server = await startAnthropicServer([], { apiKey: API_KEY });
  using place = emptyPlace({ ANTHROPIC_BASE_URL: server.baseURL, ANTHROPIC_API_KEY: API_KEY });
  server.reply(...repliesFor(scenario, "openclaw", place.workspace));
  const approval = Object.fromEntries(UNASKED.map((name) => [name, "never"]));
  const configuration = { tools: { approval }, models: { retry: { retries: 0 } } };
  place.writeState({ "openclaw.json": JSON.stringify(configuration) });
  place.writeWorkspace(scenario.files ?? {});
  const installed = await openclawProcess(
    ["plugins", "install", bundle, "--yes", "--force", "--json"],
    place,
  );
  if (installed.exitCode !== 0) throw new Error(`${installed.stdout}${installed.stderr}`);
  const reply = await ask(place, scenario.prompt, async () => {
    const { until } = scenario;
    await vi.waitFor(
      () => {
        if (until === undefined || readCalls(log).some(({ name }) => name === until)) return;
        throw new Error(`${until} has not run`);
      },
      { timeout: 30_000, interval: 20 },
    );
  });
  const asked = server.requests.filter(({ body }) => isOfPrompt(body, scenario.prompt));
  const { plugin }: { readonly plugin: { readonly id: string } } = JSON.parse(installed.stdout);
  const folders = {
    workspace: place.workspace,
    bundle: join(place.state, "extensions", plugin.id),
  };
  return {
    ...readConversation(asked.at(-1)?.body),
    calls: placed(readCalls(log), folders),
    ...{ requests: asked.length, reply: reply.trim() },
    files: placed(readFiles(place.workspace), { workspace: place.workspace }),
  };
}

async function ask(
  place: ReturnType<typeof emptyPlace>,
  prompt: string,
  finish: () => Promise<void>,
): Promise<string> {
  await using gateway = await startGateway(place);
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: prompt }] }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`the gateway responded with ${response.status}: ${answer}`);
  const { choices }: { choices: { message: { content: string } }[] } = JSON.parse(answer);
  await finish();
  return choices[0]?.message.content ?? "";
}
