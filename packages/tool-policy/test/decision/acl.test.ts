import { describe, expect, it } from "vitest";
import { type AccessControlList, type AclEntry, evaluateAcl } from "../../src/index.js";
import vectors from "../vectors/acl.json" with { type: "json" };

const KINDS = ["exact", "prefix", "suffix", "contains", "glob"] as const;
const MODES = ["allowall", "allowlist", "blocklist"] as const;

function entries(pairs: readonly (readonly string[])[]): readonly AclEntry[] {
  return pairs.map(([given, value = ""]) => {
    const kind = KINDS.find((each) => each === given);
    if (kind === undefined) throw new Error(`unknown kind ${given}`);
    return { kind, value };
  });
}

function list(mode: AccessControlList["mode"], allow: AclEntry[], block: AclEntry[] = []) {
  return { mode, allow, block };
}

describe("evaluateAcl", () => {
  it.each(vectors)("[SAFE-053] $id: $input.mode on $input.value", ({ input, expected }) => {
    const mode = MODES.find((each) => each === input.mode);
    if (mode === undefined) throw new Error(`unknown mode ${input.mode}`);
    const acl = { mode, allow: entries(input.allow), block: entries(input.block) };
    expect(evaluateAcl(acl, input.value).allowed).toBe(expected.allowed);
  });

  it("[SAFE-053] lets a block win over an allow in every mode", () => {
    const entry: AclEntry = { kind: "exact", value: "Bob" };
    for (const mode of MODES) {
      expect(evaluateAcl(list(mode, [entry], [entry]), "bob")).toEqual({
        allowed: false,
        decidedBy: "block",
        entry,
      });
    }
  });

  it("[SAFE-053] matches exactly, by prefix, suffix, substring and pattern, ignoring case", () => {
    const cases: [AclEntry, string, boolean][] = [
      [{ kind: "exact", value: "Ann" }, "ANN", true],
      [{ kind: "exact", value: "Ann" }, "Anna", false],
      [{ kind: "prefix", value: "spam_" }, "SPAM_1", true],
      [{ kind: "prefix", value: "spam_" }, "no spam_", false],
      [{ kind: "suffix", value: "@Example.com" }, "a@example.COM", true],
      [{ kind: "suffix", value: "@example.com" }, "a@example.com.evil", false],
      [{ kind: "contains", value: "BOT" }, "a-bot-b", true],
      [{ kind: "contains", value: "bot" }, "b-o-t", false],
      [{ kind: "glob", value: "*@e?ample.com" }, "a@EXAMPLE.com", true],
      [{ kind: "glob", value: "*@e?ample.com" }, "a@eample.com", false],
    ];
    for (const [entry, value, matches] of cases) {
      const decision = evaluateAcl(list("allowlist", [entry]), value);
      expect(decision).toEqual(
        matches
          ? { allowed: true, decidedBy: "allow", entry }
          : { allowed: false, decidedBy: "mode" },
      );
    }
  });

  it("ignores an empty fragment instead of matching everyone", () => {
    for (const kind of ["prefix", "suffix", "contains"] as const) {
      expect(evaluateAcl(list("allowlist", [{ kind, value: "" }]), "bob").allowed).toBe(false);
      expect(evaluateAcl(list("blocklist", [], [{ kind, value: "" }]), "bob").allowed).toBe(true);
    }
  });
});
