import type { ComponentChildren } from "preact";

/** Text of the console, or a function that makes it from values. */
type Message = string | ((...values: never[]) => string);

const STORED = "openclaw.locale";

/** True in the pseudo-locale, in which a text that is not in a catalogue shows itself. */
const isPseudo = storedLocale() === "pseudo";

/** Letters of the pseudo-locale, in the order of the alphabet. */
const LETTERS = "áƀćďéƒğĥíĵķĺḿńóþɋŕśťúṽŵẋýž";

/**
 * Declares the strings of a view. Each view has them in its own file, `messages.ts`, and nowhere else (UI-035).
 * @param strings - the strings, and functions that return one, by name
 * @returns the same, in the locale of the page
 */
export function catalogue<Strings extends Readonly<Record<string, Message>>>(
  strings: Strings,
): Strings {
  if (!isPseudo) return strings;
  return Object.fromEntries(
    Object.entries<Message>(strings).map(([name, message]) => [
      name,
      typeof message === "string"
        ? pseudo(message)
        : (...values: never[]) => pseudo(message(...values)),
    ]),
    // Every entry keeps its name and its parameters.
  ) as Strings;
}

/**
 * Fills the places of a text, for example `{link}`, with elements. They are placed, not parsed, so that values cannot
 * change the text.
 * @param text - text with places
 * @param elements - element of each place
 */
export function filled<Name extends string>(
  text: string,
  elements: Readonly<Record<Name, ComponentChildren>>,
): ComponentChildren {
  return text.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name !== undefined && isNameOf(elements, name) ? elements[name] : part;
  });
}

/** Returns what `Intl` made of a value as the locale of the page has it. */
export function inLocale(made: string): string {
  return isPseudo ? pseudo(made) : made;
}

/** Returns a text as the pseudo-locale has it: in other letters, longer, between brackets. */
function pseudo(text: string): string {
  if (text === "" || text.startsWith("⟦")) return text;
  const changed = text.replace(/\{\w+\}|[a-z]/gi, (found) => {
    if (found.length > 1) return found;
    const letter = LETTERS[found.toLowerCase().charCodeAt(0) - "a".charCodeAt(0)] ?? found;
    return found === found.toLowerCase() ? letter : letter.toUpperCase();
  });
  return `⟦${changed}${"·".repeat(Math.ceil(text.length / 4))}⟧`;
}

function isNameOf<Name extends string>(
  elements: Readonly<Record<Name, unknown>>,
  name: string,
): name is Name {
  return Object.hasOwn(elements, name);
}

function storedLocale(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}
