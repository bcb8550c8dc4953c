import { createHash } from "node:crypto";
import { type Stats, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import {
  fields,
  type RefusedEntry,
  readServer,
  type ServerSettings,
  targetText,
} from "../settings.js";
import { expandEntry } from "./expansion.js";

/** Name of the file in which a workspace names its servers. */
export const WORKSPACE_FILE = ".mcp.json";
/** Maximum size of the file in bytes. */
const MAXIMUM_FILE = 256 * 1024;
/** Fields of an entry that a workspace sets; how much a server may do is decided by the operator. */
const OWN_FIELDS = ["type", "command", "args", "env", "cwd", "url", "headers"];

/** Server that the file of a workspace names. */
export interface WorkspaceEntry {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
  /** Identifies the entry as it is written. */
  readonly hash: string;
  /** Entry as it is written, without values of variables. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Command or URL of that. */
  readonly target: string;
  /** Names of the variables of the environment that the entry uses, and of those that it sets. */
  readonly variables: readonly string[];
  readonly read: ServerSettings | RefusedEntry;
}

/** Servers of a workspace. */
export interface WorkspaceEntries {
  readonly entries: readonly WorkspaceEntry[];
  /** Reason why the file cannot be read, as the end of a sentence that begins with the file. */
  readonly problem?: string;
}

interface KnownFile {
  readonly version: string;
  readonly read: WorkspaceEntries;
}

/** Files of workspaces; a file is read again when it changes. */
export class WorkspaceFiles {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #known = new Map<string, KnownFile>();

  /** @param environment - variables that entries may use */
  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  /**
   * Returns the servers that a workspace names.
   * @param folder - folder of the workspace
   */
  async read(folder: string): Promise<WorkspaceEntries> {
    const file = join(folder, WORKSPACE_FILE);
    const found = statOf(file);
    if (found === undefined) {
      this.#known.delete(folder);
      return { entries: [] };
    }
    const version = `${found.mtimeMs} ${found.size} ${found.ino}`;
    const known = this.#known.get(folder);
    if (known?.version === version) return known.read;
    const read =
      found.isFile() && found.size <= MAXIMUM_FILE
        ? await this.#parse(file, folder)
        : { entries: [], problem: `is not a file of at most ${MAXIMUM_FILE} bytes` };
    this.#known.set(folder, { version, read });
    return read;
  }

  async #parse(file: string, folder: string): Promise<WorkspaceEntries> {
    let document: unknown;
    try {
      document = JSON.parse((await readFile(file, "utf8")).replace(/^\uFEFF/, ""));
    } catch (error) {
      const problem = errorMessage(error);
      return { entries: [], problem: `cannot be read: ${problem}` };
    }
    const section = fields(fields(document).mcpServers);
    return {
      entries: Object.entries(section).map(([name, entry]) =>
        this.#entry(name, fields(entry), { file, folder }),
      ),
    };
  }

  #entry(
    given: string,
    entry: Readonly<Record<string, unknown>>,
    { file, folder }: { readonly file: string; readonly folder: string },
  ): WorkspaceEntry {
    const name = [...given.replaceAll(/\p{C}/gu, " ").trim()].slice(0, 64).join("");
    const own = Object.fromEntries(OWN_FIELDS.map((key) => [key, entry[key]]));
    const place = {
      key: `${name}@${digest(folder).slice(0, 16)}`,
      title: `the entry ${JSON.stringify(name)} of ${file}`,
      file,
      folder,
    };
    const expanded = expandEntry(own, this.#environment);
    const { cwd } = expanded.entry;
    const read = readServer(
      name,
      { ...expanded.entry, ...(typeof cwd === "string" ? { cwd: resolve(folder, cwd) } : {}) },
      place,
    );
    const [unset] = expanded.unset;
    const refused: RefusedEntry = {
      ...{ name, file, isOff: false },
      problem: `uses the variable ${unset}, which is not set`,
      nextStep: `set it, or give it a default in ${file}: \${${unset}:-value}`,
    };
    const written = Object.fromEntries(
      Object.entries(own).filter(([, value]) => value !== undefined),
    );
    const asWritten = readServer(name, written, place);
    return {
      ...{ name, file, folder, written },
      hash: digest(JSON.stringify(written)),
      target: "problem" in asWritten ? "" : targetText(asWritten.target),
      variables: [...new Set([...expanded.used, ...Object.keys(fields(own.env))])],
      read: unset === undefined ? read : refused,
    };
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Every turn asks, and most workspaces have no such file: a promise that is rejected would cost many times what the call does.
 */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
