import { compileGlob, type Glob } from "./glob.js";
import { canonicalToolName, normalizeName } from "./tool-name.js";

/** The longest entry, in UTF-16 units. */
export const MAXIMUM_ENTRY_LENGTH = 128;

/** Meaning of an entry. `text` is its normal form: entries with equal text mean the same. */
export type ParsedEntry =
  | {
      readonly kind: "name";
      readonly text: string;
      readonly name: string;
      /** Set where the bare name may be a plugin's id as well (POL-019). */
      readonly pluginId?: string;
    }
  | { readonly kind: "plugin"; readonly text: string; readonly pluginId: string }
  | { readonly kind: "group"; readonly text: string; readonly group: string }
  | { readonly kind: "glob"; readonly text: string; readonly glob: Glob };

const GROUP = "group:";
const PLUGIN = "plugin:";

/**
 * Reads an entry.
 * @param value - as written
 * @param knownNames - canonical names of known tools; such a name never stands for a plugin
 */
export function parseEntry(value: string, knownNames: ReadonlySet<string>): ParsedEntry {
  const text = normalizeName(value);
  if (text.startsWith(GROUP)) {
    return { kind: "group", text, group: text.slice(GROUP.length).trim() };
  }
  if (text.startsWith(PLUGIN)) {
    return { kind: "plugin", text, pluginId: text.slice(PLUGIN.length).trim() };
  }
  if (/[*?]/.test(text)) return { kind: "glob", text, glob: compileGlob(text) };
  const name = canonicalToolName(text);
  if (knownNames.has(name)) return { kind: "name", text: name, name };
  return { kind: "name", text: name, name, pluginId: text };
}

/**
 * The form of an entry that the policy hash covers. A bare name that may be a plugin's id means
 * more than the same name of a known tool, so the two differ.
 */
export function entryDigest(entry: ParsedEntry): string {
  return entry.kind === "name" && entry.pluginId === undefined ? `tool:${entry.text}` : entry.text;
}

/** A valid list entry, or the reason why it is invalid. */
export type EntryReading =
  | { readonly value: string; readonly fault?: undefined }
  | { readonly fault: string };

/**
 * Reads a value found in a list (POL-037).
 * @param value - anything
 */
export function readEntry(value: unknown): EntryReading {
  if (typeof value !== "string") {
    return { fault: `expected text, got ${value === null ? "null" : typeof value}` };
  }
  if (value.trim() === "") return { fault: "expected a name, got empty text" };
  if (value.length > MAXIMUM_ENTRY_LENGTH) {
    return { fault: `expected at most ${MAXIMUM_ENTRY_LENGTH} characters, got ${value.length}` };
  }
  if (/\p{Cc}/u.test(value)) return { fault: "expected no control characters" };
  return { value };
}
