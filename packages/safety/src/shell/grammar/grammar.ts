type GrammarModule = typeof import("unbash");

/** The grammar of Bash: parses a source and visits the children of a node. */
export type ShellGrammar = Pick<GrammarModule, "parse" | "forEachChild">;

let loading: Promise<ShellGrammar> | undefined;
let loaded: ShellGrammar | undefined;

/** Loads the grammar on first use; whoever evaluates no commands never pays for it (SAFE-044). */
export function loadShellGrammar(): Promise<ShellGrammar> {
  loading ??= import("unbash").then((grammar) => {
    loaded = grammar;
    return grammar;
  });
  return loading;
}

/** The grammar, if somebody has loaded it already. */
export function loadedShellGrammar(): ShellGrammar | undefined {
  return loaded;
}
