import { fileURLToPath } from "node:url";
import { didYouMean, nearestName, textOf } from "@openclaw/foundation";
import { SdkExportError, SdkSubpathError } from "../errors.js";
import type { ModuleLoadFailure } from "./module-loader.js";
import { sdkModules } from "./sdk-modules.js";
import { framePlace, headlinePlace } from "./stack-location.js";

/** Problem of an import, with its location and fix. */
export interface ImportProblem {
  readonly code: "import-failed" | "sdk-subpath-unknown";
  readonly message: string;
  readonly hint: string;
  /** Location as `file`, `file:line` or `file:line:column`, as far as known. */
  readonly place: string | undefined;
  /** Specifier and name of the missing part of the SDK, separated by a space. */
  readonly part?: string;
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
  if (SdkSubpathError.isInstance(cause)) {
    return {
      code: "sdk-subpath-unknown",
      message: cause.message,
      hint: "import a part that this host offers, or use a host that offers this one",
      place: asPath(cause.importer),
      part: `${cause.specifier} `,
    };
  }
  if (SdkExportError.isInstance(cause)) return unknownExport(cause);
  if (!(cause instanceof Error)) {
    return {
      code: "import-failed",
      message: `its module threw ${textOf(cause)}`,
      hint: "throw an Error, and do work that may fail inside register",
      place: undefined,
    };
  }
  const missing = await missingExport(cause, reached);
  if (missing !== undefined) return missing;
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

const MISSING_EXPORT = /requested module '([^']+)' does not provide an export named '([^']+)'/;

async function missingExport(
  cause: Error,
  reached: readonly string[],
): Promise<ImportProblem | undefined> {
  const match = MISSING_EXPORT.exec(cause.message);
  const [, specifier = "", name = ""] = match ?? [];
  const url = sdkModules().get(specifier);
  if (match === null || url === undefined) return undefined;
  const place = headlinePlace(cause.stack ?? "") ?? asPath(reached.at(-1)) ?? "the plugin";
  const offered: object = await import(url);
  const near = nearestName(name, Object.keys(offered));
  return unknownExport(new SdkExportError(specifier, name, place, near));
}

function unknownExport({ specifier, exportName, importer, nearest }: SdkExportError) {
  const place = asPath(importer) ?? importer;
  return {
    code: "sdk-subpath-unknown" as const,
    message: `"${exportName}" is not an export of "${specifier}", imported by ${place}`,
    hint: didYouMean(nearest) ?? `import a name that "${specifier}" has`,
    place,
    part: `${specifier} ${exportName}`,
  };
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
