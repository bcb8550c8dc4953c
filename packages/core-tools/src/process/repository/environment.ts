import { delimiter } from "node:path";

/** Settings that no file can change, because git takes those of its environment last. */
const FIXED_SETTINGS: Readonly<Record<string, string>> = {
  "core.alternateRefsCommand": "/dev/null",
  "core.askPass": "/dev/null",
  "core.attributesFile": "/dev/null",
  "core.editor": "/dev/null",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.sshCommand": "/dev/null",
  "credential.helper": "",
  "diff.autoRefreshIndex": "false",
  "diff.submodule": "short",
  "gc.auto": "0",
  "gpg.openpgp.program": "/dev/null",
  "gpg.program": "/dev/null",
  "gpg.ssh.program": "/dev/null",
  "gpg.x509.program": "/dev/null",
  "log.showSignature": "false",
  "maintenance.auto": "false",
  "protocol.allow": "never",
  "safe.bareRepository": "explicit",
  "status.submoduleSummary": "false",
  "submodule.recurse": "false",
};

const FIXED_VARIABLES: Readonly<Record<string, string>> = {
  // An empty list allows no protocol.
  GIT_ALLOW_PROTOCOL: "",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
};

/** Folders and files that git works with. */
export interface RepositoryPlaces {
  /** Folder of the repository, with a file `config`. */
  readonly folder: string;
  readonly workTree: string;
  /** File with the patterns of the user's ignored files. */
  readonly ignored: string;
}

/**
 * Returns the variables with which git uses the given repository only, starts no other program, reaches no
 * network and writes nothing by itself.
 * @param places - absolute paths
 */
export function repositoryEnvironment({
  folder,
  workTree,
  ignored,
}: RepositoryPlaces): Record<string, string> {
  const settings = Object.entries({ ...FIXED_SETTINGS, "core.excludesFile": ignored });
  const variables = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...FIXED_VARIABLES,
    ...Object.fromEntries(variables),
    GIT_CONFIG_COUNT: String(settings.length),
    // A program that searches for a repository itself finds none above this one.
    GIT_CEILING_DIRECTORIES: [folder, workTree].join(delimiter),
    GIT_DIR: folder,
    GIT_WORK_TREE: workTree,
  };
}
