import type { GatewayMethodResult } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { type Fault, faultOf } from "../../state/fault.js";
import { call, onEvent } from "../../state/link.js";
import { toast } from "../../state/toast.js";
import { watched } from "../../state/watched.js";
import { text } from "./messages.js";

/** Models with their health, and what is known of each. */
export interface ModelsPage {
  readonly status: GatewayMethodResult<"models.status">;
  readonly list: GatewayMethodResult<"models.list">;
}

/** Outcome of the last test of a model. */
export type Tested =
  | { readonly kind: "running" }
  | { readonly kind: "done"; readonly result: GatewayMethodResult<"models.test"> }
  | { readonly kind: "failed"; readonly fault: Fault };

/** Models of the gateway. */
export const models = watched(async (): Promise<ModelsPage> => {
  const [status, list] = await Promise.all([call("models.status", {}), call("models.list", {})]);
  return { status, list };
});

/** Outcomes of tests by model. */
export const tested = signal<Readonly<Record<string, Tested>>>({});
/** True while an order is being changed. */
export const isChanging = signal(false);

/**
 * Calls a model once.
 * @param model - `provider/model`
 */
export async function testModel(model: string): Promise<void> {
  if (tested.peek()[model]?.kind === "running") return;
  note(model, { kind: "running" });
  try {
    note(model, { kind: "done", result: await call("models.test", { model }) });
  } catch (error) {
    note(model, { kind: "failed", fault: faultOf(error) });
  }
  await models.load();
}

/**
 * Changes the fallbacks of an agent, as `openclaw config set agents.<id>.fallbacks` does; it can be undone.
 * @param fallbacks - models in the order of their calls
 */
export async function orderModels(agentId: string, fallbacks: readonly string[]): Promise<void> {
  if (isChanging.peek()) return;
  isChanging.value = true;
  // What is undone is this change.
  toast.value = undefined;
  const path = ["agents", agentId, "fallbacks"];
  const set = async (value: unknown) => {
    const { baseHash } = await call("config.get", {});
    const change = value === undefined ? { path } : { path, value };
    await call("config.set", { baseHash, changes: [change] });
  };
  await models.change(async () => {
    const { value } = await call("config.get", {});
    const before = path.reduce<unknown>(
      (part, key) => (isRecord(part) ? part[key] : undefined),
      value,
    );
    await set([...fallbacks]);
    toast.value = {
      text: text.changed(agentId),
      undo() {
        toast.value = undefined;
        void models.change(() => set(before));
      },
    };
  });
  isChanging.value = false;
}

function note(model: string, outcome: Tested): void {
  tested.value = { ...tested.peek(), [model]: outcome };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

for (const name of ["config.changed", "plugins.changed", "chat.final", "chat.error"] as const) {
  onEvent(name, () => models.refresh());
}
