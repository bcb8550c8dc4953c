import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GuardConfigInvalidError } from "../../src/errors.js";
import { GUARD_NAMES } from "../../src/guard-names.js";
import { GUARDS } from "../../src/guards.js";

describe("the configuration of a guard", () => {
  it.each(GUARD_NAMES)(
    "[DHOOK-044] of %s is complete or names its mistakes, for any value",
    async (name) => {
      const { schema, configure } = await GUARDS[name]();
      const keys = [
        ...Object.keys(schema.properties),
        "messages",
        "tools",
        "max",
        "__proto__",
        "x",
      ];
      const { value } = fc.letrec((tie) => ({
        value: fc.oneof(
          { maxDepth: 3 },
          fc.constantFrom(true, false, null, 0, -1, 1e9, 0.5, "", "block", "off", "22:00", "US"),
          fc.string(),
          fc.array(tie("value"), { maxLength: 3 }),
          fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 4 }),
        ),
      }));
      fc.assert(
        fc.property(value, (given) => {
          const before = JSON.stringify(given);
          try {
            expect(typeof configure(given)).toBe("function");
          } catch (error) {
            if (!GuardConfigInvalidError.isInstance(error)) throw error;
            expect(error.message).toContain(`the guard ${name} is not active: `);
            expect(error.message).not.toContain("undefined");
            expect(error.message.length).toBeLessThan(10_000);
          }
          expect(JSON.stringify(given)).toBe(before);
          expect(Object.keys(Object.prototype)).toEqual([]);
        }),
        { numRuns: 500 },
      );
    },
  );
});
