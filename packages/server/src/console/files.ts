import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** Media types of the files that a console consists of. */
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Encodings in which the build stores its files, best first, with the suffix of their names. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Name that contains a digest of the content, so that it never names another content. */
const HASHED = /-[\w-]{8}\.\w+$/;

/** File of the console. */
export interface ConsoleFile {
  readonly type: string;
  /** Content by encoding; `identity` is always present. */
  readonly bodies: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly etag: string;
  /** True when the content of this name never changes. */
  readonly isImmutable: boolean;
}

/**
 * Reads the files of a built console into memory, so that a request can reach no other file.
 * @param folder - folder with `index.html`
 * @returns files by name; empty when the console is not built
 */
export function readConsoleFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(join(folder, "index.html"))) return new Map();
  const files = new Map<string, ConsoleFile>();
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const content = contentOf(join(folder, name));
    const bodies = new Map([["identity", content]]);
    for (const [encoding, suffix] of ENCODINGS) {
      const path = join(folder, name + suffix);
      if (existsSync(path)) bodies.set(encoding, contentOf(path));
    }
    const digest = createHash("sha256").update(content).digest("base64url").slice(0, 22);
    files.set(name, { type, bodies, etag: `"${digest}"`, isImmutable: HASHED.test(name) });
  }
  return files;
}

/**
 * Returns the best encoding of a file that a client accepts.
 * @param file - file of the console
 * @param accepted - header `Accept-Encoding`
 */
export function encodingFor({ bodies }: ConsoleFile, accepted = ""): string {
  const offered = accepted.split(",").map((each) => each.trim().toLowerCase());
  const isAccepted = (encoding: string) =>
    offered.some((each) => {
      const [name, weight = ""] = each.split(";");
      return name?.trim() === encoding && !/^\s*q=0(?:\.0*)?\s*$/.test(weight);
    });
  const found = ENCODINGS.find(([encoding]) => bodies.has(encoding) && isAccepted(encoding));
  return found?.[0] ?? "identity";
}

function contentOf(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(path));
}
