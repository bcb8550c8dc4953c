import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import { describe, expect, it } from "vitest";
import { settingsOf } from "../../src/configuration/settings.js";
import { inputRules, inputValidator } from "../../src/input/guard.js";
import { InputValidator } from "../../src/input/validator.js";
import { hostRuntime } from "../support/host-runtime.js";
import { labelledCases, qualityOf } from "../support/labelled-cases.js";

interface C {
  readonly id: string;
  readonly why: string;
  readonly invalid: boolean;
  readonly text?: string;
  readonly tool?: string;
  readonly params?: Record<string, unknown>;
  readonly attachments?: readonly AttachmentMeta[];
  readonly settings?: object;
}
const cases = labelledCases<C>("input");
describe("input", () => {
  it("prints", async () => {
    const { patterns } = await hostRuntime();
    const results = new Map<string, readonly unknown[]>();
    for (const c of cases) {
      const v = new InputValidator(
        await inputRules(
          settingsOf("input_validator", inputValidator.schema, c.settings ?? true) as never,
          patterns,
        ),
      );
      results.set(
        c.id,
        c.tool === undefined ? v.message(c.text ?? "", c.attachments) : v.params(c.params ?? {}),
      );
    }
    const q = qualityOf(
      cases,
      ({ invalid }) => invalid,
      ({ id }) => (results.get(id) ?? []).length > 0,
    );
    console.log(q);
    for (const c of cases)
      if (
        c.invalid !== (results.get(c.id) ?? []).length > 0 ||
        (results.get(c.id) ?? []).length > 1
      )
        console.log(c.id, c.why, results.get(c.id));
    expect(q.precision).toBeGreaterThan(0);
  });
});
