import { expect, it } from "vitest";
import { deciderName, requesterName } from "../../src/index.js";

it.each([
  [{ channel: "terminal", senderId: "operator" }, "the operator, at the terminal of the gateway"],
  [{ channel: "api", senderId: "api" }, "the operator, from a connected terminal or program"],
  [{ channel: "telegram", senderId: "42" }, "42 (telegram)"],
])("[APPR-460] names the requester %j in plain words", (requester, name) => {
  expect(requesterName(requester)).toBe(name);
});

it.each([
  ["terminal:operator", "the operator, at the terminal of the gateway"],
  ["api:api", "the operator, from a connected terminal or program"],
  ["telegram:4711", "telegram:4711"],
  ["the host", "the host"],
])("[GW-689] names %s, who decided a request, as %s", (decidedBy, name) => {
  expect(deciderName(decidedBy)).toBe(name);
});
