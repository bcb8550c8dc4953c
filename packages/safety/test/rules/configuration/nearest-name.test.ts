import { describe, expect, it } from "vitest";
import { nearestName } from "../../../src/rules/configuration/nearest-name.js";

describe("the name that was meant", () => {
  it("differs least, and comes first in the alphabet among equals", () => {
    expect(nearestName("chat_tokn", ["chat_token_open", "chat_token", "eval_call"])).toBe(
      "chat_token",
    );
    expect(nearestName("abx", ["aby", "abw", "abz"])).toBe("abw");
    expect(nearestName("abx", ["abw", "aby"])).toBe("abw");
  });

  it("is none when nothing is near", () => {
    expect(nearestName("abc", ["xyz", "a_long_name"])).toBeUndefined();
    expect(nearestName("abcdef", ["ghijkl"])).toBeUndefined();
  });
});
