import { applyEdits, type DerivedText, underived } from "./derivation.js";
import { entityCharacter, HTML_ENTITY } from "./html-entities.js";
import { INVISIBLE_CLASS, invisibleUnits } from "./invisible.js";
import { LOOK_ALIKE_CLASS, lookAlikes } from "./look-alike.js";
import { OffsetTable } from "./offset-map.js";
import type { Edit } from "./range.js";

/**
 * Matches almost no text; only a text that it matches is checked with the slower exact expression
 * below.
 */
const HINT = new RegExp(`[${INVISIBLE_CLASS}${LOOK_ALIKE_CLASS}\\uDB40&]`);
const DISGUISE = new RegExp(
  `[${INVISIBLE_CLASS}${LOOK_ALIKE_CLASS}\\uDB40]|&(?:#|(?:lt|gt|amp|quot|apos);)`,
);
const ENTITY_HERE = new RegExp(HTML_ENTITY.source, "y");
const AMPERSAND = 0x26;
const TAG_LEAD = 0xdb_40;
const TAG_LAST = 0xdc_7f;

const CHUNK = 0x1000;
let table: string | undefined;

/**
 * Returns the character that every unit becomes in the shadow copy, by code; NUL drops it. A string
 * is the fastest table; it is created when the first text needs it, not when the module is loaded.
 */
function shownUnits(): string {
  table ??= makeTable();
  return table;
}

function makeTable(): string {
  const units = Uint16Array.from({ length: 0x1_00_00 }, (_, unit) => unit);
  for (const [unit, latin] of lookAlikes()) units[unit] = latin;
  for (const unit of invisibleUnits()) units[unit] = 0;
  let text = "";
  // A decoder would replace unpaired surrogates, and one call takes a limited number of arguments.
  for (let start = 0; start < units.length; start += CHUNK) {
    text += String.fromCharCode(...units.subarray(start, start + CHUNK));
  }
  return text;
}

/**
 * Returns the copy of a text on which rules match: with invisible characters dropped, look-alikes
 * mapped, and HTML entities decoded (SAFE-024). Combining marks remain (SAFE-025).
 * @param text - any string; it is its own shadow when nothing in it is disguised
 */
export function shadowText(text: string): DerivedText {
  if (isPlain(text)) return withoutEntities(text);
  if (!HINT.test(text) || !DISGUISE.test(text)) return underived(text);
  const offsets = new OffsetTable();
  const units = new Uint16Array(text.length);
  const shownAs = shownUnits();
  let length = 0;
  let copied = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const shown = shownAs.charCodeAt(unit);
    if (shown !== 0 && unit !== AMPERSAND && unit !== TAG_LEAD) {
      units[length++] = shown;
      copied += 1;
      continue;
    }
    const { width, content } = specialAt(text, index);
    offsets.copy(copied);
    copied = 0;
    for (const character of content) units[length++] = character;
    offsets.replace(content.length, width);
    index += width - 1;
  }
  offsets.copy(copied);
  return { text: textOf(units.subarray(0, length)), offsets };
}

/** Returns whether entities are the only possible disguise: the text is ASCII without NUL. */
function isPlain(text: string): boolean {
  return Buffer.byteLength(text) === text.length && !text.includes("\0");
}

/** Decodes entities and copies the text between them. */
function withoutEntities(text: string): DerivedText {
  const edits: Edit[] = [];
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    const { width, content } = specialAt(text, at);
    if (width === 1) continue;
    edits.push({ range: [at, at + width], replacement: String.fromCharCode(...content) });
    at += width - 1;
  }
  return applyEdits(underived(text), edits);
}

/**
 * Returns the content that an entity, a tag, an invisible character or a bare ampersand becomes.
 */
function specialAt(text: string, index: number): { width: number; content: readonly number[] } {
  const unit = text.charCodeAt(index);
  if (unit === AMPERSAND) {
    ENTITY_HERE.lastIndex = index;
    const [entity = "", decimal, hexadecimal, name] = ENTITY_HERE.exec(text) ?? [];
    const character = entity === "" ? undefined : entityCharacter(decimal, hexadecimal, name);
    return character === undefined
      ? { width: 1, content: [unit] }
      : { width: entity.length, content: shownIn(character) };
  }
  if (unit !== TAG_LEAD) return { width: 1, content: [] };
  return isTag(text.charCodeAt(index + 1))
    ? { width: 2, content: [] }
    : { width: 1, content: [unit] };
}

function shownIn(character: string): number[] {
  return character
    .split("")
    .map((unit) => shownUnits().charCodeAt(unit.charCodeAt(0)))
    .filter((unit) => unit !== 0);
}

function isTag(trail: number): boolean {
  return trail >= 0xdc_00 && trail <= TAG_LAST;
}

/** Unpaired surrogates become U+FFFD, which no rule searches for. */
function textOf(units: Uint16Array): string {
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(units);
}
