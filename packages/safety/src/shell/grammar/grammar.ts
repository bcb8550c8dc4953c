type GrammarModule = typeof import("unbash");

/** Bash grammar: parses a source and visits the nodes inside a node. */
export type ShellGrammar = Pick<GrammarModule, "parse" | "forEachChild">;

let loading: Promise<ShellGrammar> | undefined;
let loaded: ShellGrammar | undefined;

/** Loads the grammar on first use, so that processes without commands do not load it (SAFE-044). */
export function loadShellGrammar(): Promise<ShellGrammar> {
  loading ??= import("unbash").then((grammar) => {
    loaded = grammar;
    return grammar;
  });
  return loading;
}

/** Returns the grammar if it is already loaded. */
export function loadedShellGrammar(): ShellGrammar | undefined {
  return loaded;
}
