import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { extname, isAbsolute, join, relative, sep } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import type { PluginPanel } from "@openclaw/plugin-sdk/plugin-entry";
import {
  type ApiCall,
  describe,
  expectName,
  expectObject,
  expectText,
  expectTexts,
  type NameRule,
  wrongArgument,
} from "../registration/check.js";
import type { RegistrationOrigin } from "../registration/origin.js";

/** File of a panel. */
export interface PanelFile {
  /** Media type. */
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A panel of a plugin. */
export interface PluginPanelRegistration extends RegistrationOrigin {
  readonly id: string;
  readonly title: string;
  readonly methods: readonly string[];
  readonly events: readonly string[];
  /**
   * Path below which the files are served. It has a part that cannot be guessed: a frame of the sandbox has no token, so
   * only a caller that may list the plugins learns the path.
   */
  readonly path: string;
  /** Files by their path within the folder. They are in memory, so that a request can reach no other file. */
  readonly files: ReadonlyMap<string, PanelFile>;
}

const ID: NameRule = { pattern: /^[a-z0-9-]{1,64}$/, expected: "1 to 64 of a-z 0-9 -" };
const EVENT: NameRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  expected: "a letter or digit and up to 63 of A-Z a-z 0-9 . _ -",
};
const LONGEST_TITLE = 60;
const MAXIMUM_FILES = 200;
const MAXIMUM_BYTES = 8 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/**
 * Checks the argument of `api.registerPanel`, and reads the files of the panel (SDK-523).
 * @param panel - ID, title, folder, methods and events
 * @param rootDir - folder of the plugin
 * @throws PluginRegistrationError naming the field
 */
export function readPanel(
  origin: RegistrationOrigin,
  panel: PluginPanel,
  rootDir: string,
): PluginPanelRegistration {
  const call = { origin, member: "registerPanel" };
  expectObject(call, "panel", panel);
  const id = expectName(call, "id", panel.id, ID);
  const title = expectText(call, `title of panel "${id}"`, panel.title);
  if (title.length > LONGEST_TITLE) {
    const problem = `expected at most ${LONGEST_TITLE} characters, got ${title.length}`;
    throw wrongArgument(call, `title of panel "${id}"`, problem);
  }
  const methods = expectTexts(call, `methods of panel "${id}"`, panel.methods);
  const events = expectTexts(call, `events of panel "${id}"`, panel.events).map((name) =>
    expectName(call, `event of panel "${id}"`, name, EVENT),
  );
  const folder = expectText(call, `folder of panel "${id}"`, panel.folder);
  const files = readFolder(call, `folder of panel "${id}"`, folder, rootDir);
  const path = `/plugins/${origin.pluginId}/ui/${id}/${randomBytes(16).toString("base64url")}`;
  return { ...origin, ...{ id, title, methods, events, path, files } };
}

/** Returns the files of a folder, which must be within that of the plugin and have no links. */
function readFolder(call: ApiCall, member: string, folder: string, rootDir: string) {
  const wrong = (problem: string) => wrongArgument(call, member, problem);
  if (isAbsolute(folder)) {
    throw wrong(`expected a path relative to the folder of the plugin, got ${describe(folder)}`);
  }
  const files = new Map<string, PanelFile>();
  let bytes = 0;
  try {
    const root = realpathSync(join(rootDir, folder));
    const below = relative(realpathSync(rootDir), root);
    if (below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) {
      throw wrong(`expected a folder within that of the plugin, got ${describe(folder)}`);
    }
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
      const file = join(root, name);
      const stat = lstatSync(file);
      if (stat.isDirectory()) continue;
      if (!stat.isFile()) throw wrong(`expected files and folders only; ${name} is a link`);
      bytes += stat.size;
      if (files.size === MAXIMUM_FILES || bytes > MAXIMUM_BYTES) {
        throw wrong(`expected at most ${MAXIMUM_FILES} files and ${MAXIMUM_BYTES} bytes`);
      }
      const type = TYPES[extname(name).toLowerCase()] ?? "application/octet-stream";
      files.set(name.split(sep).join("/"), { type, body: new Uint8Array(readFileSync(file)) });
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw wrong(`the folder ${describe(folder)} does not exist in ${rootDir}`);
    }
    throw error instanceof Error && "syscall" in error ? wrong(errorMessage(error)) : error;
  }
  if (!files.has("index.html")) throw wrong(`expected the file index.html in ${describe(folder)}`);
  return files;
}
