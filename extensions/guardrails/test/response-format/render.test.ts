import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIALECTS } from "../../src/response-format/dialect.js";
import { formatReply } from "../../src/response-format/guard.js";
import { render } from "../../src/response-format/render.js";
import { segmentsOf } from "../../src/response-format/segments.js";
import { splitText } from "../../src/response-format/split.js";

const REPLY = `# Result

The **build** is *green*, see [the log](https://ci.example/7) and \`npm test\`.


- first **item**
- second ~~old~~
  1. nested

| file | size |
|------|------|
| a.ts | **12** |

> quoted
> twice

\`\`\`ts
const  x = "**not bold**";   


- not a list
\`\`\`
Done &amp; <b>dusted</b> 1 < 2.`;

describe("formats", () => {
  it("x", () => {
    for (const d of ["plain", "slack", "whatsapp"] as const)
      console.log(
        `--- ${d}\n${formatReply(REPLY, { format: d, whiteSpace: true, signature: "-- Claw" })}`,
      );
    console.log(JSON.stringify(splitText(REPLY, 120), null, 1));
    expect(render(REPLY, DIALECTS.plain)).not.toContain("**build");
  });
  const line = fc.oneof(
    fc.constantFrom("```ts", "```", "~~~", "", "# a", "- b *c*", "x".repeat(70), "a b  ", "> q"),
    fc.string(),
  );
  const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
  it("p", () => {
    fc.assert(
      fc.property(text, (t) => {
        expect(
          segmentsOf(t)
            .map(({ text: s }) => s)
            .join(""),
        ).toBe(t);
        for (const format of ["plain", "slack", "whatsapp", "markdown"] as const) {
          const out = formatReply(t, { format, whiteSpace: true });
          for (const s of segmentsOf(t.replaceAll("\r\n", "\n")))
            if (s.kind === "code") expect(out).toContain(s.text);
        }
      }),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 100, max: 300 }), (t, limit) => {
        const parts = splitText(t, limit);
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
