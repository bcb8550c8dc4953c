import { fileURLToPath } from "node:url";
import { textOf } from "@openclaw/foundation";
import { SdkPartMissingError, SdkSubpathError } from "../errors.js";
import type { ModuleLoadFailure } from "./module-loader.js";
import { framePlace, headlinePlace } from "./stack-location.js";

/** Problem of an import, with its location and fix. */
export interface ImportProblem {
  readonly code: "import-failed" | "sdk-parts-missing";
  readonly message: string;
  readonly hint: string;
  /** Location as `file`, `file:line` or `file:line:column`, as far as known. */
  readonly place: string | undefined;
}

/**
 * Returns the problem of a failed import, its file and line, and how to fix it.
 * @param failure - failure reported by the loader
 * @param rootDir - the plugin's folder
 */
export async function describeImportProblem(
  failure: ModuleLoadFailure,
  rootDir: string,
): Promise<ImportProblem> {
  const { cause, reached } = failure;
  const lacking = missingPartProblem(cause);
  if (lacking !== undefined) return lacking;
  if (!(cause instanceof Error)) {
    return {
      code: "import-failed",
      message: `its module threw ${textOf(cause)}`,
      hint: "throw an Error, and do work that may fail inside register",
      place: undefined,
    };
  }
  const stack = cause.stack ?? "";
  const place =
    headlinePlace(stack) ??
    framePlace(stack, rootDir) ??
    (await placeOfSyntaxError(cause, reached));
  return {
    code: "import-failed",
    message: firstLine(cause.message),
    hint: hintFor(cause, place),
    place,
  };
}

function hintFor(cause: Error, place: string | undefined): string {
  const where = place === undefined ? "" : ` at ${place}`;
  if (cause instanceof SyntaxError) return `correct the syntax${where}`;
  if ("code" in cause && cause.code === "ERR_MODULE_NOT_FOUND") {
    return "install the plugin's dependencies, or correct the import";
  }
  return `correct the code that runs while the module is loaded${where}`;
}

/**
 * Returns the problem of a plugin that needs a part of the SDK before it has registered anything; undefined for every
 * other cause.
 * @param cause - thrown by a module or by `register`
 */
export function missingPartProblem(cause: unknown): ImportProblem | undefined {
  const code = "sdk-parts-missing";
  const hint = "install a version of the plugin for this host, or update the host";
  if (SdkPartMissingError.isInstance(cause)) {
    const { specifier, exportName, importer, nearest } = cause;
    const message = `it needs "${exportName}" of "${specifier}", which this host does not have, before it can register anything (imported by ${importer})`;
    const similar =
      nearest === undefined ? "" : `if "${nearest}" is meant, import that; otherwise `;
    return { code, message, hint: `${similar}${hint}`, place: undefined };
  }
  if (!SdkSubpathError.isInstance(cause)) return undefined;
  return { code, message: cause.message, hint, place: asPath(cause.importer) };
}

/**
 * Node reports the location of a syntax error in an ES module only on standard error. Therefore the loaded modules are
 * checked one by one, the last one first; the check does not run their code.
 */
async function placeOfSyntaxError(
  cause: Error,
  reached: readonly string[],
): Promise<string | undefined> {
  if (!(cause instanceof SyntaxError)) return undefined;
  const { syntaxErrorIn } = await import("./syntax-check.js");
  for (const url of [...new Set(reached)].reverse().slice(0, 8)) {
    const file = asPath(url);
    if (file === undefined) continue;
    const place = await syntaxErrorIn(file);
    if (place !== undefined) return place;
  }
  return undefined;
}

function asPath(url: string | undefined): string | undefined {
  return url?.startsWith("file:") ? fileURLToPath(url) : undefined;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
