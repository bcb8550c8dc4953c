import { describe, expect, it } from "vitest";
import { createSafetyRules, findSecrets } from "../../src/index.js";

const KEY = "AKIAIOSFODNN7EXAMPLE";

describe("findSecrets", () => {
  it("[SDK-053] returns the place of each secret, also of more than are listed in findings", () => {
    expect(findSecrets("nothing here, API_KEY=hello")).toEqual([]);
    expect(findSecrets(`a ${KEY}`)).toEqual([{ start: 2, end: 22, rule: "aws_access_key" }]);
    expect(findSecrets(`${KEY} `.repeat(300))).toHaveLength(300);
  });

  it("[SDK-053] obeys the rules in force", () => {
    const rules = createSafetyRules({ rules: { aws_access_key: { enabled: false } } });
    expect(findSecrets(KEY, { rules })).toEqual([]);
  });
});
