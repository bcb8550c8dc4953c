import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../src/response-format/dialect.js";
import { formatReply, responseFormatter } from "../../src/response-format/guard.js";
import { segmentsOf } from "../../src/response-format/segments.js";
import { splitText } from "../../src/response-format/split.js";
import { installGuard } from "../support/installed-guard.js";

const CODE = '```ts\nconst  x = "**not bold**";   \n\n\n- not a list\n```\n';
const REPLY = `# Result

The **build** is *green*, see [the log](https://ci.example/7) and \`npm test\`.\u0020\u0020\u0020


- first **item**
- second ~~old~~
  1. nested

| file | size |
|------|------|
| a.ts | **12** |

> quoted
> twice

${CODE}Done.`;

/** Lines of Markdown of every kind, and any text. */
const markdown = fc
  .array(
    fc.oneof(
      fc.constantFrom("```ts", "```", "~~~", "", "# a", "- b *c*", "x".repeat(70), "a b  ", "> q"),
      fc.string(),
    ),
    { maxLength: 12 },
  )
  .map((lines) => lines.join("\n"));

describe("response_formatter", () => {
  it.each([
    [
      "plain",
      `Result\n\nThe build is green, see the log (https://ci.example/7) and npm test.\n\n- first item\n- second old\n  1. nested\n\nfile | size\na.ts | 12\n\n> quoted\n> twice\n\n${CODE}Done.`,
    ],
    [
      "slack",
      `*Result*\n\nThe *build* is _green_, see <https://ci.example/7|the log> and \`npm test\`.\n\n• first *item*\n• second ~old~\n  1. nested\n\nfile | size\na.ts | *12*\n\n> quoted\n> twice\n\n${CODE}Done.`,
    ],
    [
      "whatsapp",
      `*Result*\n\nThe *build* is _green_, see the log (https://ci.example/7) and \`npm test\`.\n\n- first *item*\n- second ~old~\n  1. nested\n\nfile | size\na.ts | *12*\n\n> quoted\n> twice\n\n${CODE}Done.`,
    ],
  ] as const)("[DHOOK-041] writes Markdown as %s, and leaves fenced code", (format, expected) => {
    expect(formatReply(REPLY, { format, whiteSpace: true })).toBe(expected);
  });

  it("[DHOOK-041] never changes fenced code, and leaves no superfluous white space elsewhere", () => {
    fc.assert(
      fc.property(markdown, fc.constantFrom(...FORMATS), (text, format) => {
        const segments = segmentsOf(text.replaceAll("\r\n", "\n"));
        expect(segments.map((segment) => segment.text).join("")).toBe(
          text.replaceAll("\r\n", "\n"),
        );
        const formatted = formatReply(text, { format, whiteSpace: true });
        for (const { kind, text: code } of segments) {
          if (kind === "code") expect(formatted).toContain(code);
        }
        for (const { kind, text: prose } of segmentsOf(formatted)) {
          if (kind === "prose") expect(prose).not.toMatch(/\n{3,}/);
        }
      }),
    );
  });

  it("[DHOOK-041] divides into parts of the maximum length that lose no word", () => {
    const words = (text: string) => text.replaceAll(/[`~]{3,}\w*/g, " ").replaceAll(/\s+/g, "");
    fc.assert(
      fc.property(markdown, fc.integer({ min: 100, max: 300 }), (text, limit) => {
        const parts = splitText(text, limit);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(limit);
        expect(words(parts.join(" "))).toBe(words(text));
      }),
    );
  });

  it("[DHOOK-041] adds the signature of a channel once, and leaves channels with Markdown alone", async () => {
    const guard = await installGuard(responseFormatter, {
      signature: "Claw",
      channels: { discord: { whiteSpace: false }, slack: { signature: "Slack Claw" } },
    });
    const format = async (content: string, channel: string) =>
      (await guard.fire("transform_response", { content, channel, runId: "r" }))?.content;
    expect(await format("**a**", "slack")).toBe("*a*\n\nSlack Claw");
    expect(await format("**a**", "discord")).toBe("**a**\n\nClaw");
    expect(await format("**a**", "telegram")).toBe("**a**\n\nClaw");
    expect(await format("**a**\n\nClaw", "telegram")).toBeUndefined();
    expect(await format("**a**", "sms")).toBe("a\n\nClaw");
    expect(guard.counts).toMatchObject({ seen: 5, changed: 4 });
  });
});
