import { waitUnlessAborted } from "@openclaw/foundation";
import { isStandardSchema } from "@openclaw/plugin-runtime";
import type { StandardSchema } from "@openclaw/plugin-sdk/tools";
import { checkParameters } from "./parameters.js";
import type { ToolEntry } from "./tool-entry.js";

const MAXIMUM_ISSUES = 5;
const DEADLINE_MS = 5000;

/** Arguments that may be used, or what is wrong with them. */
export type CheckedArguments =
  | {
      valid: true;
      /** Arguments from the model or a hook, as hooks, approvals and the transcript see them (SDK-010). */
      params: Record<string, unknown>;
      /**
       * Arguments that the tool receives, after the transforms of its schema; the same object as `params`
       * without transforms. Only the tool knows the type; registries treat it as a record.
       */
      parsed: Record<string, unknown>;
    }
  | { valid: false; issues: readonly string[] };

/** Arguments that policy and schema allow. */
export type AdmittedArguments = Omit<Extract<CheckedArguments, { valid: true }>, "valid">;

/**
 * Checks a call's arguments against the tool's JSON Schema or Standard Schema, which may transform them
 * (SDK-010, TURN-032).
 * @param entry - the tool
 * @param params - plain JSON
 * @param signal - aborts the wait for an asynchronous schema, in addition to a deadline of 5 seconds
 * @throws the signal's reason, and errors thrown by a Standard Schema
 */
export async function checkArguments(
  { tool, parameters }: Pick<ToolEntry, "tool" | "parameters">,
  params: unknown,
  signal: AbortSignal,
): Promise<CheckedArguments> {
  if (!isStandardSchema(tool.parameters)) {
    const checked = checkParameters(parameters, params);
    return checked.valid ? { ...checked, parsed: checked.params } : checked;
  }
  if (!isRecord(params)) return { valid: false, issues: ["arguments must be object"] };
  const result = await validate(tool.parameters, params, signal);
  if (!isRecord(result)) throw new Error("its Standard Schema gave no result");
  if (result.issues === undefined) {
    return { valid: true, params, parsed: result.value as Record<string, unknown> };
  }
  const issues = Array.isArray(result.issues) ? result.issues : [];
  return { valid: false, issues: [...new Set(issues.map(describeIssue))].slice(0, MAXIMUM_ISSUES) };
}

function validate(schema: StandardSchema, params: object, signal: AbortSignal): unknown {
  // A copy, since a schema may change its input.
  const answer = schema["~standard"].validate(structuredClone(params));
  if (!(answer instanceof Promise)) return answer;
  const late = AbortSignal.timeout(DEADLINE_MS);
  return waitUnlessAborted(AbortSignal.any([signal, late]), () => answer);
}

function describeIssue(issue: unknown): string {
  const { path, message } = isRecord(issue) ? issue : {};
  const keys = (Array.isArray(path) ? path : []).map((part) =>
    String(isRecord(part) ? part.key : part),
  );
  const place = keys.length === 0 ? "arguments" : `/${keys.join("/")}`;
  return `${place} ${typeof message === "string" ? message : "is invalid"}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
