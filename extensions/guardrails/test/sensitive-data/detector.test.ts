import { describe, expect, it } from "vitest";
import { redacted, SensitiveDataDetector } from "../../src/sensitive-data/detector.js";
import { KINDS } from "../../src/sensitive-data/kind.js";
import { PhoneNumbers } from "../../src/sensitive-data/phone.js";
import { hostRuntime } from "../support/host-runtime.js";
import { labelledCases, qualityOf } from "../support/labelled-cases.js";

interface C {
  readonly id: string;
  readonly kind: string | null;
  readonly text: string;
  readonly sensitive: readonly string[];
}
const cases = labelledCases<C>("sensitive-data");
describe("sensitive", () => {
  it("prints", async () => {
    const { safety } = await hostRuntime();
    const d = new SensitiveDataDetector({
      findSecrets: (t) => safety.findSecrets(t),
      phones: new PhoneNumbers(["US"]),
    });
    const acts = (c: C) => {
      const r = redacted(c.text, d.find(c.text, new Set(KINDS)));
      return c.kind === null ? r !== c.text : c.sensitive.every((s) => !r.includes(s));
    };
    const q = qualityOf(cases, ({ kind }) => kind !== null, acts);
    console.log(q);
    for (const c of cases)
      if (
        acts(c) !== (c.kind !== null) ||
        (c.kind !== null && !d.find(c.text, new Set(KINDS)).some((x) => x.kind === c.kind))
      )
        console.log(
          c.id,
          c.kind,
          JSON.stringify(c.text).slice(0, 200),
          JSON.stringify(redacted(c.text, d.find(c.text, new Set(KINDS)))).slice(0, 200),
        );
    expect(q.precision).toBeGreaterThan(0);
  });
});
