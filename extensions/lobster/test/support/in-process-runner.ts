import { HostConnection } from "../../src/child/host.js";
import { hostRegistry, type Registry } from "../../src/child/registry.js";
import { ENGINE } from "../../src/engine/engine.js";
import { RunFolder } from "../../src/run/folder.js";
import type { Effect } from "../../src/run/messages.js";
import type { EngineGate, EngineResult, EngineTask } from "../../src/run/runner.js";

interface EngineCore {
  createDefaultRegistry(): Registry;
  runToolRequest(request: object): Promise<EngineEnvelope>;
  resumeToolRequest(request: object): Promise<EngineEnvelope>;
}

interface EngineEnvelope {
  readonly ok: boolean;
  readonly status: "ok" | "cancelled" | "needs_approval" | "needs_input";
  readonly output: never[];
  readonly requiresApproval: EngineGate | null;
  readonly error?: { readonly message: string };
}

/** Entry of the engine, which has no type declarations. */
const ENTRY: string = ENGINE.entry;

/** Connection to the host within one process. */
class DirectHost extends HostConnection {
  readonly #task: EngineTask;

  constructor(task: EngineTask) {
    super();
    this.#task = task;
  }

  override async perform(effect: Effect, step: string | undefined) {
    const control = {
      signal: this.#task.signal,
      pause: () => undefined,
      resume: () => undefined,
    };
    const result = await this.#task.perform(effect, step, control);
    if (result.ok) return result.value;
    throw new Error(result.message);
  }

  override stage(): void {}
}

/**
 * Runs pipelines of tools with the real engine, in the process of the test: what a kill of the gateway leaves does not depend
 * on the child process, which ends with it.
 */
export async function runInProcess(task: EngineTask): Promise<EngineResult> {
  const engine = (await import(ENTRY)) as EngineCore;
  const folder = await RunFolder.create();
  await folder.write({}, task.resume, task.bundle);
  const host = new DirectHost(task);
  const limits = { maxItems: 1000, maxBytes: 100_000 };
  const ctx = {
    cwd: folder.path,
    env: { LOBSTER_STATE_DIR: folder.stateDir },
    registry: hostRegistry(engine.createDefaultRegistry(), host, limits),
  };
  await task.onReady?.();
  const { action, ...request } = task.request;
  const envelope =
    action === "run"
      ? await engine.runToolRequest({ ...request, ctx })
      : await engine.resumeToolRequest({ ...request, ctx });
  const { resume } = await folder.read();
  await folder.remove();
  if (!envelope.ok) throw new Error(envelope.error?.message);
  const { status, output, requiresApproval } = envelope;
  if (status === "ok" || status === "cancelled") return { status, output };
  if (requiresApproval === null) throw new Error("the pipeline asks for input");
  return { status: "needs_approval", gate: requiresApproval, resume };
}
