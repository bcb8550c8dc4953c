/** Setting of git. */
export interface GitSetting {
  /** Section in lower case. */
  readonly section: string;
  /** Subsection as written; undefined when the section has none. */
  readonly subsection: string | undefined;
  /** Key in lower case. */
  readonly key: string;
  /** Value; null for a key without value, which means true. */
  readonly value: string | null;
}

const SECTION = /^\[([A-Za-z][A-Za-z0-9-]*)(?:[ \t]+"((?:[^"\\]|\\["\\])*)")?\][ \t]*(?:[#;].*)?$/;
const KEY = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=(.*))?$/;
const COMMENT = /^(?:[#;].*)?$/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", '"': '"', "\\": "\\" };
// Control characters such as backspace are useless in a setting and could hide one.
const CONTROL = /[^\t\P{Cc}]/u;

/**
 * Reads a configuration file of git. Only the usual format is accepted, so that git cannot read it
 * differently: no line continues on the next one, and no key follows a section on its line.
 * @param text - text of the file
 * @returns undefined when a line has another format
 */
export function readGitSettings(text: string): readonly GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  let header: Pick<GitSetting, "section" | "subsection"> | undefined;
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const content = line.trim();
    if (CONTROL.test(line)) return undefined;
    if (COMMENT.test(content)) continue;
    const section = SECTION.exec(content);
    if (section !== null) {
      const [, name = "", subsection] = section;
      header = {
        section: name.toLowerCase(),
        subsection: subsection?.replaceAll(/\\(.)/g, "$1"),
      };
      continue;
    }
    const [, key, written] = KEY.exec(content) ?? [];
    if (header === undefined || key === undefined) return undefined;
    const value = written === undefined ? null : readValue(written);
    if (value === undefined) return undefined;
    settings.push({ ...header, key: key.toLowerCase(), value });
  }
  return settings;
}

/** Returns undefined when a quote is not closed or an escape is unknown to git. */
function readValue(written: string): string | undefined {
  let value = "";
  /** Length up to the last character that is not a space outside quotes. */
  let end = 0;
  let isQuoted = false;
  const text = written.trimStart();
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\") {
      at += 1;
      const escaped = ESCAPES[text.charAt(at)];
      if (escaped === undefined) return undefined;
      value += escaped;
    } else if (!isQuoted && (character === "#" || character === ";")) break;
    else value += character;
    if (isQuoted || (character !== " " && character !== "\t")) end = value.length;
  }
  return isQuoted ? undefined : value.slice(0, end);
}

/**
 * Returns settings as a configuration file of git.
 * @param settings - settings in their order
 */
export function gitSettingsText(settings: readonly GitSetting[]): string {
  return settings
    .map(({ section, subsection, key, value }) => {
      const name = subsection === undefined ? section : `${section} "${escaped(subsection)}"`;
      return `[${name}]\n\t${key}${value === null ? "" : ` = "${escaped(value)}"`}\n`;
    })
    .join("");
}

function escaped(text: string): string {
  return text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
