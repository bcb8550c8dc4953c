import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSafetyRules, renderSafetyReference, SAFETY_RULES } from "../../../src/index.js";

const folder = new URL("../../../../../docs/reference/safety/", import.meta.url);
const pages = renderSafetyReference();

/** After a change of the rules, `vitest run --update` writes the pages anew. */
describe("the reference of the rules", () => {
  it.each(pages.map(({ file, text }) => [file, text]))("holds %s as it is", async (file, text) => {
    await expect(text).toMatchFileSnapshot(new URL(`${file}`, folder).pathname);
  });

  it("has a page for every rule, linked from the index, and no other", () => {
    const files = ["index.md", ...SAFETY_RULES.map(({ id }) => `${id}.md`)];
    expect(readdirSync(folder).sort()).toEqual(files.sort());
    const index = pages.find(({ file }) => file === "index.md")?.text;
    for (const { id } of SAFETY_RULES) expect(index).toContain(`[${id}](${id}.md)`);
  });

  it("shows rules that were added, and what cannot be seen", () => {
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
    const [index, page] = renderSafetyReference(rules).filter(({ file }) =>
      ["index.md", "house_key.md"].includes(file),
    );
    expect(index?.text).toContain("| [house_key](house_key.md) | house \\| key | high |");
    expect(page?.text).toContain('"house-1234\\u200b"');
    expect(page?.text).toContain("… (400 characters)");
  });
});
