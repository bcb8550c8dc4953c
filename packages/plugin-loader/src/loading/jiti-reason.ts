import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isInside } from "@openclaw/plugin-discovery";
import { headlinePlace } from "./stack-location.js";

const BY_CODE = new Map([
  ["ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX", "it uses TypeScript syntax that Node does not strip"],
  ["ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING", "it is TypeScript below node_modules"],
  ["ERR_UNKNOWN_FILE_EXTENSION", "Node does not know the extension of one of its files"],
  ["OPENCLAW_OWN_REQUIRE", "an ES module of it uses require, __dirname or __filename"],
]);

/** Node links every imported name, whereas a compiler removes imports of types. */
const MISSING_NAME =
  /does not provide an export named|^Named export '[^']*' not found\. The requested module/;

const COMMONJS_NAME = /^(?:require|module|exports|__dirname|__filename) is not defined/;

/**
 * Returns the reason to load with jiti after Node failed; undefined when jiti would fail too (PLUG-016).
 * @param cause - rejection of `import()`
 * @param rootDir - the plugin's folder
 */
export function reasonForJiti(cause: unknown, rootDir: string): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if (cause instanceof SyntaxError && MISSING_NAME.test(cause.message)) {
    return isTypeScript(headlinePlace(cause.stack ?? ""), rootDir)
      ? "it imports a type without the word type, or a name that Node does not find"
      : undefined;
  }
  if (cause instanceof ReferenceError && COMMONJS_NAME.test(cause.message)) {
    return BY_CODE.get("OPENCLAW_OWN_REQUIRE");
  }
  const code = "code" in cause ? String(cause.code) : "";
  return BY_CODE.get(code) ?? reasonForPath(cause, code, rootDir);
}

/** Jiti resolves a path without an extension, or with the extension of the compiled file. */
function reasonForPath(cause: Error, code: string, rootDir: string): string | undefined {
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "ERR_UNSUPPORTED_DIR_IMPORT") return undefined;
  if (!("url" in cause) || typeof cause.url !== "string") return undefined;
  const missing = fileURLToPath(cause.url);
  if (!isInside(missing, rootDir)) return undefined;
  return sourcesOf(missing).some((source) => existsSync(source))
    ? "it imports one of its files without the file's real extension"
    : undefined;
}

/** Returns files that a path that does not exist may refer to. */
function sourcesOf(missing: string): string[] {
  const bases = [missing, missing.replace(/\.([cm]?)js$/, "")];
  const extensions = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs"];
  return bases.flatMap((base) =>
    extensions.flatMap((extension) => [`${base}.${extension}`, `${base}/index.${extension}`]),
  );
}

function isTypeScript(place: string | undefined, rootDir: string): boolean {
  const file = place?.replace(/:\d+$/, "") ?? "";
  return /\.[cm]?tsx?$/.test(file) && isInside(file, rootDir);
}
