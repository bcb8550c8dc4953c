import { expect, it } from "vitest";
import { LatePort } from "../../src/host/late-port.js";

it("returns the component of a late port once it is connected, and throws with its name before", () => {
  const port = new LatePort<string>("the message flow");
  expect(() => port.target).toThrow("the message flow is not connected yet");
  port.connect("flow");
  expect(port.target).toBe("flow");
});
