import { type Misfit, misfits, type ValueSchema } from "@openclaw/foundation";
import { type PolicyProblem, type PolicyProblemCode, placeOf } from "../layers/problem.js";
import { formatKeyPath, type KeyPath } from "../layers/source.js";
import type { Locate } from "./node.js";

/**
 * Returns every place where a document does not match the schema (POL-037).
 * @param document - the parsed document
 * @param schema - schema of the whole document
 * @param locate - locates values of the document
 */
export function shapeProblems(
  document: unknown,
  schema: ValueSchema,
  locate: Locate,
): readonly PolicyProblem[] {
  return misfits(document, schema).map((misfit) => {
    const { path, message, suggestion = "see toolPolicyConfigSchema" } = misfit;
    const key = formatKeyPath(listPath(path));
    return { code: codeOf(misfit), ...placeOf({ ...locate(path), key }), message, suggestion };
  });
}

function codeOf({ kind, path, schema }: Misfit): PolicyProblemCode {
  if (kind === "unknown-key") return "POLICY_UNKNOWN_KEY";
  if (schema.type === "array") return "POLICY_NOT_A_LIST";
  return typeof path.at(-1) === "number" ? "POLICY_BAD_ENTRY" : "POLICY_BAD_VALUE";
}

/** An entry is named by the key of its list; line and column tell which one it is. */
function listPath(path: KeyPath): KeyPath {
  return typeof path.at(-1) === "number" ? path.slice(0, -1) : path;
}
