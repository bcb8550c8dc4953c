import { PolicyCasesError } from "@openclaw/tool-policy";
import { describe, expect, it } from "vitest";
import { readPolicyCaseFile, writeExpectations } from "../../src/methods/policy-case-file.js";

const file = `{
  // what must never happen
  cases: [
    { name: "programs", tool: "exec", expect: "allow", by: 'agent' }, // for now
    { "name": "reading", "tool": "read", "expect": 'deny' },
  ],
}
`;

describe("policy case file", () => {
  it("is parsed as JSON5", () => {
    expect(readPolicyCaseFile(file, "cases.json")).toMatchObject({
      cases: [{ tool: "exec", by: "agent" }, { tool: "read" }],
    });
  });

  it("is rejected with the location when it is not JSON5", () => {
    const read = () => readPolicyCaseFile("{\n  cases: [", "cases.json");
    expect(read).toThrow(PolicyCasesError);
    expect(read).toThrow(/cases\.json:2:11 Unexpected end of input/);
  });

  it("receives new expectations and keeps everything else", () => {
    const written = writeExpectations(file, [
      { index: 0, expect: "deny", by: "global" },
      { index: 1, expect: "allow", by: "default" },
    ]);
    expect(written).toBe(
      file.replace("\"allow\", by: 'agent'", '"deny", by: "global"').replace("'deny'", '"allow"'),
    );
  });

  it.each(["[]", "{}", "{ cases: 1 }", "{ cases: [1] }"])(
    "is left unchanged when its shape is %s",
    (text) => {
      expect(writeExpectations(text, [{ index: 0, expect: "deny", by: "global" }])).toBe(text);
    },
  );
});
