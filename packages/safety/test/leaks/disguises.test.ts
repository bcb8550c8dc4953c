import { describe, expect, it } from "vitest";
import { createLeakGuard, redactLeaks } from "../../src/index.js";

const TOKEN = `ghp_${"Abc123Def456Ghi789".repeat(2)}`;
const ESCAPE = "\u001b";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const code = (character: string) => character.charCodeAt(0).toString(16);

const pairs = (separator: string) => [...TOKEN].map(code).join(separator);
const halves = (between: string) => `${TOKEN.slice(0, 17)}${between}${TOKEN.slice(17)}`;

/** An encoded file of settings with a token in its middle. */
const OTHERS = Array.from({ length: 7 }, (_, at) => `SETTING_${at}=value ${at}\n`).join("");
const ENCODED = base64(`${OTHERS}TOKEN=${TOKEN}\n${OTHERS}`);
const wrapped = (text: string, width: number, between = "\n") =>
  (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(between);

const WRAPPED: readonly (readonly [form: string, text: string])[] = [
  ["lines of 76 characters", wrapped(ENCODED, 76)],
  ["lines of 64 characters of Windows", wrapped(ENCODED, 64, "\r\n")],
  ["lines of 20 characters", wrapped(ENCODED, 20)],
  ["lines of 8 characters", wrapped(ENCODED, 8)],
  ["indented lines", wrapped(ENCODED, 60, "\n      ")],
  ["quoted lines", wrapped(ENCODED, 64, "\n> ")],
  ["joined strings", wrapped(ENCODED, 40, '" +\n  "')],
  ["escaped line breaks", wrapped(ENCODED, 76, "\\n")],
  ["escaped line breaks of Windows", wrapped(ENCODED, 76, "\\r\\n")],
  ["blanks", wrapped(ENCODED, 76, " ")],
  ["lines twice", wrapped(base64(ENCODED), 76)],
  ["lines of lines", wrapped(base64(`${wrapped(ENCODED, 76)}\n`), 76)],
  ["lines of narrow lines", wrapped(base64(wrapped(ENCODED, 16)), 64)],
  ["lines three times", wrapped(base64(wrapped(base64(wrapped(ENCODED, 76)), 76)), 76)],
];

const DISGUISES: readonly (readonly [disguise: string, text: string])[] = [
  ["hexadecimal digits", Buffer.from(TOKEN).toString("hex")],
  ["hexadecimal digits in upper case", Buffer.from(TOKEN).toString("hex").toUpperCase()],
  ["escapes of JSON", [...TOKEN].map((character) => `\\u00${code(character)}`).join("")],
  ["escapes of program code", [...TOKEN].map((character) => `\\x${code(character)}`).join("")],
  ["one escaped character", `\\u0067${TOKEN.slice(1)}`],
  ["a colour in the middle", `${TOKEN.slice(0, 9)}${ESCAPE}[31m${TOKEN.slice(9)}`],
  ["a colour per character", [...TOKEN].map((c) => `${ESCAPE}[1;32m${c}${ESCAPE}[0m`).join("")],
  ["base64", base64(TOKEN)],
  ["base64 of base64", base64(base64(TOKEN))],
  ["base64 three times", base64(base64(base64(TOKEN)))],
  ["bold letters of Markdown", `${TOKEN.slice(0, 4)}**${TOKEN.slice(4, 12)}**${TOKEN.slice(12)}`],
  ["an escaped underscore of Markdown", TOKEN.replace("_", "\\_")],
  ["code marks of Markdown", `${TOKEN.slice(0, 8)}\`${TOKEN.slice(8)}\``],
  ["pairs with blanks", pairs(" ")],
  ["pairs with colons", pairs(":")],
  ["pairs with commas and blanks", pairs(", ")],
  ["pairs with a prefix", pairs(", 0x")],
  ["pairs in quotation marks", pairs("', '")],
  ["pairs on lines", pairs("\n")],
  ["groups of two pairs", pairs("").replaceAll(/.{4}/g, "$& ")],
  ["a line break", halves("\n")],
  ["a line break of Windows", halves("\r\n")],
  ["a continued line", halves("\\\n")],
  ["an indented line", halves("\n    ")],
  ["a quotation", halves("\n> ")],
  ["joined strings", halves('" +\n  "')],
  ["lines of nine characters", TOKEN.replaceAll(/.{9}/g, "$&\n")],
  ["an element of HTML", `${TOKEN.slice(0, 8)}<b>${TOKEN.slice(8, 14)}</b>${TOKEN.slice(14)}`],
];

/** Returns the letters and digits of a disguised token that remain in a text. */
function remains(text: string, disguised: string): boolean {
  return text.includes(disguised.slice(8, -8));
}

/** Returns a dump of a text as `xxd` prints it. */
function dump(text: string, separator = ": "): string {
  return (text.match(/.{1,16}/gs) ?? [])
    .map((line, index) => {
      const digits = [...line].map(code).join("").replaceAll(/.{4}/g, "$& ").padEnd(41);
      return `${(16 * index).toString(16).padStart(8, "0")}${separator}${digits} ${line}\n`;
    })
    .join("");
}

describe("disguised secrets", () => {
  it.each(DISGUISES)("[SAFE-300] redacts a token behind %s", (_, disguised) => {
    const { text, findings } = redactLeaks(`before ${disguised} after`, { context: "output" });
    expect(findings.map(({ rule }) => rule)).toContain("github_token");
    expect(text).toContain("[REDACTED]");
    expect(text.startsWith("before ") && text.endsWith(" after")).toBe(true);
    expect(remains(text, disguised)).toBe(false);
  });

  it.each(DISGUISES)("[SAFE-300] redacts a streamed token behind %s", (_, disguised) => {
    const whole = `before ${disguised} after`;
    const guard = createLeakGuard();
    const shown = [...whole].map((character) => guard.push(character)).join("") + guard.flush();
    expect(shown).toBe(redactLeaks(whole, { context: "output" }).text);
  });

  it.each(WRAPPED)("[SAFE-501] redacts all of base64 in %s", (_, encoded) => {
    const whole = `before ${encoded} after`;
    const { text, findings } = redactLeaks(whole, { context: "output" });
    expect(findings.map(({ rule }) => rule)).toContain("github_token");
    expect(text.replace(/=* after$/, " after")).toBe("before [REDACTED] after");
    const guard = createLeakGuard();
    const chunks = whole.match(/.{1,7}/gs) ?? [];
    expect(chunks.map((chunk) => guard.push(chunk)).join("") + guard.flush()).toBe(text);
  });

  it("[SAFE-300] redacts the lines of a dump that show a token, and no others", () => {
    const whole = `$ xxd .env\n${dump(`${"An ordinary text of words. ".repeat(3)}${TOKEN}, end ${"and more ".repeat(6)}`)}$ `;
    const { text } = redactLeaks(whole, { context: "output" });
    expect(text).toContain("An ordinary text");
    expect(text).toContain("and more");
    expect(TOKEN.match(/.{6}/g)?.filter((part) => text.includes(part))).toEqual([]);
    const guard = createLeakGuard();
    const shown = [...whole].map((character) => guard.push(character)).join("") + guard.flush();
    expect(shown).toBe(text);
  });

  it("[SAFE-300] leaves the line behind a complete token, and redacts the rest of a broken one", () => {
    const key = `sk-proj-${"Abc123Def456Ghi789".repeat(3)}`;
    for (const [whole, expected] of [
      [`KEY=${TOKEN}\nDB_HOST=localhost\n`, "KEY=[REDACTED]\nDB_HOST=localhost\n"],
      [`${TOKEN}\n${TOKEN}\n`, "[REDACTED]\n[REDACTED]\n"],
      [`uses ${key}\nand then`, "uses [REDACTED]\nand then"],
      [`uses ${key}\n${"Jkl012Mno345"} then`, "uses [REDACTED] then"],
    ] as const) {
      expect(redactLeaks(whole, { context: "output" }).text).toBe(expected);
      const guard = createLeakGuard();
      expect([...whole].map((unit) => guard.push(unit)).join("") + guard.flush()).toBe(expected);
    }
  });

  it.each([
    "0123456789abcdef0123456789abcdef01234567",
    "x = 2**10 + f`a`\n\u001b[31mred\u001b[0m",
    "a_regular\\_name and `code` in **bold** text",
    '"\\u00e9t\\u00e9 \\x41"',
    "24 bytes: 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 71 72 73 74 75 76 77 78",
    "one_word_2\nanother-word-3\nAKIA_is_a_prefix\nof4keys5\n",
  ])("[SAFE-300] leaves %j as it is", (text) => {
    expect(redactLeaks(text, { context: "output" }).text).toBe(text);
  });
});
