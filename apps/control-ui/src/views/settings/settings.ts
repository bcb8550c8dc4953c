import { GatewayRefusedError } from "@openclaw/client";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { effect, signal } from "@preact/signals";
import { FormState, keyOf, valueAt } from "../../components/schema-form/form-state.js";
import { isRecord } from "../../components/schema-form/schema.js";
import { token } from "../../state/credential.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call, onEvent, onOpened } from "../../state/link.js";
import { toast } from "../../state/toast.js";
import { text } from "./messages.js";

/** Schema of the configuration with the hints of plugins. */
export type ConfigurationSchema = GatewayMethodResult<"config.schema">;
/** Difference that a change makes. */
export type Preview = GatewayMethodResult<"config.preview">;
type TextFile = GatewayMethodResult<"config.text">;
type Origins = GatewayMethodResult<"config.explain">["keys"];

/** Values of the configuration with the changes of the person, which last from one section to the next. */
export const form = new FormState();
/** Hash of the configuration that the changes are based on. */
export const baseHash = signal<string | undefined>(undefined);
/** Schema of the configuration; undefined before the first read. */
export const schema = signal<ConfigurationSchema | undefined>(undefined);
/** Failure of a read or of a change. */
export const fault = signal<Fault | undefined>(undefined);
/** True when another person changed the file since it was read. */
export const isStale = signal(false);
/** File as text, with what the person made of it. */
export const textFile = signal<(TextFile & { readonly typed: string }) | undefined>(undefined);
/** Dialog above the view: the difference, or the change of another person. */
export const step = signal<Step | undefined>(undefined);

/** Step of saving. */
export type Step =
  | { readonly kind: "review"; readonly of: "form" | "text"; readonly preview: Preview }
  | {
      readonly kind: "conflict";
      readonly rows: readonly ConflictRow[];
      readonly others: readonly string[];
      readonly next: NextFile;
    }
  | { readonly kind: "text-conflict"; readonly preview: Preview; readonly hash: string };

/** Key that two people changed. */
export interface ConflictRow {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

interface NextFile {
  readonly value: unknown;
  readonly baseHash: string;
}

/** Reads the configuration; the changes of the person stay. */
export async function loadSettings(): Promise<void> {
  try {
    const [file, merged, { keys }] = await Promise.all([
      call("config.get", {}),
      call("config.schema", {}),
      call("config.explain", {}),
    ]);
    schema.value = merged;
    form.origins.value = originsOf(keys);
    fault.value = undefined;
    if (form.changes.value.size > 0 && baseHash.value !== file.baseHash) {
      isStale.value = true;
      return;
    }
    adopt(file);
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/** Reads the text of the file; what the person typed stays. */
export async function loadText(): Promise<void> {
  const before = textFile.value;
  if (before !== undefined && before.typed !== before.text) return;
  try {
    const read = await call("config.text", {});
    textFile.value = { ...read, typed: read.text };
    fault.value = undefined;
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/** Shows what the changes of the form would write. */
export async function reviewForm(): Promise<void> {
  const { value: hash } = baseHash;
  const changes = listOfChanges();
  if (hash === undefined || changes.length === 0) return;
  try {
    const preview = await call("config.preview", { baseHash: hash, changes });
    fault.value = undefined;
    step.value = { kind: "review", of: "form", preview };
  } catch (error) {
    await refused(error);
  }
}

/** Shows what the text of the person would write. */
export async function reviewText(): Promise<void> {
  const file = textFile.value;
  if (file === undefined) return;
  try {
    const preview = await call("config.preview", { baseHash: file.baseHash, text: file.typed });
    fault.value = undefined;
    step.value = { kind: "review", of: "text", preview };
  } catch (error) {
    await refused(error);
  }
}

/** Saves what was reviewed. */
export async function save(of: "form" | "text"): Promise<void> {
  try {
    if (of === "form") await saveForm();
    else await saveText();
    step.value = undefined;
  } catch (error) {
    await refused(error);
  }
}

/**
 * Continues with the file as another person left it.
 * @param next - file as it is now
 * @param kept - keys for which the value of the person counts
 */
export async function merge(next: NextFile, kept: ReadonlySet<string>): Promise<void> {
  form.changes.value = new Map([...form.changes.value].filter(([key]) => kept.has(key)));
  adopt(next);
  step.value = undefined;
  if (kept.size > 0) await reviewForm();
}

/**
 * Continues with the text of the person on the file as it is now.
 * @param hash - hash of the file
 */
export async function takeText(hash: string): Promise<void> {
  const file = textFile.value;
  if (file === undefined) return;
  textFile.value = { ...file, baseHash: hash };
  step.value = undefined;
  await reviewText();
}

/** Takes the changes of the person back, and shows the file as it is now. */
export async function discardAll(): Promise<void> {
  form.discard();
  textFile.value = undefined;
  step.value = undefined;
  fault.value = undefined;
  await loadSettings();
}

async function saveForm(): Promise<void> {
  const changes = listOfChanges();
  const saved = await call("config.set", { baseHash: baseHash.value ?? "", changes });
  form.discard();
  tell(text.saved(changes.length), saved, saved.secrets);
  textFile.value = undefined;
  await loadSettings();
}

async function saveText(): Promise<void> {
  const file = textFile.value;
  if (file === undefined) return;
  const saved = await call("config.write", { baseHash: file.baseHash, text: file.typed });
  tell(text.savedText, saved);
  textFile.value = undefined;
  await Promise.all([loadText(), loadSettings()]);
}

function tell(
  what: string,
  {
    pending,
    problem,
    failures,
  }: Pick<GatewayMethodResult<"config.set">, "pending" | "problem" | "failures">,
  secrets: readonly string[] = [],
): void {
  const [failure] = failures;
  const effects = [
    problem ?? failure?.message ?? (pending.length > 0 ? text.waitsForRestart : text.usedNow),
    ...(secrets.length > 0 ? [text.secretStored(secrets.join(", "))] : []),
  ];
  const shown = { text: text.savedWith(what, effects.join("; ")) };
  toast.value = shown;
  setTimeout(() => {
    if (toast.value === shown) toast.value = undefined;
  }, TOLD_MS);
}

/** Time in milliseconds for which a notice without an undo is shown. */
const TOLD_MS = 6000;

async function refused(error: unknown): Promise<void> {
  if (GatewayRefusedError.isInstance(error)) {
    if (error.code === "CONFIG_CONFLICT") return await showConflict();
    markProblems(error.details?.problems);
  }
  step.value = undefined;
  fault.value = faultOf(error);
}

/** Reports the problems that the gateway found at their fields. */
function markProblems(problems: unknown): void {
  for (const problem of Array.isArray(problems) ? problems : []) {
    if (!isRecord(problem) || typeof problem.key !== "string") continue;
    const { key, message, suggestion } = problem;
    const words = [message, suggestion].filter((each) => typeof each === "string");
    form.report(key.split("."), words.join("; "));
  }
}

async function showConflict(): Promise<void> {
  const file = textFile.value;
  const next = await call("config.get", {});
  if (step.value?.kind === "review" ? step.value.of === "text" : form.changes.value.size === 0) {
    if (file === undefined) return;
    const preview = await call("config.preview", { baseHash: next.baseHash, text: file.typed });
    step.value = { kind: "text-conflict", preview, hash: next.baseHash };
    return;
  }
  const before = form.stored.value;
  const rows = [...form.changes.value.values()].map(({ path, value: mine }) => ({
    ...{ path, mine },
    before: valueAt(before, path),
    theirs: valueAt(next.value, path),
  }));
  const mine = new Set(rows.map(({ path }) => path.join(".")));
  const others = changedKeys(before, next.value, []).filter((key) => !mine.has(key));
  step.value = { kind: "conflict", rows, others, next };
}

function changedKeys(before: unknown, after: unknown, path: readonly string[]): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [path.join(".")];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changedKeys(before[key], after[key], [...path, key]));
}

function adopt({ value, baseHash: hash }: NextFile): void {
  form.stored.value = value;
  baseHash.value = hash;
  isStale.value = false;
}

function listOfChanges() {
  return [...form.changes.value.values()].map(({ path, value }) => ({
    path: [...path],
    ...(value === undefined ? {} : { value }),
  }));
}

function originsOf(keys: Origins) {
  return new Map(
    keys.map(({ path, layer, origin, shadowed }) => [keyOf(path), { layer, origin, shadowed }]),
  );
}

function follow(): void {
  if (schema.value === undefined) return;
  void loadSettings();
  if (textFile.value !== undefined) void loadText();
}

onOpened(follow);
onEvent("config.changed", follow);
effect(() => {
  if (token.value !== undefined) return;
  form.discard();
  form.stored.value = {};
  schema.value = undefined;
  baseHash.value = undefined;
  textFile.value = undefined;
  step.value = undefined;
  fault.value = undefined;
});
