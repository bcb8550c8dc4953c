import { expect, it } from "vitest";
import { errorMessage } from "../src/error-message.js";

it("is an error's own message, and the text of anything else that was thrown", () => {
  expect(errorMessage(new Error("no such table"))).toBe("no such table");
  expect(errorMessage("no such table")).toBe("no such table");
  expect(errorMessage(undefined)).toBe("undefined");
});
