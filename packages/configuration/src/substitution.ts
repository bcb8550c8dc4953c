import { nearestName, withSuggestion } from "@openclaw/foundation";
import type { WrittenText } from "./located-value.js";

/** String after the substitution of its references. */
export interface SubstitutedText {
  /** Text with the values of variables; references to secrets are left in it. */
  readonly value: string;
  /** Undefined when the string has no references. */
  readonly written: WrittenText | undefined;
  /** Descriptions of references that cannot be resolved. */
  readonly problems: readonly { readonly message: string; readonly suggestion: string }[];
}

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
const SECRET = /^secret:(.*)$/s;

/** Valid name of a stored secret. */
export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;

/**
 * Substitutes `${NAME}` and `${NAME:-default}` by environment variables, of which an empty one counts as
 * unset, and `$${` by `${`. `${secret:NAME}` is left for the time of use (GW-003).
 * @param text - string of the configuration
 * @param environment - environment variables of the process
 */
export function substituteReferences(
  text: string,
  environment: NodeJS.ProcessEnv,
): SubstitutedText {
  if (!text.includes("${")) return { value: text, written: undefined, problems: [] };
  const variables: string[] = [];
  const secrets: string[] = [];
  const problems: { message: string; suggestion: string }[] = [];
  const value = text.replaceAll(REFERENCE, (reference, inner: string = "", end: string = "") => {
    if (reference === "$${") return "${";
    const secret = SECRET.exec(inner)?.[1];
    if (end !== "" && secret !== undefined && SECRET_NAME.test(secret)) {
      secrets.push(secret);
      return reference;
    }
    const [, name, fallback] = VARIABLE.exec(inner) ?? [];
    if (end === "" || name === undefined) {
      problems.push(malformed(reference, secret));
      return reference;
    }
    variables.push(name);
    const found = environment[name];
    if (found !== undefined && found !== "") return found;
    if (fallback !== undefined) return fallback;
    problems.push(missing(name, environment));
    return reference;
  });
  return { value, written: { text, variables, secrets }, problems };
}

/**
 * Replaces the references to secrets in a string.
 * @param written - string as it is written in the file
 * @param environment - environment variables, for the other references
 * @param secretOf - returns the value of a secret
 */
export function substituteSecrets(
  { text }: WrittenText,
  environment: NodeJS.ProcessEnv,
  secretOf: (name: string) => string,
): string {
  // One pass over the written text, so that a value with `${` in it is never read as a reference.
  return text.replaceAll(REFERENCE, (reference, inner: string = "") => {
    if (reference === "$${") return "${";
    const secret = SECRET.exec(inner)?.[1];
    if (secret !== undefined) return secretOf(secret);
    const [, name = "", fallback = ""] = VARIABLE.exec(inner) ?? [];
    return environment[name] || fallback;
  });
}

function missing(name: string, environment: NodeJS.ProcessEnv) {
  const isEmpty = environment[name] === "";
  const known = Object.keys(environment);
  const near = isEmpty ? undefined : nearestName(name, known);
  return {
    message: `the environment variable ${name} is ${isEmpty ? "empty, which counts as not set" : "not set"}`,
    suggestion: withSuggestion(`set ${name}, or write \${${name}:-default}`, near),
  };
}

function malformed(reference: string, secret: string | undefined) {
  const message =
    secret === undefined
      ? `${JSON.stringify(reference)} is not a reference`
      : `${JSON.stringify(secret)} is not the name of a secret`;
  return {
    message,
    suggestion:
      secret === undefined
        ? "write ${NAME}, ${NAME:-default} or ${secret:NAME}, and $${ for a literal ${"
        : "a name starts with a letter and has at most 128 letters, digits, dots, hyphens and underscores",
  };
}
