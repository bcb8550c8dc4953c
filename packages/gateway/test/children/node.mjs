// Runs a gateway whose configuration is in a folder. Each line of its input is a message {id, text, session} or
// {answer}; it prints its URL, the requests of its model, and the outcomes of its messages. The model waits for an answer to
// a text that begins with "wait", and writes the file of one that begins with "write".
import { join } from "node:path";
import { createInterface } from "node:readline";
import { loadConfiguration } from "@openclaw/configuration";
import { startGateway } from "@openclaw/gateway";
import { createScriptedModel } from "@openclaw/models";
import { scriptedProvider } from "../support/scripted-provider.ts";

const [folder] = process.argv.slice(2);
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const answers = new Map();

const model = createScriptedModel(({ prompt }) => {
  const text = prompt
    .at(-1)
    .content.map((part) => part.text ?? "")
    .join("");
  print({ model: text });
  const [, path] = /^write (\S+)$/.exec(text) ?? [];
  if (path !== undefined)
    return { toolCalls: [{ toolName: "write", params: { path, content: text } }] };
  if (!text.startsWith("wait")) return { text: `reply to ${text}` };
  const waitFor = new Promise((resolve) => answers.set(text, resolve));
  return { text: `reply to ${text}`, waitFor };
});
const configurationFile = join(folder, "openclaw.json");
const gateway = await startGateway({
  version: "1.0.0",
  stateDir: join(folder, "state"),
  configuration: await loadConfiguration(configurationFile),
  configurationFile,
  workspaceDir: join(folder, "workspace"),
  bundledExtensions: [],
  environment: { OPENCLAW_SECRET_KEY: "a master key for every node of the test" },
  providers: [scriptedProvider(model)],
  model: "scripted/script",
  port: 0,
});
print({ url: gateway.url });
process.once("SIGTERM", async () => {
  await gateway.stop("signal");
  process.exit(0);
});

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, text, session, answer } = JSON.parse(line);
  if (answer !== undefined) return void answers.get(answer)?.();
  const sent = {
    channel: "terminal",
    conversationId: "terminal",
    senderId: "operator",
    senderIsOwner: true,
    sessionKey: `agent:main:${session}`,
    agentId: "main",
    idempotencyKey: id,
    text,
  };
  try {
    const caller = { onStored: () => print({ stored: id }) };
    print({ id, outcome: (await gateway.receive(sent, caller)).status });
  } catch (error) {
    print({ id, error: error.message });
  }
});
