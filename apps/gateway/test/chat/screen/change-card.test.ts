import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { ChangeCard } from "../../../src/chat/screen/change-card.js";

const diffOf = (count: number) =>
  ["--- a/list.txt", "+++ b/list.txt", `@@ -0,0 +1,${count} @@`]
    .concat(Array.from({ length: count }, (_, index) => `+line ${index + 1}`))
    .join("\n");

describe("allowed change", () => {
  it("[GW-442] shows a short diff whole", () => {
    const card = new ChangeCard(diffOf(17), { isExpanded: false });
    const lines = card.render(80).map((line) => stripVTControlCharacters(line));
    expect(lines).toHaveLength(20);
    expect(lines.at(-1)).toBe("+line 17");
  });

  it("[GW-442] folds a long diff after 20 lines, and shows all of it when cards are expanded", () => {
    const expansion = { isExpanded: false };
    const card = new ChangeCard(diffOf(40), expansion);
    const coloured = card.render(80);
    expect(coloured.find((line) => line.includes("+line 1"))).toContain("\u001b[32m");
    const folded = coloured.map((line) => stripVTControlCharacters(line));
    expect(folded).toHaveLength(21);
    expect(folded.at(-1)).toBe("… 23 more lines (Ctrl-O shows all)");
    expansion.isExpanded = true;
    expect(card.render(80)).toHaveLength(43);
  });
});
