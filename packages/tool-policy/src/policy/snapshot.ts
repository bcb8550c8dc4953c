import { canonicalJson, sha256 } from "@openclaw/foundation";
import { PolicySnapshotError } from "../errors.js";
import type { PolicyLayer } from "../layers/layer.js";
import type { PolicyTool } from "../matching/tool.js";
import type { PolicyGroup } from "../matching/tool-group.js";

const FORMAT = 1;

/**
 * Complete input of a policy as plain JSON: compiling it again gives the same decisions and
 * explanations.
 */
export interface PolicySnapshot {
  readonly format: typeof FORMAT;
  readonly default: "allow" | "deny";
  readonly layers: readonly PolicyLayer[];
  readonly groups: readonly PolicyGroup[];
  readonly tools: readonly PolicyTool[];
}

/** Content of a snapshot. */
export type PolicySnapshotContent = Omit<PolicySnapshot, "format">;

/** A serialized snapshot. */
export interface PolicySnapshotText {
  /**
   * SHA-256 of the text in hexadecimal; unlike the policy's hash it includes the locations of
   * rules.
   */
  readonly id: string;
  /** JSON with keys in a fixed order. */
  readonly text: string;
}

/**
 * Serializes the input of a policy.
 * @param parts - its layers, groups, tools and default
 */
export function writeSnapshot(parts: PolicySnapshotContent): PolicySnapshotText {
  const snapshot: PolicySnapshot = { format: FORMAT, ...parts };
  const text = canonicalJson(snapshot);
  return { id: sha256(text), text };
}

/**
 * Parses a snapshot.
 * @param snapshot - parsed JSON
 * @throws PolicySnapshotError when it is not a snapshot, or is one of a newer version
 */
export function readSnapshot(snapshot: unknown): PolicySnapshotContent {
  if (!isRecord(snapshot)) throw new PolicySnapshotError("it is not an object");
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

/** Checks the outer shape; the lists themselves are checked when they are compiled. */
function isSnapshot(value: object): value is PolicySnapshot {
  const { layers, groups, tools }: Partial<Record<keyof PolicySnapshot, unknown>> = value;
  return [layers, groups, tools].every(Array.isArray);
}
