import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import { effect, signal } from "@preact/signals";
import { valueAt } from "../../components/schema-form/form-state.js";
import { token } from "../../state/credential.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call, onEvent } from "../../state/link.js";
import { form, loadSettings, reviewForm, textFile } from "../settings/settings.js";

/** Tool, and the circumstances of a call to it. */
export type Question = Extract<GatewayMethodParameters<"policy.explain">, { tool: string }>;
/** Why a tool is allowed or denied. */
export type Answer = GatewayMethodResult<"policy.explain">;
/** Change that reverses a decision. */
export type Flip = NonNullable<Answer["flip"]>;
/** Layer or limit that decided. */
export type Decider = Answer["decidedBy"];

/** Tools × agents; undefined before the first read. */
export const matrix = signal<GatewayMethodResult<"policy.matrix"> | undefined>(undefined);
/** Answer, with its parameters as JSON. */
export const answer = signal<{ readonly of: string; readonly answer: Answer } | undefined>(
  undefined,
);
/** Result of the last comparison. */
export const comparison = signal<GatewayMethodResult<"policy.whatIf"> | undefined>(undefined);
/** Compared calls; undefined while no comparison is under way. */
export const progress = signal<{ readonly compared: number; readonly total: number } | undefined>(
  undefined,
);
/** Failure of a read or of a comparison. */
export const fault = signal<Fault | undefined>(undefined);

let job = "";

/** Reads the matrix. */
export async function loadMatrix(): Promise<void> {
  try {
    matrix.value = await call("policy.matrix", {});
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/**
 * Asks why a tool is allowed or denied.
 * @param asked - tool and circumstances
 */
export async function explain(asked: Question): Promise<void> {
  const of = JSON.stringify(asked);
  try {
    answer.value = { of, answer: await call("policy.explain", asked) };
    fault.value = undefined;
  } catch (error) {
    answer.value = undefined;
    fault.value = faultOf(error);
  }
}

/**
 * Shows the difference of the configuration that a flip makes, with the review of the settings.
 * @param flip - change of one list
 */
export async function openFlip(flip: Extract<Flip, { kind: "edit" }>): Promise<void> {
  await loadSettings();
  const path = pathOf(flip.key, form.stored.value);
  const before = valueAt(form.current.value, path);
  const list: readonly unknown[] = Array.isArray(before) ? before : [];
  const next =
    flip.op === "add" ? [...list, flip.value] : list.filter((each) => each !== flip.value);
  form.change(path, next);
  await reviewForm();
}

/** Runs the text that a person typed over the recorded calls. */
export async function compare(): Promise<void> {
  const file = textFile.value;
  if (file === undefined || progress.value !== undefined) return;
  job = crypto.getRandomValues(new Uint32Array(2)).join("-");
  progress.value = { compared: 0, total: 0 };
  try {
    const configuration = { file: file.file, text: file.typed };
    comparison.value = await call("policy.whatIf", { configuration, jobId: job });
    fault.value = undefined;
  } catch (error) {
    comparison.value = undefined;
    fault.value = faultOf(error);
  } finally {
    progress.value = undefined;
  }
}

/** Returns the keys of a dotted path; a key of the configuration may have dots. */
function pathOf(key: string, whole: unknown): readonly string[] {
  const parts = key.split(".");
  const path: string[] = [];
  while (parts.length > 0) {
    const inner = valueAt(whole, path);
    const lengths = parts.map((_, index) => parts.length - index);
    const known = lengths.find((length) => {
      const name = parts.slice(0, length).join(".");
      return typeof inner === "object" && inner !== null && Object.hasOwn(inner, name);
    });
    path.push(parts.splice(0, known ?? 1).join("."));
  }
  return path;
}

onEvent("policy.progress", ({ payload: { jobId, compared, total } }) => {
  if (jobId === job && progress.value !== undefined) progress.value = { compared, total };
});
onEvent("config.changed", () => {
  answer.value = undefined;
  if (matrix.value !== undefined) void loadMatrix();
});
effect(() => {
  if (token.value !== undefined) return;
  matrix.value = undefined;
  answer.value = undefined;
  comparison.value = undefined;
  fault.value = undefined;
});
