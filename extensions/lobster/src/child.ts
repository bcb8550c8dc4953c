import { chdir } from "node:process";
import { fileURLToPath } from "node:url";
import { HostConnection, send, sendLast } from "./child/host.js";
import { llmAdapters } from "./child/llm.js";
import { hostRegistry, type Registry } from "./child/registry.js";
import { ignoreFileModes, replaceEffects } from "./child/spawn.js";
import type { ChildTask, ParentMessage } from "./run/messages.js";

/** Entry points of the engine that a run uses (LOB-036). */
interface EngineCore {
  createDefaultRegistry(): Registry;
  runToolRequest(request: object): Promise<object>;
  resumeToolRequest(request: object): Promise<object>;
}

/** Runs one task with the engine, and sends its envelope. */
async function runTask(task: ChildTask, host: HostConnection): Promise<void> {
  await ignoreFileModes(fileURLToPath(task.engine));
  replaceEffects(host, task.cwd);
  // The engine keeps caches in the current folder.
  chdir(task.env.HOME ?? "/");
  // Imported after its effects were replaced.
  const engine = (await import(task.engine)) as EngineCore;
  const ctx = {
    cwd: task.cwd,
    env: task.env,
    registry: hostRegistry(engine.createDefaultRegistry(), host, {
      maxItems: task.maxItems,
      maxBytes: task.maxBytes,
    }),
    llmAdapters: llmAdapters(host),
  };
  const { action, ...request } = task.request;
  const envelope =
    action === "run"
      ? await engine.runToolRequest({ ...request, ctx })
      : await engine.resumeToolRequest({ ...request, ctx });
  sendLast({ kind: "envelope", text: JSON.stringify(envelope) });
}

const host = new HostConnection();
process.on("message", (message: ParentMessage) => {
  if (message.kind !== "task") {
    host.receive(message);
    return;
  }
  runTask(message, host).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
    process.disconnect();
  });
});
// Without its parent the process has nothing to do.
process.on("disconnect", () => process.exit());
send({ kind: "ready" });
