// A gateway under load, for the benchmark of nodes: takes a folder with a configuration, says that it is ready, and for each
// line {sessions, seconds} of its input has a turn in each session at once, again and again. It prints the turns and the
// processor time of each load.
import { join } from "node:path";
import { argv, cpuUsage, stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { loadConfiguration } from "@openclaw/configuration";
import { startGateway } from "../dist/index.js";
import { instantProvider } from "./bench-provider.ts";

const [folder, name] = argv.slice(2);
const provider = instantProvider();
const configurationFile = join(folder, "openclaw.json");
const gateway = await startGateway({
  version: "1.0.0",
  stateDir: join(folder, "state"),
  configuration: await loadConfiguration(configurationFile),
  configurationFile,
  workspaceDir: join(folder, "workspace"),
  bundledExtensions: [],
  environment: { OPENCLAW_SECRET_KEY: "one master key of every node of a benchmark" },
  providers: [provider],
  model: `${provider.id}/${provider.defaultModel}`,
  port: 0,
});
print({ ready: name });

for await (const line of createInterface({ input: stdin })) {
  const { sessions, seconds } = JSON.parse(line);
  print(await load(sessions, seconds));
}
await gateway.stop("command");

/** Has turns in sessions for a number of seconds, one after another in each session. */
async function load(sessions, seconds) {
  const begun = performance.now();
  const before = cpuUsage();
  const thread = performance.eventLoopUtilization();
  const deadline = begun + seconds * 1000;
  let turns = 0;
  await Promise.all(
    Array.from({ length: sessions }, async (_, index) => {
      while (performance.now() < deadline) {
        await ask(`${name}-${index}`);
        turns += 1;
      }
    }),
  );
  const { user, system } = cpuUsage(before);
  const { active: threadMs } = performance.eventLoopUtilization(thread);
  const passed = (performance.now() - begun) / 1000;
  return { turns, seconds: passed, processorMs: (user + system) / 1000, threadMs };
}

async function ask(session) {
  const outcome = await gateway.receive({
    channel: "bench",
    accountId: "default",
    conversationId: session,
    senderId: "me",
    senderIsOwner: true,
    text: "A question of some words?",
    sessionKey: `agent:main:${session}`,
    agentId: "main",
  });
  if (outcome.status !== "replied") throw new Error(`expected a reply, got ${outcome.status}`);
}

function print(line) {
  stdout.write(`${JSON.stringify(line)}\n`);
}
