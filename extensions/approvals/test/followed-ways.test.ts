import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { evaluationPlace } from "./support/evaluation.js";
import { FOLLOWED_WAYS } from "./support/followed-ways.js";

const place = evaluationPlace();
writeFileSync(join(place.workspaceDir, "AGENTS.md"), "text\n");
afterAll(() => place[Symbol.dispose]());

describe("ways to write followed files", () => {
  it("[APPR-506] need approval at `security: full`, each of at least 200 ways", async () => {
    const unasked: string[] = [];
    for (const command of FOLLOWED_WAYS) {
      const { decision } = await place.evaluate(command, { security: "full" });
      if (!/each-time|critical/.test(decision)) unasked.push(`${decision} ${command}`);
    }
    expect(unasked).toEqual([]);
    expect(FOLLOWED_WAYS.length).toBeGreaterThanOrEqual(200);
  });
});
