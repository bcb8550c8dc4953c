import { describe, expect, it } from "vitest";
import { hostWith, inbound } from "./support/host.js";
import vectors from "./vectors/hooks.json" with { type: "json" };

const rule = (fields: object) => ({ name: "r", points: ["beforeInbound"], ...fields });

describe("inline rules", () => {
  it("smoke", async () => {
    const { host, set } = await hostWith({
      rules: [rule({ replacements: [{ pattern: "secret", replacement: "[redacted]" }] })],
    });
    const result = await host.fire("message_receiving", inbound("a secret"));
    console.log(
      result,
      JSON.stringify(await set.list()),
      JSON.stringify(await set.show("r")),
      host.diagnostics,
    );
    console.log(JSON.stringify(host.trace.at(-1)));
    expect(result).toEqual({ content: "a [redacted]" });
    console.log(
      await set.setEnabled("r", false),
      await host.fire("message_receiving", inbound("a secret")),
      host.diagnostics,
    );
    console.log(await set.test("r", { content: "secret x" }));
  });
});
