import type { ValuePath } from "@openclaw/foundation/json-document";
import { memberKey, parseJson5Tree, type ValueNode } from "@openclaw/foundation/json-tree";
import type { ConfigurationDocument } from "./document.js";
import { visitScalars } from "./located-value.js";
import { REDACTED } from "./public-value.js";

/** Text of a configuration file without its secrets. */
export interface PublicText {
  readonly text: string;
  /** Secrets as they are written in the file, by the mark that replaces them. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** Mark of a secret in the text of a file; the digits belong to the secret. */
const MARK = /^\[REDACTED:[0-9a-f]{8}\]$/;

/**
 * Replaces the secrets in the text of a configuration file by marks, and leaves everything else as it is written:
 * comments, order and quotes.
 * @param document - configuration with the file
 * @param source - file and its text
 * @param value - the configuration without secrets
 * @param digitsOf - returns eight hexadecimal digits for a secret, always the same ones
 */
export function publicText(
  { root }: Pick<ConfigurationDocument, "root">,
  { file, text }: { readonly file: string; readonly text: string },
  value: unknown,
  digitsOf: (secret: string) => string,
): PublicText {
  const secrets = new Set<string>();
  visitScalars(root, (path, located) => {
    if (located.place.file === file && isHidden(value, path)) secrets.add(address(located.ownPath));
  });
  const hidden = new Map<string, string>();
  const shown = withScalars(text, (path, written) => {
    if (!secrets.has(address(path))) return undefined;
    const mark = `[REDACTED:${digitsOf(written)}]`;
    hidden.set(mark, written);
    return JSON.stringify(mark);
  });
  return { text: shown, hidden };
}

/**
 * Puts the secrets back into the text of a configuration file, wherever their marks are.
 * @param text - text with marks
 * @param hidden - secrets as they are written, by their marks
 * @returns the text, and whether it has a mark of no secret, or a part of one
 */
export function withSecrets(
  text: string,
  hidden: PublicText["hidden"],
): { readonly text: string; readonly isRedacted: boolean } {
  let isRedacted = false;
  const restored = withScalars(text, (_path, _written, value) => {
    if (typeof value !== "string") return undefined;
    const secret = MARK.test(value) ? hidden.get(value) : undefined;
    if (secret === undefined && (MARK.test(value) || REDACTED.test(value))) isRedacted = true;
    return secret;
  });
  return { text: restored, isRedacted };
}

/** True for a value that is replaced, alone or with the object that contains it. */
function isHidden(value: unknown, path: readonly string[]): boolean {
  let shown = value;
  for (const key of path) {
    if (typeof shown === "string") break;
    if (typeof shown !== "object" || shown === null || !Object.hasOwn(shown, key)) return false;
    shown = Object.entries(shown).find(([name]) => name === key)?.[1];
  }
  return typeof shown === "string" && REDACTED.test(shown);
}

/** Replaces scalars in the text of a JSON5 file. */
function withScalars(
  text: string,
  replace: (path: ValuePath, written: string, value: unknown) => string | undefined,
): string {
  const parts: string[] = [];
  let end = 0;
  const visit = (node: ValueNode, path: ValuePath): void => {
    if (node.type === "Object") {
      for (const member of node.members) visit(member.value, [...path, memberKey(member)]);
      return;
    }
    if (node.type === "Array") {
      for (const [index, element] of node.elements.entries()) {
        visit(element.value, [...path, index]);
      }
      return;
    }
    const { start, end: last } = node.loc;
    const written = text.slice(start.offset, last.offset);
    const replaced = replace(path, written, node.type === "String" ? node.value : undefined);
    if (replaced === undefined) return;
    parts.push(text.slice(end, start.offset), replaced);
    end = last.offset;
  };
  if (text.trim() !== "") visit(parseJson5Tree(text).body, []);
  return parts.join("") + text.slice(end);
}

function address(path: ValuePath): string {
  return JSON.stringify(path.map(String));
}
