import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CORPUS = fileURLToPath(new URL("../corpus", import.meta.url));
const RUNNER = fileURLToPath(new URL("run-corpus.mjs", import.meta.url));
const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));

/** Expected state of a plugin of the corpus after loading; lists are compared as a whole. */
export interface ExpectedPlugin {
  readonly status?: "loaded" | "error";
  readonly loader?: "native" | "jiti";
  readonly error?: {
    readonly code: string;
    readonly message: readonly string[];
    readonly hint?: string;
  };
  /** Fields of the record such as `toolNames`; one that is absent must be empty. */
  readonly [names: string]: unknown;
}

/** A folder of the corpus. */
export interface CorpusItem {
  readonly folder: string;
  readonly sentence: string;
  readonly plugins: Readonly<Record<string, ExpectedPlugin>>;
  /** The part of the `plugins` section of the configuration that it needs. */
  readonly config?: { readonly entries?: object; readonly slots?: object };
  /** Folders that get a name which version control does not keep. */
  readonly move?: Readonly<Record<string, string>>;
  /** Codes of its diagnostics, without those of its failures. */
  readonly diagnostics?: readonly string[];
  readonly logs?: readonly string[];
  /** Number of registrations by kind, for kinds that no record lists. */
  readonly registered?: Readonly<Record<string, number>>;
  readonly calls?: readonly {
    readonly tool: string;
    readonly params: object;
    readonly details?: unknown;
    readonly returns?: unknown;
  }[];
  readonly decisions?: readonly {
    readonly toolName: string;
    readonly params: object;
    readonly asks: string | null;
  }[];
}

/** Results of the corpus. */
export interface CorpusResult {
  readonly records: readonly ({ readonly id: string } & Record<string, unknown>)[];
  readonly diagnostics: readonly {
    readonly code: string;
    readonly level: string;
    readonly pluginId?: string;
    readonly hint?: string;
  }[];
  readonly logs: readonly { readonly message: string }[];
  /** Results of the calls of all items, in order. */
  readonly results: readonly ({ readonly details?: unknown } | null)[];
  readonly answers: readonly (string | null)[];
  /** Ids of the plugins that registered something, by kind. */
  readonly registered: Readonly<Record<string, readonly string[]>>;
}

/** Reads what is expected of every folder. */
export async function readCorpus(): Promise<CorpusItem[]> {
  const folders = (await readdir(CORPUS)).sort();
  return Promise.all(
    folders.map(async (folder) => ({
      folder,
      ...JSON.parse(await readFile(join(CORPUS, folder, "expected.json"), "utf8")),
    })),
  );
}

/**
 * Copies the corpus to a folder far from the repository and loads all of it in one plain Node process.
 * @param items - as read
 * @param root - an empty folder
 * @param named - true names each plugin's path, false puts them where the host looks by itself
 */
export async function loadCorpus(
  items: readonly CorpusItem[],
  root: string,
  named: boolean,
): Promise<CorpusResult> {
  const home = named ? "anywhere" : "state/extensions";
  await mkdir(join(root, home), { recursive: true });
  for (const { folder, move = {} } of items) {
    const target = join(root, home, folder);
    await cp(join(CORPUS, folder), target, { recursive: true });
    for (const [from, to] of Object.entries(move)) {
      await rename(join(target, from), join(target, to));
    }
  }
  // Packages that the plugins' own package manager would have installed next to them.
  await mkdir(join(root, "node_modules"));
  for (const library of ["typebox", "@sinclair"]) {
    await symlink(join(MODULES, library), join(root, "node_modules", library));
  }
  await writeFile(join(root, "corpus.json"), JSON.stringify(instructions(items, named)));
  const { stdout } = await promisify(execFile)(process.execPath, [RUNNER, root]);
  return JSON.parse(stdout);
}

function instructions(items: readonly CorpusItem[], named: boolean) {
  return {
    plugins: {
      slots: Object.assign({}, ...items.map(({ config }) => config?.slots)),
      entries: Object.assign({}, ...items.map(({ config }) => config?.entries)),
    },
    paths: named ? items.map(({ folder }) => `anywhere/${folder}`) : [],
    calls: items.flatMap(({ plugins, calls = [] }) =>
      calls.map(({ tool, params }) => ({ pluginId: Object.keys(plugins)[0], tool, params })),
    ),
    decisions: items.flatMap(({ decisions = [] }) =>
      decisions.map(({ toolName, params }) => ({ toolName, params })),
    ),
  };
}
