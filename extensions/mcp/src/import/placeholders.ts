import type { ImportPlace } from "./found-server.js";

/** Form in which a program writes variables in the values of its file. */
export type VariableForm = "literal" | "shell" | "editor";

/** Value in the form of the configuration. */
export interface TranslatedText {
  readonly text: string;
  readonly notes: readonly string[];
}

/**
 * Translates the variables in a value into those of the configuration: `${NAME}` for the environment and
 * `${secret:NAME}` for stored secrets.
 * - `literal` has no variables;
 * - `shell` has `${NAME}` and `${NAME:-default}`;
 * - `editor` has `${env:NAME}`, `${input:ID}`, `${userHome}`, `${workspaceFolder}`, `${workspaceFolderBasename}` and
 *   `${pathSeparator}`.
 * @param text - value in the file
 * @param form - form of the program
 * @param place - home, workspace and environment
 * @returns undefined for a variable that means nothing here
 */
export function translated(
  text: string,
  form: VariableForm,
  place: ImportPlace,
): TranslatedText | undefined {
  if (form === "literal") return { text: text.replaceAll("${", "$${"), notes: [] };
  const notes: string[] = [];
  let isUnknown = false;
  const result = text.replaceAll(/\$\{([^{}]*)\}/g, (whole, inner: string) => {
    const found = form === "shell" ? shellVariable(inner) : editorVariable(inner, place);
    if (found === undefined) {
      isUnknown = true;
      return whole;
    }
    if (found.note !== undefined) notes.push(found.note);
    return found.text;
  });
  return isUnknown ? undefined : { text: result, notes };
}

interface Variable {
  readonly text: string;
  readonly note?: string;
}

/** The configuration has the same form. */
function shellVariable(inner: string): Variable | undefined {
  return /^[A-Za-z_]\w*(?::-.*)?$/s.test(inner) ? { text: `\${${inner}}` } : undefined;
}

function editorVariable(
  inner: string,
  { home, workspace, platform }: ImportPlace,
): Variable | undefined {
  const [, kind, name = ""] = /^(env|input):(.+)$/.exec(inner) ?? [];
  if (kind === "env") return { text: `\${${name}}` };
  if (kind === "input") {
    const secret = secretName("MCP", name);
    const note = `the editor asks for ${name}, here it is the secret ${secret}`;
    return { text: `\${secret:${secret}}`, note };
  }
  const separator = platform === "win32" ? "\\" : "/";
  switch (inner) {
    case "userHome":
      return { text: home };
    case "workspaceFolder":
      return { text: workspace };
    case "workspaceFolderBasename":
      return { text: workspace.split(/[\\/]/).at(-1) ?? "" };
    case "pathSeparator":
    case "/":
      return { text: separator };
    default:
      return undefined;
  }
}

/**
 * Returns a name for a stored secret.
 * @param words - words of the name, in any spelling
 */
export function secretName(...words: readonly string[]): string {
  const name = words.join("_").replaceAll(/[^A-Za-z0-9]+/g, "_");
  return name.replaceAll(/^_+|_+$/g, "").toUpperCase();
}
