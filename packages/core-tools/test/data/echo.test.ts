import { expect, it } from "vitest";
import { createEchoTool } from "../../src/data/echo.js";
import { callTool, refusalOf } from "../support/call-tool.js";

it("[TURN-065] returns the message unchanged, up to 64 KiB", async () => {
  const echo = (message: string) => callTool([createEchoTool()], "echo", { message });
  const longest = "ä".repeat(32 * 1024);
  for (const message of ["", " häy\n😀 ", longest]) {
    expect(await echo(message)).toEqual({ content: [{ type: "text", text: message }] });
  }
  expect(refusalOf(await echo(`${longest}x`), "too-large")).toContain("65537 bytes");
});
