/** Statements at the start of a line, and calls on lines without an earlier quote: code inside strings is skipped. */
const STATEMENT =
  /^(?:import\s*|(?:import|export)\b[^"'`;{]*(?:\{[^}]*\}[^"'`;{]*)?\bfrom\s*)["']([^"']+)["']/gm;
const CALL = /^[^"'`\n]*\b(?:import|require)\(\s*["']([^"']+)["']/gm;

/**
 * Returns the module specifiers that a source file imports or re-exports, types included.
 * @param source - text of a TypeScript or JavaScript file
 */
export function importsOf(source: string): string[] {
  return [...source.matchAll(STATEMENT), ...source.matchAll(CALL)].flatMap(
    ([, specifier]) => specifier ?? [],
  );
}

/**
 * Returns the name of the workspace package that a specifier points into, or undefined for any other package.
 * @param specifier - such as `@openclaw/store/errors` or `openclaw/plugin-sdk`
 */
export function workspacePackageOf(specifier: string): string | undefined {
  const [scope = "", name = ""] = specifier.split("/");
  if (scope === "@openclaw") return `${scope}/${name}`;
  return scope === "openclaw" || scope === "create-openclaw-plugin" ? scope : undefined;
}
