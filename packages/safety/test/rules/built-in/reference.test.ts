import { describe, expect, it } from "vitest";
import { createSafetyRules, renderSafetyReference, SAFETY_RULES } from "../../../src/index.js";

const page = new URL("../../../../../docs/reference/safety.md", import.meta.url).pathname;

/** `vitest run --update` rewrites the page after a change of the rules. */
describe("renderSafetyReference", () => {
  it("renders the committed reference page", async () => {
    await expect(renderSafetyReference()).toMatchFileSnapshot(page);
  });

  it("describes every rule in a section, linked from the table of its kind", () => {
    const text = renderSafetyReference();
    for (const { id } of SAFETY_RULES) {
      expect(text).toContain(`| [${id}](#${id}) | `);
      expect(text).toContain(`\n### ${id}\n`);
    }
    expect(text.match(/^### /gm)).toHaveLength(SAFETY_RULES.length);
  });

  it("describes added rules, with invisible characters as escapes", () => {
    const { rules } = createSafetyRules({
      added: [
        {
          id: "house_key",
          title: "house | key",
          reason: "It opens the house.",
          severity: "high",
          kind: "leak",
          pattern: "house-[0-9]{4}\u200b?",
          examples: { match: ["house-1234\u200b", "house-1234".repeat(40)], clean: ["house"] },
        },
      ],
    });
    const text = renderSafetyReference(rules);
    expect(text).toContain("| [house_key](#house_key) | house \\| key | high |");
    expect(text).toContain('"house-1234\\u200b"');
    expect(text).toContain("… (400 characters)");
  });
});
