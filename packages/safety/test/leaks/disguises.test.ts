import { describe, expect, it } from "vitest";
import { createLeakGuard, redactLeaks } from "../../src/index.js";

const TOKEN = `ghp_${"Abc123Def456Ghi789".repeat(2)}`;
const ESCAPE = "\u001b";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const code = (character: string) => character.charCodeAt(0).toString(16);

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
  ["an element of HTML", `${TOKEN.slice(0, 8)}<b>${TOKEN.slice(8, 14)}</b>${TOKEN.slice(14)}`],
];

/** Returns the letters and digits of a disguised token that remain in a text. */
function remains(text: string, disguised: string): boolean {
  return text.includes(disguised.slice(8, -8));
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

  it.each([
    "0123456789abcdef0123456789abcdef01234567",
    "x = 2**10 + f`a`\n\u001b[31mred\u001b[0m",
    "a_regular\\_name and `code` in **bold** text",
    '"\\u00e9t\\u00e9 \\x41"',
  ])("[SAFE-300] leaves %j as it is", (text) => {
    expect(redactLeaks(text, { context: "output" }).text).toBe(text);
  });
});
