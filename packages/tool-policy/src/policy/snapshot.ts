import { canonicalJson, sha256 } from "@openclaw/foundation";
import { PolicySnapshotError } from "../errors.js";
import type { PolicyLayer } from "../layers/layer.js";
import type { PolicyTool } from "../matching/tool.js";
import type { PolicyGroup } from "../matching/tool-group.js";

const FORMAT = 1;

/** Everything that a policy was compiled from, as plain JSON: compiled again it decides and explains the same. */
export interface PolicySnapshot {
  readonly format: typeof FORMAT;
  readonly default: "allow" | "deny";
  readonly layers: readonly PolicyLayer[];
  readonly groups: readonly PolicyGroup[];
  readonly tools: readonly PolicyTool[];
}

/** What a snapshot is made of. */
export type PolicyParts = Omit<PolicySnapshot, "format">;

/** A snapshot in the form in which it is kept. */
export interface PolicySnapshotText {
  /** SHA-256 of the text in hexadecimal digits; places of rules count, other than in the policy's hash. */
  readonly id: string;
  /** JSON with keys in a fixed order. */
  readonly text: string;
}

/**
 * Writes down what a policy was compiled from.
 * @param parts - its layers, groups, tools and default
 */
export function writeSnapshot(parts: PolicyParts): PolicySnapshotText {
  const snapshot: PolicySnapshot = { format: FORMAT, ...parts };
  const text = canonicalJson(snapshot);
  return { id: sha256(text), text };
}

/**
 * Reads a snapshot back.
 * @param snapshot - as it was parsed
 * @throws PolicySnapshotError when it is none, or of a newer version of the product
 */
export function readSnapshot(snapshot: unknown): PolicyParts {
  if (!isRecord(snapshot)) throw new PolicySnapshotError("it is no object");
  const { format } = snapshot;
  if (format !== FORMAT) {
    throw new PolicySnapshotError(
      `it has format ${JSON.stringify(format)}, and this version reads ${FORMAT}`,
    );
  }
  if (isSnapshot(snapshot)) return snapshot;
  throw new PolicySnapshotError("it lacks the lists of layers, groups and tools");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The lists themselves are checked when they are compiled. */
function isSnapshot(value: object): value is PolicySnapshot {
  const { layers, groups, tools }: Partial<Record<keyof PolicySnapshot, unknown>> = value;
  return [layers, groups, tools].every(Array.isArray);
}
